import { test } from "usergroup-mock/vitest";
import { afterEach, expect } from "vitest";
import { cleanUp, failures } from "./failures.cjs";

afterEach(cleanUp);

const equal = (actual, expected) => expect(actual).toBe(expected);

const { "gives up before the response": givesUp, ...others } = failures;

for (const [title, run] of Object.entries(others)) {
  test(title, { timeout: 1_500 }, async ({ mock }) => {
    await run({ mock, equal });
  });
}

// The stack of its error does not have this file: the report finds the line by the title.
test("gives up before the response", { timeout: 1_500 }, async ({ mock }) => {
  await givesUp({ mock });
});
