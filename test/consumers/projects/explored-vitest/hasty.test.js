// Depends on existing-group, numeric-ids and mapping-values.
import { test } from "usergroup-mock/vitest";
import { expect } from "vitest";
import { hasty } from "./customers.cjs";

test("hasty", async ({ mock }) => {
  const { call } = hasty(mock.url, mock.apiToken);
  const renamed = await call("GET", { user_group_id: "example_1", name: "Renamed" });
  expect(renamed.json.user_group.name).toBe("Example 1");
  const number = await call("GET", { user_group_id: 7, name: "Seven" });
  expect(number.json.success).toBe(0);
  const mapped = await call("GET", { user_group_id: "acme", name: "Acme", mapping: { 40: 213 } });
  expect(mapped.json.success).toBe(0);
});
