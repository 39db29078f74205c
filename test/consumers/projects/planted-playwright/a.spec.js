import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { renew } from "./planted.cjs";

test.describe("file a", () => {
  for (let n = 0; n < 3; n++) {
    test(`customer ${n}`, async ({ mock }) => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});
