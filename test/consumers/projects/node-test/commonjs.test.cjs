const assert = require("node:assert/strict");
const { test } = require("node:test");
const { startMock } = require("usergroup-mock");
const { getOrCreate } = require("./program.cjs");

test("a mock that was required serves and stops", async () => {
  const mock = await startMock();
  const { body } = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "example_1" });
  assert.equal(body.new_user_group, false);
  assert.equal(body.user_group.name, "Example 1");
  await mock[Symbol.asyncDispose]();
  await assert.rejects(getOrCreate(mock.url, mock.apiToken, {}));
});

test("the shipped fixture and schemas can be required", () => {
  assert.equal(require("usergroup-mock/fixtures/default.json").teams[0].team_id, 3);
  assert.equal(require("usergroup-mock/schemas/fixture.json").type, "object");
  assert.equal(require("usergroup-mock/schemas/admin/fault-rule.json").type, "object");
});
