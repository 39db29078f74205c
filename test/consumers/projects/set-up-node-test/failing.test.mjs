import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useMock } from "usergroup-mock/node-test";
import { rotateToken } from "./user-groups.cjs";

const mock = useMock({ assertFaultsFired: true, assertNoFailures: true });

test("fails without a request", () => {
  assert.equal(1, 2);
});

test("fails without mock", async () => {
  await rotateToken("unknown");
});

let kept;

describe("in a suite", () => {
  test("has a fresh world, and keeps a token", async () => {
    assert.equal((await mock.requests()).length, 0);
    ({ token: kept } = await mock.addGroup({ provided_id: "acme", name: "Acme" }));
  });

  test("arms a fault that does not fire", async () => {
    await mock.fault({ status: 503 });
  });
});

test("ignores a failure", async () => {
  assert.equal(mock.name, "default");
  await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await rotateToken(kept).catch(() => {});
});

test("fails without a request again", () => {
  assert.equal(1, 2);
});
