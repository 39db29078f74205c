import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";

test("passes", async ({ mock }) => {
  expect(mock.url).toContain("http");
});

test.describe("a block", () => {
  test("fails", async ({ mock }) => {
    expect(mock.url).toBe("");
  });
});

test("is retried", async ({ mock }, { retry }) => {
  expect([mock.url, retry]).toContain(1);
});

test("is skipped", async ({ mock }) => {
  expect(mock.url).toContain("http");
  test.skip();
});

test("fails as expected", async ({ mock }) => {
  test.fail();
  expect(mock.url).toBe("");
});
