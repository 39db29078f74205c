import { type AnyAdminInput, adminCall } from "../contract/admin-calls.js";
import { maxAdminDepth } from "../contract/limits.js";
import { MockError } from "../contract/mock-error.js";
import { defaultWorld } from "../contract/world-name.js";
import { parseBody } from "../foundation/json.js";
import { handleAdminCall, renderReport } from "../server/admin-handlers.js";
import type { StartedServer } from "../server/start-server.js";
import { makeWorld, type Transport } from "./make-world.js";
import { rejectionListeners } from "./rejections.js";
import type { Mock } from "./world.js";
import { writeJson } from "./write-json.js";

/** The methods of a mock, for a server in this process. */
export function controlServer(server: StartedServer): Mock {
  const { stop, unref, onRejected } = server;
  return Object.assign(makeWorld(inProcess(server), defaultWorld), {
    stop,
    unref,
    [Symbol.asyncDispose]: stop,
    [rejectionListeners]: onRejected,
  });
}

/**
 * Handles admin requests in this process. Input and output are copied, as over HTTP: a test must not change
 * the state by changing an object that it was given.
 */
function inProcess(server: StartedServer): Transport {
  const { url, isStopped, worlds } = server;
  const rejectStopped = () => {
    if (isStopped())
      throw new MockError("stopped", "This mock was stopped. Start another one with startMock().");
  };
  return {
    url,
    apiToken: (name) => worlds.find(name).epoch.groups.seed.firstApiToken,
    report: async (name, what) => {
      rejectStopped();
      return renderReport(server, url, name, what);
    },
    client: (name) => async (id, input) => {
      rejectStopped();
      const { query, body }: AnyAdminInput = input;
      const copied = { ...input, query: asSent(query), body: asSent(body) };
      const response = await handleAdminCall(
        id,
        server,
        adminCall(id).ofServer ? defaultWorld : name,
        copied,
      );
      // Not structuredClone: under Jest, it creates objects of another realm, which Jest 29 takes for different ones.
      return JSON.parse(JSON.stringify(response));
    },
  };
}

/** The value as JSON: a Date becomes text, and undefined is left out. */
function asSent<Value>(value: Value): Value | undefined;
function asSent(value: unknown): unknown {
  if (value === undefined) return undefined;
  const parsed = parseBody(writeJson(value), maxAdminDepth);
  if ("json" in parsed) return parsed.json;
  throw new MockError("invalid_json", parsed.problem);
}
