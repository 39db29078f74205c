import { test } from "usergroup-mock/vitest";
import { afterEach, expect } from "vitest";
import { cleanUp, failures } from "./failures.cjs";

afterEach(cleanUp);

const equal = (actual, expected) => expect(actual).toBe(expected);

for (const [title, run] of Object.entries(failures)) {
  test(title, { timeout: 1_500 }, async ({ mock }) => {
    await run({ mock, equal });
  });
}
