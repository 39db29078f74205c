import { expect, it } from "vitest";
import { adminTarget } from "../../../src/fake/contract/admin-calls.js";

it("adminTarget escapes names and queries, and leaves out undefined values of a query", () => {
  expect(adminTarget("dropWorld", { name: "a/b" })).toBe("/worlds/a%2Fb");
  const query = { user_group_id: "a&b", operation: undefined, limit: 2 };
  expect(adminTarget("listRequests", { query })).toBe("/requests?user_group_id=a%26b&limit=2");
  expect(adminTarget("listRequests", { query: { limit: undefined } })).toBe("/requests");
});
