import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { cleanUp, failures, some } from "./failures.cjs";

const mock = useMock();
afterEach(cleanUp);

for (const title of some) {
  test(title, { timeout: 1_500 }, async () => {
    await failures[title]({ mock, equal: assert.equal });
  });
}

test("has a subtest that fails", async (context) => {
  await context.test("which sends a number", () => failures["sends a number"]({ mock, equal: assert.equal }));
});
