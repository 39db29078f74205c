import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newToken, newUuid } from "../../../src/fake/service/seed.js";
import type { Fixture } from "../../../src/generated/types.js";
import { type MockOptions, startMock } from "../../../src/index.js";
import { getOrCreate, rotate } from "../../call.js";
import { rejectionOf } from "../world/rejection.js";

const teams = [{ team_id: 3, api_tokens: ["test-api-token"] }];
const group = (provided_id: string, token?: string) => ({
  team_id: 3,
  provided_id,
  name: provided_id,
  ...(token !== undefined && { token }),
});

describe("the derived token of a group whose fixture has none", () => {
  const fixtures: Fixture = { teams, user_groups: [group("a"), group("b"), group("c", "given")] };
  const tokenOf = async (id: string): Promise<string> => {
    await using mock = await startMock({ fixtures });
    return (await getOrCreate(mock.url, { user_group_id: id })).body.user_group.token;
  };

  it.each([
    ["before a group is looked up", []],
    ["when only other groups have been looked up", ["a", "c"]],
  ])("can be rotated %s", async (_, others) => {
    const token = await tokenOf("b");
    await using mock = await startMock({ fixtures });
    for (const user_group_id of others) await getOrCreate(mock.url, { user_group_id });
    expect((await rotate(mock.url, token)).body.user_group?.provided_id).toBe("b");
  });

  it("differs from a token that the fixture gives to another group", async () => {
    const taken = await tokenOf("a");
    await using mock = await startMock({
      fixtures: { teams, user_groups: [group("a"), group("thief", taken)] },
    });
    const tokens = ((await mock.state()).user_groups ?? []).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(2);
    expect((await rotate(mock.url, taken)).body.user_group.provided_id).toBe("thief");
    const { token } = (await getOrCreate(mock.url, { user_group_id: "a" })).body.user_group;
    expect((await rotate(mock.url, token)).body.user_group.provided_id).toBe("a");
  });

  it("is the next one if the fixture gives the first ones to other groups", async () => {
    const derived = (tries: number) => newToken(["fixed", "*seed*", 0, 3, "a"], tries, () => false);
    const user_groups = [group("a"), group("b", derived(0)), group("c", derived(1))];
    await using mock = await startMock({ fixtures: { teams, user_groups }, seed: "fixed" });
    expect((await mock.state()).user_groups[0]?.token).toBe(derived(2));
  });
});

describe("tokens", () => {
  it("are the same in every run, whatever the order of requests", async () => {
    expect(await tokensOf(["a", "b"])).toEqual((await tokensOf(["b", "a"])).reverse());
    // A fixed value, so that every version gives the same tokens.
    expect(await tokensOf(["a"])).toEqual([
      "6b7087987024107f200d9bf4959f351e9104999bdcb61e62ee345f9b2653044a",
    ]);
  });

  it("depend on seed, world, epoch, team, id and rotations", () => {
    const tokens = [
      newToken(["seed", "world", 1, 3, "id"], 0, () => false),
      newToken(["other", "world", 1, 3, "id"], 0, () => false),
      newToken(["seed", "other", 1, 3, "id"], 0, () => false),
      newToken(["seed", "world", 2, 3, "id"], 0, () => false),
      newToken(["seed", "world", 1, 4, "id"], 0, () => false),
      newToken(["seed", "world", 1, 3, "other"], 0, () => false),
      newToken(["seed", "world", 1, 3, "id"], 1, () => false),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("change with --seed, and are unpredictable with --seed random", async () => {
    const seeds: MockOptions[] = [{}, { seed: "x" }, { seed: "random" }, { seed: "random" }];
    const tokens = await Promise.all(seeds.map((options) => tokensOf(["a"], options)));
    expect(new Set(tokens.flat()).size).toBe(4);
    expect(await tokensOf(["a"], { seed: "x" })).toEqual(tokens[1]);
  });
});

async function tokensOf(ids: readonly string[], options?: MockOptions): Promise<string[]> {
  await using mock = await startMock(options);
  const tokens = [];
  for (const id of ids)
    tokens.push((await getOrCreate(mock.url, { user_group_id: id, name: id })).body.user_group.token);
  return tokens;
}

it("a derived UUID is the same in every run, and in every version", () => {
  expect(newUuid(["seed", "world", 1, 3, "id"])).toBe("c675a069-b0a7-81bc-a948-ca479782fbbb");
});

describe("a fixture that cannot be a seed", () => {
  it("has one problem for a group that is listed twice, and not another one for its token", async () => {
    const fixtures = { teams, user_groups: [group("a", "given"), group("a", "given")] };
    const { details } = await rejectionOf(startMock({ fixtures }));
    expect(details.map(({ path, message }) => [path, message])).toEqual([
      ["/user_groups/1", "repeats the team and provided_id of the given fixture /user_groups/0"],
    ]);
  });

  it("is rejected with at most 20 problems, and a last entry that counts the others", async () => {
    const findProblems = async (count: number) => {
      const user_groups = Array.from({ length: count }, (_, n) => ({
        team_id: 7,
        provided_id: `g${n}`,
        name: "G",
      }));
      const { code, summary, details } = await rejectionOf(startMock({ fixtures: { teams, user_groups } }));
      expect([code, summary]).toEqual([
        "invalid_fixture",
        "Invalid fixtures (node_modules/usergroup-mock/docs/options.md has an example):",
      ]);
      return details;
    };
    const place = (n: number) => ({
      file: "the given fixture",
      path: `/user_groups/${n}/team_id`,
      message: "no fixture lists team 7",
    });
    const twenty = Array.from({ length: 20 }, (_, n) => place(n));
    expect(await findProblems(20)).toEqual(twenty);
    expect(await findProblems(21)).toEqual([...twenty, { path: "", message: "and 1 more problem" }]);
    expect((await findProblems(25)).at(-1)).toEqual({ path: "", message: "and 5 more problems" });
  });
});

it("the shipped fixture, which a start does not check, can also be given as a file", async () => {
  const fixtures = fileURLToPath(new URL("../../../fixtures/default.json", import.meta.url));
  await using given = await startMock({ fixtures });
  await using shipped = await startMock();
  expect(await given.groups()).toEqual(await shipped.groups());
});
