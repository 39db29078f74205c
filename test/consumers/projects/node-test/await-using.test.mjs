import assert from "node:assert/strict";
import { test } from "node:test";
import { startMock } from "usergroup-mock";
import { getOrCreate } from "./program.cjs";

test("await using stops the mock at the end of its block", async () => {
  const group = { user_group_id: "using", name: "Using" };
  let stopped;
  {
    await using mock = await startMock();
    const { body } = await getOrCreate(mock.url, mock.apiToken, group);
    assert.equal(body.new_user_group, true);
    stopped = mock;
  }
  await assert.rejects(getOrCreate(stopped.url, stopped.apiToken, group));
});
