const { expect } = require("@playwright/test");
const { test } = require("usergroup-mock/playwright");
const { getOrCreate } = require("./program.cjs");

test("works in CommonJS", async ({ mock }) => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, { user_group_id: "common", name: "Common" });
  expect(body.new_user_group).toBe(true);
});
