import assert from "node:assert/strict";
import { afterEach, before, beforeEach, describe, it, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { getOrCreate } from "./program.cjs";

const mock = useMock({ assume: { "created-status": "201" } });
const create = () => getOrCreate(mock.url, mock.apiToken, { user_group_id: "same", name: "Same" });

before(() => assert.throws(() => mock.url, /no test is running/));
beforeEach(() => mock.url);
afterEach(() => mock.assertNoFailures());

for (const n of [1, 2]) {
  test(`has its own world ${n}`, async () => {
    const { status, body } = await create();
    assert.deepEqual([status, body.new_user_group], [201, true]);
    // The default one is always there.
    assert.equal((await mock.worlds()).length, 2);
  });
}

test("shares its world with its subtests", async (t) => {
  await create();
  await t.test("one of them", async () => assert.equal((await create()).body.new_user_group, false));
  assert.equal((await mock.requests()).length, 2);
});

describe("a suite", () => {
  it("gives its tests their own worlds", async () => {
    assert.equal((await create()).body.new_user_group, true);
  });
});
