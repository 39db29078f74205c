import { expect } from "@playwright/test";
import { testWith } from "usergroup-mock/playwright";
import { getOrCreate } from "./program.cjs";

const test = testWith({ assume: { "created-status": "201" } });
const group = { user_group_id: "failing", name: "Failing" };

test("passes", ({ mock }) => {
  expect(mock.url).toContain("http");
});

test("is skipped", ({ mock }) => {
  expect(mock.url).toContain("http");
  test.skip();
});

test("is expected to fail", ({ mock }) => {
  test.fail();
  expect(mock.url).toBe("");
});

test.describe("a block", () => {
  test("fails each time", async ({ mock }) => {
    const { status } = await getOrCreate(mock.url, mock.apiToken, group);
    expect(status).toBe(200);
  });
});

test("fails by a timeout", async ({ mock }) => {
  test.setTimeout(1_000);
  await getOrCreate(mock.url, mock.apiToken, group);
  await new Promise(() => {});
});

// Only here: after every failed attempt, Playwright starts another process.
test.describe(() => {
  test.describe.configure({ retries: 1 });

  test("passes when it is tried again", async ({ mock }, { retry }) => {
    const { body } = await getOrCreate(mock.url, mock.apiToken, group);
    expect([retry, body.new_user_group]).toEqual([1, true]);
  });
});

test.describe(() => {
  test.describe.configure({ timeout: 3_000 });

  test("gives up waiting before it times out", async ({ mock }) => {
    const held = await mock.hold();
    await expect(held.arrived()).rejects.toThrow(/held 0 of 1 request within [12]\d{3} ms/);
  });
});

test.afterEach(({ mock }, { title }) => {
  if (title === "fails in a hook") throw new Error(`on purpose, in ${mock.name}`);
});
test("fails in a hook", async ({ mock }) => {
  await getOrCreate(mock.url, mock.apiToken, group);
});
