// Depends on api-tokens, failure-status and videos-path.
import { test as base, expect } from "@playwright/test";
import { connectMock } from "usergroup-mock";
import { hasty, patient, sturdy } from "./customers.cjs";

/** The title of a test is the name of its world. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  world: async ({}, use, { title }) => {
    const mock = await connectMock(process.env.USERGROUP_MOCK_URL);
    await use(mock.world(title));
  },
});

const token = /^[0-9a-f]{64}$/;

test("hasty", async ({ world }) => {
  const group = { user_group_id: "acme", name: "Acme" };
  const { call } = hasty(world.url, world.apiToken);
  const { user_group } = (await call("GET", group)).json;
  const stranger = await call("GET", group, { Authorization: "Token stranger" });
  expect(stranger.json.success).toBe(0);
  const incomplete = await call("GET", { name: "Acme" });
  expect(incomplete.status).toBe(400);
  const videos = await call("POST", { current_token: user_group.token }, { path: "/videos" });
  expect(videos.status).toBe(404);
});

test("patient", async ({ world }) => {
  expect(await patient(world.url, world.apiToken).tokenOf("acme")).toMatch(token);
});

test("sturdy", async ({ world }) => {
  const { tokenOf, renewToken } = sturdy(world.url, world.apiToken);
  expect(await renewToken("acme", await tokenOf("acme"))).toMatch(token);
});
