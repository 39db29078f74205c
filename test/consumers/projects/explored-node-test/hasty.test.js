// Depends on created-status and trailing-slash.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startMock } from "usergroup-mock";
import { hasty } from "./customers.cjs";

let mock;
before(async () => {
  mock = await startMock();
});
after(() => mock.stop());

test("creates a group at one path only", async () => {
  const { url, apiToken } = mock.world("hasty");
  const { call } = hasty(url, apiToken);
  const group = { user_group_id: "acme", name: "Acme" };
  assert.equal((await call("GET", group)).status, 200);
  assert.equal((await call("GET", group, { path: "/api/user/" })).status, 404);
});
