import assert from "node:assert/strict";
import { test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { failures, some } from "./failures.cjs";

const mock = useMock();

for (const title of some) {
  test(title, { timeout: 1_500 }, async () => {
    await failures[title]({ mock, equal: assert.equal });
  });
}
