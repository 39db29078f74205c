import { testWith } from "usergroup-mock/vitest";
import { expect, test } from "vitest";
import { rotateToken } from "./user-groups.cjs";

test("fails without a request", () => {
  expect(1).toBe(2);
});

test("fails without mock", async () => {
  await rotateToken("unknown");
});

let kept;

testWith()("has a fresh world, and keeps a token", async ({ mock }) => {
  expect(await mock.requests()).toHaveLength(0);
  ({ token: kept } = await mock.addGroup({ provided_id: "acme", name: "Acme" }));
});

testWith({ assertNoFailures: true })("ignores a failure", async ({ mock }) => {
  expect(mock.name).toBe("default");
  await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await rotateToken(kept).catch(() => {});
});

testWith({ assertFaultsFired: true })("arms a fault that does not fire", async ({ mock }) => {
  await mock.fault({ status: 503 });
});

test("fails without a request again", () => {
  expect(1).toBe(2);
});
