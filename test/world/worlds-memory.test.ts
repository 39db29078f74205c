import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Fixture } from "../../src/generated/types.js";
import { draws } from "../long.js";
import { heapInUse } from "./heap-in-use.js";
import { refusalOf } from "./refusal.js";

const seeded = 2_000;
const fixture: Fixture = {
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: Array.from({ length: seeded }, (_, n) => ({
    team_id: 3,
    provided_id: `group-${n}`,
    name: `Group ${n}`,
    properties: { padding: "x".repeat(100) },
  })),
};

const count = draws(2_000, 10_000);

describe("the memory of thousands of worlds", () => {
  it("contains only what differs from the seed, and is freed when they are dropped", {
    timeout: 60_000,
  }, async () => {
    await using mock = await startMock({ fixtures: fixture, maxWorlds: count });
    await mock.world("warm-up").health();
    const before = heapInUse();
    for (let n = 1; n < count; n++) {
      const world = mock.world(`world-${n}`);
      await world.assume({ "old-token": "accepted" });
      await world.fault({ status: 503 });
    }
    const perWorld = (heapInUse() - before) / count;
    // A copy of the seed would take about 500 kB per world.
    expect(perWorld).toBeLessThan(8_000);
    expect((await mock.world(`world-${count - 1}`).health()).groups).toBe(seeded);
    const { code, message } = await refusalOf(mock.world("one-more").reset());
    expect([code, message]).toEqual(["too_many_worlds", expect.stringContaining(`${count} worlds`)]);
    for (const { name } of await mock.worlds()) await mock.world(name).drop();
    expect(heapInUse() - before).toBeLessThan(5_000_000);
  });
});
