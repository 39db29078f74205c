import { describe, expect, it } from "vitest";
import type { MockError } from "../../src/foundation/mock-error.js";
import type { MockOptions } from "../../src/generated/types.js";
import { startServer } from "../../src/mock/start-server.js";
import type { Mock, World } from "../../src/mock/world.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { Budget } from "../../src/world/budget.js";
import { call, create, getOrCreate } from "../call.js";
import { bothWays } from "./both-ways.js";
import { refusalOf } from "./refusal.js";

/** A mock that keeps a hundredth of what others keep, so that a test can fill it. */
async function startSmall(options: MockOptions = {}): Promise<Mock> {
  const settings = await resolveOptions([{ place: "startMock", options: { ...options } }], "embedded");
  return (await startServer(settings, undefined, undefined, new Budget(5_000_000, 2_000_000))).mock;
}

it("all worlds of a server keep 500 MB at most, and their journals 200 MB", () => {
  const budget = new Budget();
  expect([budget.take(500_000_000), budget.take(1)]).toEqual([true, false]);
  budget.journals = 200_000_000;
  expect(budget.hasTooManyJournals).toBe(false);
  budget.journals++;
  expect(budget.hasTooManyJournals).toBe(true);
});

const state = (name: string) => ({
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: [{ team_id: 3, provided_id: "a", name }],
});

describe("what all worlds of a server keep together", () => {
  it("is bounded in bytes: states, snapshots and groups alike", async () => {
    await using mock = await startSmall();
    const long = "x".repeat(90_000);
    const loaded: string[] = [];
    const refusal = await refusalOf(
      (async () => {
        for (let n = 0; n < 100; n++) {
          await mock.world(`w${n}`).load(state(long));
          loaded.push(`w${n}`);
        }
      })(),
    );
    expect([refusal.code, refusal.message]).toEqual(["too_many_bytes", expect.stringContaining("500 MB")]);
    expect(loaded.length).toBeGreaterThan(20);
    // A world that was refused is as it was before.
    expect((await mock.world(`w${loaded.length}`).state()).user_groups).toHaveLength(5);
    expect((await refusalOf(mock.world("w0").snapshot())).code).toBe("too_many_snapshots");
    const answers = [];
    for (let n = 0; n < 3; n++)
      answers.push(await getOrCreate(mock.url, { user_group_id: `new-${n}`, name: long }));
    const { status, body } = answers.at(-1) ?? expect.fail();
    expect([status, body.error.code]).toEqual([413, "payload_too_large"]);
    expect(body.error.message).toContain("500 MB");
    const created = answers.filter((answer) => answer.status === 200).length;
    expect((await mock.health()).groups).toBe(5 + created);
    // Looking up what exists needs no room.
    expect((await getOrCreate(mock.url, { user_group_id: "example_1" })).status).toBe(200);
    // What is reset or dropped makes room again.
    await mock.world("w0").reset();
    await mock.world("w1").drop();
    expect((await getOrCreate(mock.url, { user_group_id: "new", name: "New" })).status).toBe(200);
    await mock.world("w0").load(state(long));
    await call("DELETE", `${mock.url}/__admin/worlds`);
    for (let n = 0; n < 20; n++) await mock.world(`w${n}`).load(state(long));
  });

  it("is given back by a world that loads, restores and forgets again and again", async () => {
    await using mock = await startSmall();
    const long = "x".repeat(50_000);
    for (let n = 0; n < 120; n++) {
      await mock.load(state(long));
      const kept = await mock.snapshot();
      await mock.restore(kept);
      await mock.forget(kept);
    }
    await mock.reset();
    for (let n = 0; n < 120; n++) {
      await create(mock.url, `group-${n}`, { name: long });
      await mock.reset();
    }
  });

  it("counts what waits are for, until they end", async () => {
    await using mock = await startSmall();
    const wait = (timeoutMs: number) =>
      refusalOf(mock.waitForRequest({ match: { name: "x".repeat(9_000) }, timeoutMs }));
    const waiting = Array.from({ length: 80 }, () => wait(600_000));
    const refused = await Promise.race(waiting);
    expect([refused.code, refused.message]).toEqual(["too_many_waits", expect.stringContaining("500 MB")]);
    await mock.reset();
    const codes = (await Promise.all(waiting)).map(({ code }) => code);
    expect(codes.filter((code) => code === "let_go").length).toBeGreaterThan(50);
    for (let n = 0; n < 80; n++) expect((await wait(1)).code).toBe("timeout");
  });

  it("counts the journals, whose oldest calls make room", async () => {
    await using mock = await startSmall();
    const properties = { long: "x".repeat(70_000) };
    for (let n = 0; n < 40; n++) {
      const { status } = await getOrCreate(mock.world(`w${n}`).url, {
        user_group_id: "example_1",
        properties,
      });
      expect(status).toBe(200);
      await getOrCreate(mock.world(`w${n}`).url, { user_group_id: "example_1" });
    }
    const first = await mock.world("w0").requests();
    const last = await call("GET", `${mock.url}/worlds/w39/__admin/requests`);
    expect(first).toHaveLength(2);
    // The newest call is always kept.
    expect([last.body.requests.length, last.body.dropped]).toEqual([1, 1]);
  });
});

