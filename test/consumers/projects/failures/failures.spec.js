import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { cleanUp, failures, some } from "./failures.cjs";

test.afterEach(cleanUp);

const equal = (actual, expected) => expect(actual).toBe(expected);

for (const title of some) {
  test(title, async ({ mock }) => {
    test.setTimeout(1_500);
    await failures[title]({ mock, equal });
  });
}
