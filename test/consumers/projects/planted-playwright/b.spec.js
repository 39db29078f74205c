import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { renew } from "./planted.cjs";

test.describe("file b", () => {
  for (let n = 3; n < 6; n++) {
    test(`customer ${n}`, async ({ mock }) => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});
