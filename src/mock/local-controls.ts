import { maxAdminBytes, maxAdminDepth, maxStateBytes, nestsDeeper, writeJson } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import type { Worlds } from "../world/worlds.js";
import type { Controls } from "./steering.js";

/**
 * The controls of a world in this process. What goes in and out is copied, as it would be over HTTP, so that a
 * test cannot change the state by changing what it was shown.
 */
export function localControls(worlds: Worlds, name: string, url: string): Controls {
  const world = () => worlds.enter(name);
  return {
    health: async () => worlds.health(name),
    reset: async () => world().reset(),
    state: async () => structuredClone(world().state()),
    load: async (fixture) => world().load(asSent(fixture, maxStateBytes)),
    requests: async (filter) => structuredClone(world().requests(asSent(filter))),
    clearRequests: async () => world().clearRequests(),
    wait: async (wait) => structuredClone(await world().waitForRequests(asSent(wait))),
    har: async () => structuredClone(world().har(url)),
    arm: async (fault) => world().armFault(asSent(fault)),
    faults: async () => structuredClone(world().faults()),
    removeFault: async (id) => world().removeFault(id),
    clearFaults: async () => world().clearFaults(),
    release: async (id) => world().releaseFault(id),
    assume: async (choice) => world().assume(asSent(choice)),
    assumptions: async () => world().assumptions(),
    snapshot: async () => world().snapshot(),
    restore: async (id) => world().restore(id),
    forget: async (id) => world().forget(id),
    worlds: async () => worlds.list(),
    drop: async () => worlds.drop(name),
  };
}

/** As JSON carries it: a Date is text, and what is undefined is not there. */
function asSent(value: object, most = maxAdminBytes): unknown {
  const text = writeJson(value);
  if (Buffer.byteLength(text) > most) {
    throw new MockError("payload_too_large", `What was given is over ${most} bytes. Give less.`);
  }
  const json: unknown = JSON.parse(text);
  if (!nestsDeeper(json, maxAdminDepth)) return json;
  throw new MockError(
    "invalid_json",
    `What was given nests deeper than ${maxAdminDepth} levels. Flatten it.`,
  );
}
