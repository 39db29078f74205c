import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { cleanUp, failures, some } from "./failures.cjs";

test.afterEach(cleanUp);

// Playwright does not map the lines of failures.cjs, so that this line has to name the status.
const equal = (status, expected) => expect(status).toBe(expected);

for (const title of some) {
  test(title, async ({ mock }) => {
    test.setTimeout(1_500);
    await failures[title]({ mock, equal });
  });
}
