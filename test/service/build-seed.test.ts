import { describe, expect, it } from "vitest";
import { checkFixture } from "../../src/contract/fixtures.js";
import { loadSchemas } from "../../src/contract/schemas.js";
import type { Fixture } from "../../src/generated/types.js";
import { startMock } from "../../src/index.js";
import { buildSeed } from "../../src/service/build-seed.js";
import { deriveToken } from "../../src/service/tokens.js";
import { getOrCreate, rotate } from "../call.js";
import { rejectionOf } from "../world/rejection.js";

const teams = [
  { team_id: 3, api_tokens: ["test-api-token"] },
  { team_id: 4, api_tokens: ["other-api-token"] },
];
const group = (team_id: number, provided_id: string, token?: string) => ({
  team_id,
  provided_id,
  name: provided_id,
  ...(token !== undefined && { token }),
});

describe("the derived token of a group whose fixture has none", () => {
  const fixtures: Fixture = { teams, user_groups: [group(3, "a"), group(3, "b"), group(3, "c", "given")] };
  const tokenOf = async (id: string): Promise<string> => {
    await using mock = await startMock({ fixtures });
    return (await getOrCreate(mock.url, { user_group_id: id })).body.user_group.token;
  };

  it("can be rotated before the group is looked up", async () => {
    const token = await tokenOf("b");
    await using mock = await startMock({ fixtures });
    const { status, body } = await rotate(mock.url, token);
    expect([status, body.user_group.provided_id]).toEqual([200, "b"]);
  });

  it("can be rotated when only other groups have been looked up", async () => {
    const token = await tokenOf("b");
    await using mock = await startMock({ fixtures });
    await getOrCreate(mock.url, { user_group_id: "a" });
    await rotate(mock.url, "given");
    expect((await rotate(mock.url, token)).body.user_group?.provided_id).toBe("b");
  });

  it("differs from a token that the fixture gives to another group", async () => {
    const taken = await tokenOf("a");
    await using mock = await startMock({
      fixtures: { teams, user_groups: [group(3, "a"), group(3, "thief", taken)] },
    });
    const tokens = ((await mock.state()).user_groups ?? []).map(({ token }) => token);
    expect(new Set(tokens).size).toBe(2);
    expect((await rotate(mock.url, taken)).body.user_group.provided_id).toBe("thief");
    const { token } = (await getOrCreate(mock.url, { user_group_id: "a" })).body.user_group;
    expect((await rotate(mock.url, token)).body.user_group.provided_id).toBe("a");
  });
});

describe("a fixture with a repeated value", () => {
  it("is rejected with the place of the first of the two groups or tokens", async () => {
    const user_groups = [group(4, "a"), group(3, "a"), group(3, "a"), group(3, "b", "t"), group(3, "c", "t")];
    const { details } = await rejectionOf(startMock({ fixtures: { teams, user_groups } }));
    expect(details.map(({ path, message }) => [path, message])).toEqual([
      ["/user_groups/2", expect.stringMatching(/^repeats the team and provided_id of .* \/user_groups\/1$/)],
      ["/user_groups/4/token", expect.stringMatching(/^repeats the token of .* \/user_groups\/3$/)],
    ]);
  });
});

describe("a look-up of an existing group", () => {
  it("adds no note if the fields sent are those of the group", async () => {
    await using mock = await startMock();
    const same = {
      user_group_id: "a",
      name: "A",
      mapping: { "1": "2" },
      properties: { x: [1, { y: null }] },
    };
    await getOrCreate(mock.url, same);
    await getOrCreate(mock.url, same);
    await getOrCreate(mock.url, { user_group_id: "a" });
    await getOrCreate(mock.url, { ...same, properties: { x: [1] } });
    expect((await mock.requests()).map(({ notes }) => notes.length)).toEqual([0, 0, 0, 1]);
  });
});

describe("Seed", () => {
  const seedOf = async (fixture: Fixture) => buildSeed(checkFixture(fixture, await loadSchemas()), "fixed");

  it("derives the next token if a fixture gives the first one to another group", async () => {
    const derived = (tries: number) => deriveToken("fixed", "*seed*", 3, "a", tries);
    const seed = await seedOf({
      teams,
      user_groups: [group(3, "a"), group(3, "b", derived(0)), group(3, "c", derived(1))],
    });
    expect(seed.get(3, "a")?.token).toBe(derived(2));
  });

  it("is rejected with at most 20 problems, and a last entry that counts the others", async () => {
    const findProblems = async (count: number) => {
      const user_groups = Array.from({ length: count }, (_, n) => group(7, `g${n}`));
      const { code, summary, details } = await rejectionOf(seedOf({ teams, user_groups }));
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
