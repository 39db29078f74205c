import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { getOrCreate } from "./program.cjs";

const mock = useMock({ assume: { "created-status": "201" } });
const group = { user_group_id: "failing", name: "Failing" };

afterEach(({ name }) => {
  if (name === "fails in a hook") throw new Error("on purpose");
});

const passes = () => assert.match(mock.url, /http/);
for (const run of [passes, passes]) test("passes", run);

describe("a block", () => {
  test("fails each time", async () => {
    const { status } = await getOrCreate(mock.url, mock.apiToken, group);
    assert.equal(status, 200);
  });
});

test("fails by a timeout", { timeout: 500 }, async () => {
  await getOrCreate(mock.url, mock.apiToken, group);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
});

test("fails in a hook", async () => {
  await getOrCreate(mock.url, mock.apiToken, group);
});
