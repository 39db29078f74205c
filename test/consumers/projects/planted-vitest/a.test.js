import { test } from "usergroup-mock/vitest";
import { describe, expect } from "vitest";
import { renew } from "./planted.cjs";

describe("file a", () => {
  for (let n = 0; n < 10; n++) {
    test(`customer ${n}`, async ({ mock }) => {
      expect(await renew(mock, n)).toMatch(/^[0-9a-f]{64}$/);
    });
  }
});
