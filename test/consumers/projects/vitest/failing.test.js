import { testWith } from "usergroup-mock/vitest";
import { afterEach, describe, expect } from "vitest";
import { getOrCreate } from "./program.cjs";

const test = testWith({ assume: { "created-status": "201" } });
const group = { user_group_id: "failing", name: "Failing" };

const passes = ({ mock }) => expect(mock.url).toContain("http");
for (const run of [passes, passes]) test("passes", run);

test("is skipped", ({ mock, skip }) => {
  expect(mock.url).toContain("http");
  skip();
});

test.fails("is expected to fail", ({ mock }) => {
  expect(mock.url).toBe("");
});

describe("a block", () => {
  test("fails each time", async ({ mock }) => {
    const { status } = await getOrCreate(mock.url, mock.apiToken, group);
    expect(status).toBe(200);
  });
});

test("fails by a timeout", { timeout: 500 }, async ({ mock }) => {
  await getOrCreate(mock.url, mock.apiToken, group);
  await new Promise(() => {});
});

let attempts = 0;
test("passes when it is tried again", async ({ mock }) => {
  attempts++;
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect([attempts, body.new_user_group]).toEqual([2, true]);
});

afterEach(({ task }) => {
  if (task.name === "fails in a hook") throw new Error("on purpose");
});
test("fails in a hook", async ({ mock }) => {
  await getOrCreate(mock.url, mock.apiToken, group);
});

test("ends its process", ({ mock }) => {
  expect(mock.url).toContain("http");
  process.exit(1);
});
