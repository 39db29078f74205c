import { type AdminClient, type AnyAdminInput, adminCall } from "../contract/admin-calls.js";
import { maxAdminBytes, maxAdminDepth } from "../contract/limits.js";
import type { Schemas } from "../contract/schemas.js";
import { defaultWorld } from "../contract/world-name.js";
import { copyJson, textNestsDeeper, writeJson } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import { handleAdminCall } from "../world/admin-handlers.js";
import type { Worlds } from "../world/worlds.js";

interface LocalServer {
  /** Whether `stop()` was called. */
  readonly isStopped: () => boolean;
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
}

export const stoppedMessage = "This mock was stopped. Start another one with startMock().";

/**
 * Makes admin calls in this process. What goes in and out is copied, as it would be over HTTP: a test must not change
 * the state by changing an object that it was given.
 */
export function localClient(server: LocalServer, name: string, baseUrl: string): AdminClient {
  return async (id, input) => {
    if (server.isStopped()) {
      throw new MockError("stopped", stoppedMessage);
    }
    const { method, ofServer, maxBytes = maxAdminBytes } = adminCall(id);
    const { query, body }: AnyAdminInput = input;
    const copied = {
      ...input,
      ...(query !== undefined && { query: asSent(query, maxBytes) }),
      ...(body !== undefined && { body: asSent(body, maxBytes) }),
    };
    const { worlds } = server;
    // A GET brings no world to life, as over HTTP.
    const world = ofServer
      ? worlds.enter(defaultWorld)
      : method === "GET"
        ? worlds.findOrPreview(name)
        : worlds.enter(name);
    return copyJson(await handleAdminCall(id, { ...server, world, baseUrl, address: baseUrl }, copied));
  };
}

/** As JSON carries it: a Date is text, and undefined is left out. */
function asSent(value: unknown, maxBytes: number): unknown {
  const text = writeJson(value);
  if (Buffer.byteLength(text) > maxBytes) {
    throw new MockError("payload_too_large", `This value is over ${maxBytes} bytes. Send less.`);
  }
  const json: unknown = JSON.parse(text);
  if (textNestsDeeper(text, json, maxAdminDepth)) {
    throw new MockError("invalid_json", `This value nests deeper than ${maxAdminDepth} levels. Flatten it.`);
  }
  return json;
}
