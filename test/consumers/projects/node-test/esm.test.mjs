import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { connectMock, MockError, startMock } from "usergroup-mock";
import { getOrCreate } from "./program.cjs";

const group = { user_group_id: "node", name: "Node" };

test("a mock that was imported serves, resets and stops", async () => {
  const mock = await startMock();
  const first = await getOrCreate(mock.url, mock.apiToken, group);
  assert.equal(first.status, 200);
  assert.equal(first.body.new_user_group, true);
  await (await connectMock(mock.url)).reset();
  const again = await getOrCreate(mock.url, mock.apiToken, group);
  assert.equal(again.body.new_user_group, true);
  assert.notEqual(again.body.user_group.token, first.body.user_group.token);
  await mock.stop();
  await assert.rejects(getOrCreate(mock.url, mock.apiToken, group));
});

test("import and require give the same classes", async () => {
  const required = createRequire(import.meta.url)("usergroup-mock");
  assert.equal(required.MockError, MockError);
  await assert.rejects(required.startMock({ prot: 1 }), MockError);
});
