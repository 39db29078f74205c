import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { getOrCreate } from "./program.cjs";

const mock = useMock();
const create = () => getOrCreate(mock.url, mock.apiToken, { user_group_id: "late", name: "Late" });
const never = () => new Promise(() => {});

test("has a subtest that fails", async (context) => {
  await context.test("a subtest", async () => {
    await create();
    assert.fail("on purpose");
  });
});

test("fails in a later hook", async (context) => {
  context.after(() => assert.fail("on purpose"));
  await create();
});

test("has a subtest that fails in a later hook", async (context) => {
  await context.test("a subtest", async (subtest) => {
    subtest.after(() => assert.fail("on purpose"));
    await create();
  });
});

test("fails with a frozen error", async () => {
  await create();
  throw Object.freeze(new Error("on purpose"));
});

test("times out", { timeout: 500 }, async () => {
  await create();
  await never();
});

test("passes after tests that are over", create);

test("does not use mock", () => assert.fail("on purpose"));

test("sends nothing", () => assert.equal(mock.url, "on purpose"));

describe("a suite with a timeout", { timeout: 500 }, () => {
  test("is cancelled", async () => {
    await create();
    await never();
  });
});
