import { describe, expect, it } from "vitest";
import { type AdminCallId, type AnyAdminInput, adminTarget } from "../../src/contract/admin-calls.js";

type Row = readonly [what: string, id: AdminCallId, input: AnyAdminInput, target: string];

const rows: readonly Row[] = [
  ["is a path", "health", {}, "/health"],
  ["holds an id", "releaseFault", { id: 7 }, "/faults/7/release"],
  ["holds a name, escaped", "dropWorld", { name: "a/b" }, "/worlds/a%2Fb"],
  [
    "holds a query, escaped",
    "listRequests",
    { query: { user_group_id: "a&b", limit: 2 } },
    "/requests?user_group_id=a%26b&limit=2",
  ],
  [
    "leaves out what is undefined in a query",
    "listRequests",
    { query: { user_group_id: undefined, limit: 2 } },
    "/requests?limit=2",
  ],
  [
    "has no question mark when all of it is undefined",
    "listRequests",
    { query: { limit: undefined } },
    "/requests",
  ],
];

describe("the target of an admin call", () => {
  it.each(rows)("%s", (_, id, input, target) => {
    expect(adminTarget(id, input)).toBe(target);
  });
});
