import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { Fixture } from "../../../src/generated/types.js";
import { create } from "../../call.js";
import { heapInUse } from "../heap-in-use.js";

/** About 2 MB. */
const fixture: Fixture = {
  teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
  user_groups: Array.from({ length: 5_000 }, (_, n) => ({
    team_id: 3,
    provided_id: `group-${n}`,
    name: `Group ${n}`,
    properties: { padding: `${n}`.repeat(50) },
  })),
};

describe("the history", () => {
  it("keeps journals of past epochs, but neither groups nor faults", { timeout: 60_000 }, async () => {
    await using mock = await startMock();
    const live = async (label: string) => {
      await mock.load(fixture);
      await mock.fault({ status: 503, text: `${label} ${"x".repeat(500_000)}`, skip: 1 });
      await create(mock.url, "a");
      await mock.reset({ label });
    };
    await live("warm-up");
    const before = heapInUse();
    for (let n = 1; n <= 10; n++) await live(`test ${n}`);
    expect(heapInUse() - before).toBeLessThan(4_000_000);
    expect(await mock.history()).toHaveLength(11);
  });
});
