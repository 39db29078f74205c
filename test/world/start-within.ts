import { startServer } from "../../src/mock/start-server.js";
import type { Mock } from "../../src/mock/world.js";
import { resolveOptions } from "../../src/options/resolve-options.js";

/** A mock whose journals keep only so many bytes together, so that a test can exceed them. */
export async function startWithin(maxJournalBytes: number): Promise<Mock> {
  const settings = await resolveOptions([], "embedded");
  return (await startServer(settings, undefined, undefined, maxJournalBytes)).mock;
}
