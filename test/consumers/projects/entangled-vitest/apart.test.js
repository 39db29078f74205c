import { test } from "usergroup-mock/vitest";
import { renew } from "./planted.cjs";

for (const n of [6, 7, 8]) {
  test(`customer ${n}`, async ({ mock }) => {
    await renew(mock, n);
  });
}
