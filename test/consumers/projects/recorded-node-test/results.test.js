import assert from "node:assert";
import { describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";

const mock = useMock();

test("passes", () => {
  assert.match(mock.url, /http/);
});

describe("a block", () => {
  test("fails", () => {
    assert.equal(mock.url, "");
  });
});

test("passes", async (context) => {
  await context.test("a subtest", () => {
    assert.match(mock.url, /http/);
  });
});

test("has a subtest that fails", async (context) => {
  await context.test("a subtest", () => {
    assert.equal(mock.url, "");
  });
});

test("fails in a later hook", (context) => {
  context.after(() => assert.equal(mock.url, ""));
});

test("never ends", () => {
  assert.match(mock.url, /http/);
  process.exit(1);
});
