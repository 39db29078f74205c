import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { cleanUp, failures, some } from "./failures.cjs";

const mock = useMock();
afterEach(cleanUp);

const limit = { timeout: 1_500 };
const run = (title) => failures[title]({ mock, equal: assert.equal });
const withoutStack = ["gives up before the response", "times out in a hold"];

for (const title of some.filter((one) => !withoutStack.includes(one))) {
  test(title, limit, async () => {
    await run(title);
  });
}

// The stacks of their errors do not have this file: the report finds the line by the title.
test("gives up before the response", limit, () => run("gives up before the response"));
test("times out in a hold", limit, () => run("times out in a hold"));

test("has a subtest that fails", async (context) => {
  await context.test("which sends a number", () => run("sends a number"));
});
