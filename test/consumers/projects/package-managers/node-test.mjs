import assert from "node:assert/strict";
import { test } from "node:test";
import { useMock } from "usergroup-mock/node-test";

const mock = useMock();

test("has a mock", async () => {
  assert.equal((await mock.health()).status, "ok");
});