describe("faults", () => {
  it("count among what all worlds keep, and no longer once they are removed", async () => {
    await using mock = await startSmall();
    const rule = { status: 503, text: "x".repeat(9_000) } as const;
    const arm = async (name: string) => {
      try {
        await mock.world(name).fault(rule);
        return undefined;
      } catch (error) {
        return (error as MockError).code;
      }
    };
    let refused: string | undefined;
    let worlds = 0;
    while (refused === undefined && worlds < 300) refused = await arm(`w${worlds++}`);
    expect(refused).toBe("too_many_bytes");
    await mock.world("w0").clearFaults();
    await mock.world("w1").reset();
    expect([await arm("again"), await arm("once-more")]).toEqual([undefined, undefined]);
    expect(await arm("too-many")).toBe("too_many_bytes");
  });
});

describe("a snapshot", () => {
  it.each<[what: string, fill: (world: World) => Promise<unknown>, fits: number]>([
    [
      "states that were loaded",
      (world) => {
        const groups = Array.from({ length: 1_000 }, (_, n) => ({
          team_id: 3,
          provided_id: `${n}`,
          name: "n",
        }));
        return world.load({ teams: [{ team_id: 3, api_tokens: ["test-api-token"] }], user_groups: groups });
      },
      9,
    ],
    ["faults", (world) => world.fault({ status: 503, body: "x".repeat(9_000) }), 14],
  ])("is refused when they all would keep too much of %s", async (_what, fill, fits) => {
    await using mock = await startSmall();
    let taken = 0;
    const take = async () => {
      await fill(mock);
      if (taken % 10 === 9) await mock.clearFaults();
      await mock.snapshot();
      taken++;
    };
    const refusal = await refusalOf(
      (async () => {
        for (;;) await take();
      })(),
    );
    expect(["too_many_snapshots", "too_many_bytes"]).toContain(refusal.code);
    expect(taken).toBeGreaterThanOrEqual(fits);
    expect(taken).toBeLessThan(200);
  });

  it.each(bothWays)("is refused when they all would keep too much, steered by %s", async (_, steer) => {
    await using mock = await startSmall();
    for (let n = 0; n < 20; n++) await create(mock.url, `${n}`);
    const taken = [];
    // About 12 kB each.
    for (let n = 0; n < 300; n++) taken.push(await mock.snapshot());
    const refusal = await refusalOf(
      (async () => {
        for (let n = 0; n < 200; n++) await mock.snapshot();
      })(),
    );
    expect([refusal.code, refusal.message]).toEqual([
      "too_many_snapshots",
      expect.stringContaining("500 MB"),
    ]);
    const world = await steer(mock);
    await world.forget(taken[0] ?? expect.fail());
    await world.snapshot();
  });
});
