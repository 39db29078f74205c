import { defaultWorld } from "../contract/world-name.js";
import type { StartedServer } from "../server/start-server.js";
import { inProcess } from "./in-process.js";
import { makeWorld } from "./make-world.js";
import type { Mock } from "./world.js";

/** The methods of a mock, for a server in this process. */
export function controlServer({ stop, unref, ...server }: StartedServer): Mock {
  return Object.assign(makeWorld(inProcess(server), defaultWorld), {
    stop,
    unref,
    [Symbol.asyncDispose]: stop,
  });
}
