import { describe, expect, it } from "vitest";
import { type Mock, startMock, type World } from "../../../src/index.js";
import { create, rotate } from "../../call.js";
import { startWithin } from "./start-within.js";

const tokenOf = async ({ url }: Pick<World, "url">, id = "acme"): Promise<string> =>
  (await create(url, id)).body.user_group.token;

/** The failure of a rotation. */
async function rejection({ url }: World, token: string) {
  const { status, body } = await rotate(url, token);
  return [status, body.error?.code, body.error?.message];
}

const stale = [
  404,
  "unknown_token",
  "The current_token was issued before the last reset. Look the group up to get its new token.",
];

describe("a token from before a reset", () => {
  it("is rejected, with a cause that says so", async () => {
    await using mock = await startMock();
    const created = await tokenOf(mock);
    const rotated = (await rotate(mock.url, created)).body.user_group.token;
    const added = (await mock.addGroup({ provided_id: "added", name: "Added" })).token;
    await mock.reset();
    // The next test gets the same groups, with other tokens.
    const issued = [await tokenOf(mock), await tokenOf(mock, "added")];
    for (const token of [created, rotated, added]) {
      expect(issued).not.toContain(token);
      expect(await rejection(mock, token)).toEqual(stale);
    }
    const causes = (await mock.requests({ outcome: "failure" })).map(({ cause }) => cause);
    expect(causes.map((cause) => [cause?.code, cause?.message])).toEqual(Array(3).fill(stale.slice(1)));
  });
});

describe("the tokens from before a reset that are recognised", () => {
  it("are the last 1,000 of their epoch", async () => {
    await using mock = await startMock();
    await mock.reset({ label: "issues many tokens" });
    const tokens: string[] = [];
    for (let n = 0; n < 1_001; n++)
      tokens.push((await mock.addGroup({ provided_id: `${n}`, name: `${n}` })).token);
    await mock.reset();
    const [evicted = "", kept = ""] = tokens;
    expect((await rejection(mock, evicted))[2]).toContain("belongs to no group of this team");
    expect(await rejection(mock, kept)).toEqual(stale);
  });
});

describe("a token of another test's world that is gone", () => {
  it("is rejected with a remark that names the world", async () => {
    await using mock = await startMock();
    const other = mock.world("first-test");
    const token = await tokenOf(other);
    await other.drop();
    const own = mock.world("second-test");
    expect(await rejection(own, token)).toEqual([404, "unknown_token", expect.anything()]);
    const notes = (await own.requests()).map((entry) => entry.notes);
    expect(notes).toEqual([
      [
        "current_token is from the world first-test, which was reset or dropped since; clear your program's cache",
      ],
    ]);
  });
});

describe("tokens of a world that is reset", () => {
  it("stay as they are for groups of the seed, of a load and of an added group with a token", async () => {
    await using mock = await startMock();
    const seeded = await mock.state();
    const loaded = { team_id: 3, provided_id: "loaded", name: "Loaded" };
    const tokens = async () => {
      await mock.load({ ...seeded, user_groups: [...seeded.user_groups, loaded] });
      await mock.addGroup({ provided_id: "given", name: "Given", token: "my-token" });
      return (await mock.groups()).map(({ token }) => token);
    };
    const before = await tokens();
    await mock.reset();
    expect(await mock.state()).toEqual(seeded);
    expect(await tokens()).toEqual(before);
    expect((await rotate(mock.url, "my-token")).status).toBe(200);
  });

  it("are the same on every new server, after the same number of resets", async () => {
    const tokens = async () => {
      await using mock = await startMock();
      const own = mock.world("own");
      const found = [await tokenOf(own)];
      await own.reset();
      found.push(await tokenOf(own), await tokenOf(mock));
      return found;
    };
    const found = await tokens();
    expect(new Set(found).size).toBe(3);
    expect(await tokens()).toEqual(found);
  });

  it("do not repeat if the world is dropped and used again", async () => {
    await using mock = await startMock();
    const own = mock.world("own");
    const tokens = [];
    for (let n = 0; n < 3; n++) {
      tokens.push(await tokenOf(own), await tokenOf(mock));
      await own.drop();
      await mock.drop();
    }
    expect(new Set(tokens).size).toBe(6);
    expect(await rejection(own, tokens[0] ?? "")).toEqual(stale);
  });

  it("do not depend on what happens to other worlds", async () => {
    const tokens = async (disturb: (mock: Mock) => Promise<void>) => {
      await using mock = await startMock();
      const own = mock.world("own");
      const found = [await tokenOf(own)];
      await disturb(mock);
      await own.reset();
      found.push(await tokenOf(own));
      await own.drop();
      await disturb(mock);
      return [...found, await tokenOf(own), await tokenOf(mock.world("new"))];
    };
    const others = async (mock: Mock) => {
      for (const name of ["a", "b", "a"]) {
        await tokenOf(mock.world(name));
        await mock.world(name).reset();
        await mock.world(name).drop();
      }
    };
    expect(await tokens(others)).toEqual(await tokens(async () => {}));
  });

  it("do not depend on the history, and neither repeat nor change when it is evicted", async () => {
    const tokens = async (journalSize: number) => {
      await using mock = await startMock({ journalSize });
      const own = mock.world("own");
      const found: string[] = [];
      for (const end of ["reset", "drop", "reset", "drop"] as const) {
        found.push(await tokenOf(own), await tokenOf(own, "another"));
        await own[end]();
      }
      return { found, kept: (await own.history()).length, cause: await rejection(own, found[0] ?? "") };
    };
    const [evicted, complete] = [await tokens(1), await tokens(1_000)];
    expect([evicted.kept, complete.kept]).toEqual([1, 4]);
    expect(evicted.found).toEqual(complete.found);
    expect(new Set(evicted.found).size).toBe(8);
    // The history no longer knows it.
    expect(evicted.cause[2]).toContain("belongs to no group of this team");
    expect(complete.cause).toEqual(stale);
  });

  it("do not repeat if the memory of all journals has evicted every history", async () => {
    await using mock = await startWithin(20_000);
    const own = mock.world("own");
    const before = await tokenOf(own);
    await own.drop();
    for (let n = 0; n < 50; n++) await create(mock.url, `other-${n}`);
    expect(await own.history()).toEqual([]);
    expect(await tokenOf(own)).not.toBe(before);
  });
});
