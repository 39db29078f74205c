import { it, test, testWith } from "usergroup-mock/vitest";
import { expect } from "vitest";
import { getOrCreate } from "./program.cjs";

const create = ({ url, apiToken }) => getOrCreate(url, apiToken, { user_group_id: "same", name: "Same" });

const worlds = new Set();
for (const n of [1, 2, 3]) {
  test.concurrent(`has its own world among concurrent tests ${n}`, async ({ mock }) => {
    worlds.add(mock.name);
    expect((await create(mock)).body.new_user_group).toBe(true);
    await mock.assertNoFailures();
  });
}

it("has its own world after other tests", async ({ mock }) => {
  expect((await create(mock)).body.new_user_group).toBe(true);
  expect(worlds.size).toBe(3);
  // The default one is always there.
  expect(await mock.worlds()).toHaveLength(2);
});

const testCreated = testWith({ assume: { "created-status": "201" } });

testCreated("has a server with options", async ({ mock }) => {
  expect((await create(mock)).status).toBe(201);
});

test("has a server without them", async ({ mock }) => {
  expect((await create(mock)).status).toBe(200);
});

test("gives up waiting before it times out", { timeout: 3_000 }, async ({ mock }) => {
  const held = await mock.hold();
  await expect(held.arrived()).rejects.toThrow(/held 0 of 1 request within [12]\d{3} ms/);
});
