import { expect } from "@playwright/test";
import { testWith } from "usergroup-mock/playwright";

const test = testWith({ assertFaultsFired: true, assertNoFailures: true });

test("fails without a request", () => {
  expect(1).toBe(2);
});

test("fails without mock", async ({ request }) => {
  expect((await request.get("/unknown")).status()).toBe(200);
});

let kept;

test("has a fresh world, and keeps a token", async ({ mock }) => {
  expect(await mock.requests()).toHaveLength(0);
  ({ token: kept } = await mock.addGroup({ provided_id: "acme", name: "Acme" }));
});

// Directly after the test before: a test that fails ends the worker, and its variables.
test("ignores a failure", async ({ mock, request }) => {
  expect(mock.name).toBe("default");
  await mock.addGroup({ provided_id: "acme", name: "Acme" });
  await request.get(`/${kept}`);
});

test("arms a fault that does not fire", async ({ mock }) => {
  await mock.fault({ status: 503 });
});

test("fails without a request again", () => {
  expect(1).toBe(2);
});
