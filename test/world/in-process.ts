import type { AdminResponse, AnyAdminInput, JsonCallId } from "../../src/contract/admin-calls.js";
import { readFixtures } from "../../src/contract/fixtures.js";
import { loadSchemas } from "../../src/contract/schemas.js";
import { defaultAssumptions } from "../../src/service/assumptions.js";
import { Decisions } from "../../src/service/decisions.js";
import { handleAdminCall } from "../../src/world/admin-handlers.js";
import { buildSeed } from "../../src/world/build-seed.js";
import type { Entry, Journal, RequestHead } from "../../src/world/journal/journal.js";
import type { Delivered, PlannedResponse } from "../../src/world/planned-response.js";
import { Worlds, type WorldsParts } from "../../src/world/worlds.js";

/** Worlds without a server. Tests only claim large sizes, so that they fill worlds within milliseconds. */
export async function worldsInProcess(more: Partial<WorldsParts> = {}): Promise<Worlds> {
  const schemas = await loadSchemas();
  const seed = buildSeed(readFixtures([], schemas), "fixed");
  return new Worlds({
    seed,
    schemas,
    assumptions: defaultAssumptions,
    pinned: new Set(),
    journalSize: 1_000,
    version: "1.2.3",
    maxWorlds: 1_000,
    ...more,
  });
}

/** An admin call in the world `a`, without a server. */
export async function adminInProcess(worlds: Worlds) {
  const schemas = await loadSchemas();
  const baseUrl = "http://localhost:1/worlds/a";
  return async <Id extends JsonCallId>(id: Id, input: AnyAdminInput = {}): Promise<AdminResponse<Id>> => {
    const world = worlds.enter("a");
    return handleAdminCall(
      id,
      { worlds, world, schemas, baseUrl, address: baseUrl, version: "1.2.3" },
      input,
    );
  };
}

/** A request that has begun. */
export function openEntry(journal: Journal, head: Partial<RequestHead> = {}): Entry {
  const decisions = new Decisions(defaultAssumptions, new Set());
  return journal.open({ method: "GET", path: "/api/user", headers: {}, size: 100, ...head }, decisions);
}

/** The delivery of a response whose body has so many characters. */
export const whole = (characters = 0): Delivered => ({
  delivery: "complete",
  headers: { "Content-Length": characters },
});

export const succeeded: PlannedResponse = { status: 200, body: { success: 1 } };
export const failed: PlannedResponse = {
  status: 400,
  failure: { code: "invalid_body", message: "It is wrong." },
};

/** A completed request whose response body has so many characters. */
export function addEntry(journal: Journal, characters = 0, response = succeeded): Entry {
  const entry = openEntry(journal);
  journal.close(entry, response, whole(characters));
  return entry;
}
