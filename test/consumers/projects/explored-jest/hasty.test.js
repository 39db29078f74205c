// Depends on auth-scheme, unknown-fields and name-on-create.
const { startMock } = require("usergroup-mock");
const { hasty } = require("./customers.cjs");

let mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

test("a group is created with fields that mean nothing, by the right header", async () => {
  const { url, apiToken } = mock.world("hasty");
  const { call } = hasty(url, apiToken);
  const group = { user_group_id: "acme", name: "Acme", colour: "blue" };
  const { answer } = await call("GET", group);
  expect(answer).toMatchObject({ success: 1, new_user_group: true });
  const lowercase = await call("GET", group, { Authorization: `token ${apiToken}` });
  expect(lowercase.answer.success).toBe(0);
});

test("a group needs a name", async () => {
  const { url, apiToken } = mock.world("nameless");
  const { answer } = await hasty(url, apiToken).call("GET", { user_group_id: "acme" });
  expect(answer.success).toBe(0);
});
