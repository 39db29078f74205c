import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/client/start-mock.js";
import type { TestSummary } from "../../../src/generated/types.js";
import { call, create, rotate } from "../../call.js";

/** Waits for the next millisecond: the list is in the order of time. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now);
}

describe("the list of tests", () => {
  it("has every epoch of every world, the newest first", async () => {
    await using mock = await startMock();
    const [early, late] = [mock.world("early"), mock.world("late")];
    await nextMillisecond();
    await create(early.url, "a");
    await rotate(early.url, "unknown");
    await nextMillisecond();
    await create(late.url, "a");
    await nextMillisecond();
    await early.reset({ label: "the second test" });
    await late.drop();
    const { tests } = (await call("GET", `${mock.url}/__admin/tests`)).body;
    const rows = tests.map(({ world, epoch, label, state, requests, failures }: TestSummary) => {
      return [world, epoch, label, state, requests, failures];
    });
    expect(rows).toEqual([
      ["early", 2, "the second test", "current", 0, 0],
      ["late", 1, undefined, "dropped", 1, 0],
      ["early", 1, undefined, "past", 2, 1],
      ["default", 1, undefined, "current", 0, 0],
    ]);
    const [current, , past] = tests;
    expect(Date.parse(past.startedAt)).toBeLessThan(Date.parse(past.endedAt));
    expect(current).not.toHaveProperty("endedAt");
  });

  it("has when the last request of each began", async () => {
    await using mock = await startMock();
    await create(mock.url);
    await nextMillisecond();
    await rotate(mock.url, "unknown");
    const last = (await mock.requests()).at(-1)?.at;
    await mock.reset();
    const { tests } = (await call("GET", `${mock.url}/__admin/tests`)).body;
    expect(tests.map(({ lastRequestAt }: TestSummary) => lastRequestAt)).toEqual([undefined, last]);
    await create(mock.url);
    await mock.clearRequests();
    const [current] = (await call("GET", `${mock.url}/__admin/tests`)).body.tests;
    expect(current).not.toHaveProperty("lastRequestAt");
  });

  it("does not count responses that a fault replaced as failures, and creates no world", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    await create(mock.url);
    const { tests } = (await call("GET", `${mock.url}/worlds/w9/__admin/tests`)).body;
    expect(tests).toMatchObject([{ world: "default", requests: 1, failures: 0 }]);
  });
});
