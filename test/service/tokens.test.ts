import { describe, expect, it } from "vitest";
import { type MockOptions, startMock } from "../../src/index.js";
import { deriveToken } from "../../src/service/tokens.js";
import { getOrCreate } from "../call.js";

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
});

async function tokensOf(ids: readonly string[], options?: MockOptions): Promise<string[]> {
  await using mock = await startMock(options);
  const tokens = [];
  for (const id of ids)
    tokens.push((await getOrCreate(mock.url, { user_group_id: id, name: id })).body.user_group.token);
  return tokens;
}
