// Not in start-mock.ts: its types are published, and must not refer to those of the server.
import { adminCall } from "../fake/contract/admin-calls.js";
import { MockError } from "../fake/contract/mock-error.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import { handleAdminCall, renderReport } from "../fake/server/admin-handlers.js";
import { makeWorld, type Transport } from "./make-world.js";
import type { StartedServer } from "./start-server.js";
import type { Mock } from "./world.js";

/** The methods of a mock, for a server in this process. */
export function controlServer(server: StartedServer): Mock {
  const { stop, unref } = server;
  const world = makeWorld(inProcess(server), defaultWorld);
  return Object.assign(world, { stop, unref, [Symbol.asyncDispose]: stop });
}

/**
 * Handles admin requests in this process. Responses are copied, as over HTTP: a test must not change the state by
 * changing an object that it was given.
 */
function inProcess(server: StartedServer): Transport {
  const { url, isStopped, worlds, tests } = server;
  const rejectStopped = () => {
    if (isStopped())
      throw new MockError("stopped", "This mock was stopped. Start another one with startMock().");
  };
  return {
    url,
    tests,
    apiToken: (name) => worlds.peek(name).groups.seed.firstApiToken,
    report: async (name, what) => {
      rejectStopped();
      return renderReport(server, url, name, what);
    },
    client: (name) => async (id, input) => {
      rejectStopped();
      const world = adminCall(id).ofServer ? defaultWorld : name;
      const response = await handleAdminCall(id, server, world, input);
      // Not structuredClone: under Jest, it creates objects of another realm, which Jest 29 takes for different ones.
      return JSON.parse(JSON.stringify(response));
    },
  };
}
