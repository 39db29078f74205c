import { controlServer } from "../../../src/client/control-server.js";
import { startServer } from "../../../src/client/start-server.js";
import type { Mock } from "../../../src/client/world.js";
import { resolveOptions } from "../../../src/options/resolve-options.js";

/** A mock whose journals keep only so many bytes together, so that a test can exceed them. */
export async function startWithin(maxJournalBytes: number): Promise<Mock> {
  const settings = await resolveOptions([], "embedded");
  const server = await startServer(settings);
  server.worlds.parts.journals.maxBytes = maxJournalBytes;
  return controlServer(server);
}
