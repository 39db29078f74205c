// Two tests share a variable of this module: the second one fails whenever the first one had to try again.
import { test } from "usergroup-mock/vitest";
import { expect } from "vitest";
import { renew } from "./planted.cjs";

let triesOfFirst;

test("first", async ({ mock }) => {
  await renew(mock, 1);
  triesOfFirst = (await mock.requests()).length;
});

test("second", async ({ mock }) => {
  await renew(mock, 2);
  expect(triesOfFirst).toBe(2);
});

for (const n of [3, 4, 5]) {
  test(`customer ${n}`, async ({ mock }) => {
    await renew(mock, n);
  });
}
