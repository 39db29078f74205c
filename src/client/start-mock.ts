import { inspect } from "node:util";
import { MockError } from "../fake/contract/mock-error.js";
import { isObject } from "../foundation/json.js";
import type { MockOptions } from "../generated/types.js";
import { fillVariables } from "../options/names.js";
import { resolveOptions } from "../options/resolve-options.js";
import { openRun } from "../run/begin-run.js";
import { controlServer } from "./control-server.js";
import { startServer } from "./start-server.js";
import { tracedTo } from "./trace-rejections.js";
import type { Mock } from "./world.js";

/**
 * Starts a mock in this process. Resolves once it listens and is seeded.
 *
 * @example
 * const mock = await startMock();
 * await callMyProgram({ baseUrl: mock.url, apiToken: mock.apiToken });
 * await mock.stop();
 */
export function startMock(options: MockOptions = {}): Promise<Mock> {
  return tracedTo(startMock, async () => {
    if (!isObject(options)) {
      const given = inspect(options, { depth: 0 });
      throw new MockError("invalid_option", `startMock needs an object of options, not ${given}.`);
    }
    const run = openRun(process.env);
    const source = { place: "startMock", options: { ...options }, pins: true };
    const settings = await resolveOptions([source], "embedded", run?.options);
    const mock = controlServer(await startServer(settings, run));
    Object.assign(process.env, fillVariables(settings.set, mock));
    return mock;
  });
}
