import { expect, test } from "@playwright/test";
import { connectMock, type World } from "usergroup-mock";
import { getOrCreate } from "./program.cjs";

let mock: World;
test.beforeAll(async () => {
  mock = await connectMock(process.env.USERGROUP_MOCK_URL ?? "");
});
test.beforeEach(() => mock.reset());

const group = { user_group_id: "playwright", name: "Playwright" };

test("the mock runs in another process than the test", () => {
  expect(process.env.SET_UP_IN_PROCESS).toMatch(/^\d+$/);
  expect(process.env.SET_UP_IN_PROCESS).not.toBe(String(process.pid));
});

test("the state has a created group", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect(body.new_user_group).toBe(true);
  const { user_groups = [] } = await mock.state();
  expect(user_groups.find(({ provided_id }) => provided_id === "playwright")).toMatchObject({
    name: "Playwright",
    token: body.user_group.token,
  });
});

test("a reset removes the groups of the test before", async () => {
  const { body } = await getOrCreate(mock.url, mock.apiToken, group);
  expect(body.new_user_group).toBe(true);
});

test("loaded groups are found", async () => {
  const loaded = { ...group, team_id: 9, provided_id: "loaded", token: "0".repeat(64) };
  const { user_group_id, ...groupOfNine } = loaded;
  await mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }], user_groups: [groupOfNine] });
  const { body } = await getOrCreate(mock.url, "nine", { user_group_id: "loaded" });
  expect(body).toMatchObject({ success: 1, new_user_group: false, user_group: { token: "0".repeat(64) } });
});
