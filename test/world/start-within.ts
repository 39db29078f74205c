import { controlServer } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
import type { MockOptions } from "../../src/generated/types.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { startServer } from "../../src/server/start-server.js";

/** A mock whose journals keep only so many bytes together, so that a test can exceed them. */
export async function startWithin(maxJournalBytes: number, options: MockOptions = {}): Promise<Mock> {
  const settings = await resolveOptions([{ place: "startMock", options: { ...options } }], "embedded");
  return controlServer(await startServer(settings, undefined, undefined, maxJournalBytes));
}
