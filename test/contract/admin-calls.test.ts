import { describe, expect, it } from "vitest";
import { adminTarget } from "../../src/contract/admin-calls.js";

describe("the target of an admin call", () => {
  it.each([
    ["is a path", adminTarget("health", {}), "/health"],
    ["holds an id", adminTarget("releaseFault", { id: 7 }), "/faults/7/release"],
    ["holds a name, escaped", adminTarget("dropWorld", { name: "a/b" }), "/worlds/a%2Fb"],
    [
      "holds a query, escaped",
      adminTarget("listRequests", { query: { user_group_id: "a&b", limit: 2 } }),
      "/requests?user_group_id=a%26b&limit=2",
    ],
    [
      "leaves out what is undefined in a query",
      adminTarget("listRequests", { query: { user_group_id: undefined, limit: 2 } }),
      "/requests?limit=2",
    ],
    [
      "has no question mark when all of it is undefined",
      adminTarget("listRequests", { query: { limit: undefined } }),
      "/requests",
    ],
  ])("%s", (_, target, expected) => {
    expect(target).toBe(expected);
  });
});
