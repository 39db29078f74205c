import type { MockOptions } from "../../src/generated/types.js";
import { startServer } from "../../src/mock/start-server.js";
import type { Mock } from "../../src/mock/world.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { type Bounds, defaultBounds } from "../../src/world/bounds.js";

/** A mock with smaller bounds, so that a test can exceed them. */
export async function startWithin(bounds: Partial<Bounds>, options: MockOptions = {}): Promise<Mock> {
  const settings = await resolveOptions([{ place: "startMock", options: { ...options } }], "embedded");
  return (await startServer(settings, undefined, undefined, { ...defaultBounds, ...bounds })).mock;
}

/** A mock whose journals have a hundredth of the default size. */
export function startSmall(options: MockOptions = {}): Promise<Mock> {
  return startWithin({ journalCharacters: defaultBounds.journalCharacters / 100 }, options);
}
