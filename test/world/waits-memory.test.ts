import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { getOrCreate } from "../call.js";
import { heapInUse } from "./heap-in-use.js";
import { refusalOf } from "./refusal.js";

describe("waits", () => {
  it("do not keep requests in memory that the journal has dropped", async () => {
    await using mock = await startMock({ journalSize: 10 });
    const waiting = refusalOf(mock.waitForRequest({ count: 10, match: { name: "n" }, timeoutMs: 600_000 }));
    const properties = { padding: "x".repeat(90_000) };
    const sendOften = async (count: number) => {
      for (let n = 0; n < count; n++) {
        await getOrCreate(mock.url, { user_group_id: "a", name: "n", properties });
        // The wait would resolve with ten of them in the journal.
        for (let m = 0; m < 2; m++) await getOrCreate(mock.url, { user_group_id: "a", name: "other" });
      }
    };
    await sendOften(10);
    const before = heapInUse();
    await sendOften(100);
    expect(heapInUse() - before).toBeLessThan(4_000_000);
    await mock.reset();
    expect((await waiting).code).toBe("aborted");
  });
});
