import { test } from "usergroup-mock/vitest";
import { describe, expect } from "vitest";

test("passes", async ({ mock }) => {
  expect(mock.url).toContain("http");
});

describe("a block", () => {
  test("fails", async ({ mock }) => {
    expect(mock.url).toBe("");
  });
});

let attempts = 0;
test("is retried", { retry: 1 }, async ({ mock }) => {
  expect([mock.url, ++attempts]).toContain(2);
});

test("is skipped", async ({ mock, skip }) => {
  expect(mock.url).toContain("http");
  skip();
});

test.fails("fails as expected", async ({ mock }) => {
  expect(mock.url).toBe("");
});

test("passes", async ({ mock }) => {
  expect(mock.url).toContain("http");
});

test("never ends", async ({ mock }) => {
  expect(mock.url).toContain("http");
  process.exit(1);
});
