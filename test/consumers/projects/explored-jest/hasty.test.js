// Depends on auth-scheme, unknown-fields and name-on-create.
const { startMock } = require("usergroup-mock");
const { hasty } = require("./customers.cjs");

let mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

test("creates a group with unknown fields, but not with a lower-case scheme", async () => {
  const { url, apiToken } = mock.world("hasty");
  const { call } = hasty(url, apiToken);
  const group = { user_group_id: "acme", name: "Acme", colour: "blue" };
  const { json } = await call("GET", group);
  expect(json).toMatchObject({ success: 1, new_user_group: true });
  const lowercase = await call("GET", group, { Authorization: `token ${apiToken}` });
  expect(lowercase.json.success).toBe(0);
});

test("rejects a group without a name", async () => {
  const { url, apiToken } = mock.world("nameless");
  const { json } = await hasty(url, apiToken).call("GET", { user_group_id: "acme" });
  expect(json.success).toBe(0);
});
