import assert from "node:assert/strict";
import { test } from "node:test";
import { useMock } from "usergroup-mock/node-test";

const mock = useMock();

test("never ends", () => {
  assert.match(mock.url, /http/);
  process.exit(1);
});
