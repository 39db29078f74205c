import { describe, expect, it } from "vitest";
import { type Mock, type MockOptions, startMock } from "../../src/index.js";
import { deriveToken } from "../../src/service/tokens.js";
import { getOrCreate, rotate } from "../call.js";

describe("tokens", () => {
  it("are the same in every run, whatever the order of requests", async () => {
    expect(await tokensOf(["a", "b"])).toEqual((await tokensOf(["b", "a"])).reverse());
    // A fixed value, so that every version gives the same tokens.
    expect(deriveToken("usergroup-mock", "default", 3, "a", 0)).toBe((await tokensOf(["a"]))[0]);
    expect(deriveToken("usergroup-mock", "default", 3, "a", 0)).toBe(
      "0968b76638689422be179c520f912f93a9442cba03de2640073e96e157ff5a49",
    );
  });

  it("depend on seed, world, team, id and rotations", () => {
    const parts = [
      ["seed", "world", 3, "id", 0],
      ["other", "world", 3, "id", 0],
      ["seed", "other", 3, "id", 0],
      ["seed", "world", 4, "id", 0],
      ["seed", "world", 3, "other", 0],
      ["seed", "world", 3, "id", 1],
    ] as const;
    expect(new Set(parts.map((part) => deriveToken(part[0], part[1], part[2], part[3], part[4]))).size).toBe(
      parts.length,
    );
  });

  it("change with --seed, and are unpredictable with --seed random", async () => {
    const seeds: MockOptions[] = [{}, { seed: "x" }, { seed: "random" }, { seed: "random" }];
    const tokens = await Promise.all(seeds.map((options) => tokensOf(["a"], options)));
    expect(new Set(tokens.flat()).size).toBe(4);
    expect(await tokensOf(["a"], { seed: "x" })).toEqual(tokens[1]);
  });

  it("do not repeat after export, load and further rotations", async () => {
    await using mock = await startMock();
    const before = await rotateOften(mock, await tokenOf(mock, "a"), 3);
    await mock.load(await mock.state());
    const after = await rotateOften(mock, before.at(-1), 3);
    expect(new Set([...before, ...after]).size).toBe(6 + 1);
  });

  it("do not repeat in a server that loads the state of another", async () => {
    await using exporting = await startMock();
    const before = await rotateOften(exporting, await tokenOf(exporting, "a"), 2);
    await using mock = await startMock();
    await mock.load(await exporting.state());
    const after = await rotateOften(mock, before.at(-1), 4);
    expect(new Set(after).size).toBe(4 + 1);
  });

  it("of an imported group are not given to a new group", async () => {
    await using mock = await startMock();
    const token = await tokenOf(mock, "a");
    await mock.reset();
    const { teams = [], user_groups = [] } = await mock.state();
    const imported = { team_id: 3, provided_id: "imported", name: "Imported", token };
    await mock.load({ teams, user_groups: [...user_groups, imported] });
    expect(await tokenOf(mock, "a")).not.toBe(token);
  });

  it("do not depend on rotations before a reset", async () => {
    await using mock = await startMock();
    const token = (await rotateOften(mock, await tokenOf(mock, "a"), 2)).at(-1);
    const state = await mock.state();
    await using fresh = await startMock();
    await mock.reset();
    for (const server of [mock, fresh]) await server.load(state);
    expect(await rotateOften(mock, token, 2)).toEqual(await rotateOften(fresh, token, 2));
  });

  it.each<[when: string, replace: (mock: Mock) => Promise<void>]>([
    ["a reset", (mock) => mock.reset()],
    [
      "another state was loaded",
      (mock) => mock.load({ teams: [{ team_id: 3, api_tokens: [mock.apiToken] }] }),
    ],
  ])("of the old state are unknown after %s", async (_, replace) => {
    await using mock = await startMock();
    const created = await rotateOften(mock, await tokenOf(mock, "a"), 1);
    const { token: added } = await mock.addGroup({ provided_id: "b", name: "B" });
    await replace(mock);
    for (const token of [...created, added]) {
      const { error } = (await rotate(mock.url, token)).body;
      expect(error.message).toContain("belongs to no group of this team");
    }
  });

  it("of seeded groups are valid again after a reset, and those that replaced them are not", async () => {
    await using mock = await startMock();
    const [seeded = "", replaced = ""] = await rotateOften(mock, await tokenOf(mock, "example_1"), 1);
    await mock.reset();
    expect((await rotate(mock.url, replaced)).status).toBe(404);
    expect((await rotate(mock.url, seeded)).status).toBe(200);
  });
});

const tokenOf = async ({ url }: Mock, id: string): Promise<string> =>
  (await getOrCreate(url, { user_group_id: id, name: id })).body.user_group.token;

/** The token, and those of the following rotations. */
async function rotateOften({ url }: Mock, token = "", times = 1): Promise<string[]> {
  const tokens = [token];
  for (let n = 0; n < times; n++) tokens.push((await rotate(url, tokens.at(-1) ?? "")).body.user_group.token);
  return tokens;
}

async function tokensOf(ids: readonly string[], options?: MockOptions): Promise<string[]> {
  await using mock = await startMock(options);
  const tokens = [];
  for (const id of ids)
    tokens.push((await getOrCreate(mock.url, { user_group_id: id, name: id })).body.user_group.token);
  return tokens;
}
