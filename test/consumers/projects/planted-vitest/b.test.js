import { test } from "usergroup-mock/vitest";
import { describe, expect } from "vitest";
import { renew } from "./planted.cjs";

describe("file b", () => {
  for (let n = 10; n < 20; n++) {
    test(`customer ${n}`, async ({ mock }) => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});
