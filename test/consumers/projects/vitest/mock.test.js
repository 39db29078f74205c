import { startMock } from "usergroup-mock";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getOrCreate } from "./program.cjs";

let mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const group = { user_group_id: "vitest", name: "Vitest" };

test("a group is created once", async () => {
  const first = await getOrCreate(mock.url, mock.apiToken, group);
  const second = await getOrCreate(mock.url, mock.apiToken, group);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({
    success: 1,
    new_user_group: true,
    user_group: { provided_id: "vitest" },
  });
  expect(second.body).toStrictEqual({ ...first.body, new_user_group: false });
});

test("a reset removes the groups of the test before", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect(body.new_user_group).toBe(true);
});
