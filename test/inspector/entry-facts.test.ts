import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../src/generated/types.js";
import { factsOf } from "../../src/inspector/entry-facts.js";

const entryWith = (body: unknown): JournalEntry => ({
  id: 1,
  at: "2026-01-01T00:00:00.000Z",
  operation: "get-or-create",
  outcome: "failure",
  request: { method: "GET", path: "/api/user", headers: {}, body },
  response: { status: 400, headers: {}, body: null },
  effect: "none",
  delivery: "complete",
  durationMs: 1,
  assumed: {},
  fault: null,
  notes: [],
});

describe("group id of an entry", () => {
  it.each([
    [{ toString: 1 }, '{"toString":1}'],
    [["a"], '["a"]'],
    [5, "5"],
    [null, "null"],
    ["a", "a"],
  ])("is shown as the client sent it: %j", (id, shown) => {
    expect(factsOf(entryWith({ user_group_id: id })).groupId).toBe(shown);
  });
});
