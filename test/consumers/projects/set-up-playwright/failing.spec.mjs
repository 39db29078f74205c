import { expect } from "@playwright/test";
import { testWith } from "usergroup-mock/playwright";

const test = testWith({ assertFaultsFired: true, assertNoFailures: true });

test("fails without a request", () => {
  expect(1).toBe(2);
});

test("fails without mock", async ({ request }) => {
  expect((await request.get("/unknown")).status()).toBe(200);
});

test("has a fresh world", async ({ mock }) => {
  expect(await mock.requests()).toHaveLength(0);
});

test("arms a fault that does not fire", async ({ mock }) => {
  await mock.fault({ status: 503 });
});

test("ignores a failure", async ({ mock, request }) => {
  expect(mock.name).toBe("default");
  await request.get("/unknown");
});

test("fails without a request again", () => {
  expect(1).toBe(2);
});
