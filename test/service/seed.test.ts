import { describe, expect, it } from "vitest";
import type { Fixture } from "../../src/generated/types.js";
import { startMock } from "../../src/index.js";
import { deriveToken } from "../../src/service/tokens.js";
import { getOrCreate, rotate } from "../call.js";

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
    const derived = (tries: number) => deriveToken("fixed", "*seed*", 3, "a", tries);
    const user_groups = [group("a"), group("b", derived(0)), group("c", derived(1))];
    await using mock = await startMock({ fixtures: { teams, user_groups }, seed: "fixed" });
    expect((await mock.state()).user_groups[0]?.token).toBe(derived(2));
  });
});
