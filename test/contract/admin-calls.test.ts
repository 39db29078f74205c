import { describe, expect, it } from "vitest";
import { type AdminCallId, type AnyAdminInput, adminTarget } from "../../src/contract/admin-calls.js";

type Row = readonly [what: string, id: AdminCallId, input: AnyAdminInput, target: string];

const rows: readonly Row[] = [
  ["has the path", "health", {}, "/health"],
  ["has the id", "releaseFault", { id: 7 }, "/faults/7/release"],
  ["escapes the name", "dropWorld", { name: "a/b" }, "/worlds/a%2Fb"],
  [
    "escapes the query",
    "listRequests",
    { query: { user_group_id: "a&b", limit: 2 } },
    "/requests?user_group_id=a%26b&limit=2",
  ],
  [
    "leaves out undefined values of a query",
    "listRequests",
    { query: { user_group_id: undefined, limit: 2 } },
    "/requests?limit=2",
  ],
  [
    "has no question mark if all values of the query are undefined",
    "listRequests",
    { query: { limit: undefined } },
    "/requests",
  ],
];

describe("adminTarget", () => {
  it.each(rows)("%s", (_, id, input, target) => {
    expect(adminTarget(id, input)).toBe(target);
  });
});
