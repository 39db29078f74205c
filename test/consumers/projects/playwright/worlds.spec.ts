import { expect } from "@playwright/test";
import { test } from "usergroup-mock/playwright";
import { getOrCreate } from "./program.cjs";

test.describe.configure({ mode: "parallel" });

const group = { user_group_id: "same", name: "Same" };

for (const n of [1, 2, 3]) {
  test(`has its own world ${n}`, async ({ mock }) => {
    const { status, body } = await getOrCreate(mock.url, mock.apiToken, group);
    expect([status, body.new_user_group]).toEqual([200, true]);
    // The default one is always there.
    expect(await mock.worlds()).toHaveLength(2);
  });
}
