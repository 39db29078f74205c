import { expect, it, vi } from "vitest";
import { makeWorld } from "../../src/client/make-world.js";
import { startMock } from "../../src/client/start-mock.js";
import type { AdminClient } from "../../src/fake/contract/admin-calls.js";
import { MockError } from "../../src/fake/contract/mock-error.js";
import { create } from "../call.js";
import { rejectionOf } from "../fake/world/rejection.js";
import { patience } from "../patience.js";

// The clock cannot be faked, so these tests run at the same time.
it.concurrent("a wait ends after four seconds by default", async () => {
  await using mock = await startMock();
  const began = performance.now();
  const { summary } = await rejectionOf(mock.waitForRequest());
  expect(summary).toContain("0 of 1 matching request completed within 4000 ms");
  expect(performance.now() - began).toBeGreaterThan(3_990);
});

it.concurrent("`arrived` of a hold rejects after four seconds by default", async () => {
  await using mock = await startMock();
  const held = await mock.hold({ times: 2 });
  const waiting = create(mock.url, "a");
  await vi.waitUntil(async () => (await held.fired()) === 1, patience);
  const { code, message } = await rejectionOf(held.arrived());
  expect([code, message]).toEqual(["timeout", "Fault 1 held 1 of 2 requests within 4000 ms."]);
  await held.release();
  await waiting;
});

it.concurrent("`arrived` of a hold accepts a timeout", async () => {
  await using mock = await startMock();
  const held = await mock.hold({ operation: "rotate" }, { timeoutMs: 20 });
  expect((await rejectionOf(held.arrived())).message).toBe("Fault 1 held 0 of 1 request within 20 ms.");
  for (const timeoutMs of [0, Number.NaN, 600_001, "20" as never])
    expect((await rejectionOf(mock.hold({}, { timeoutMs }))).message).toBe(
      "timeoutMs must be a number from 1 to 600000.",
    );
  expect(await mock.faults()).toHaveLength(1);
});

/** How long waits take in a world whose test times out after so many milliseconds. */
async function defaultsOf(testTimeoutMs: number, give: number | undefined = undefined) {
  await using mock = await startMock();
  const world = mock.world("w", { testTimeoutMs });
  const wait = give === undefined ? {} : { timeoutMs: give };
  const { summary } = await rejectionOf(world.waitForRequest(wait));
  const held = await world.hold();
  const { message } = await rejectionOf(held.arrived());
  return [summary, message].map((text) => Number(/within (\d+) ms/.exec(text)?.[1]));
}

it.concurrent("waits end 500 ms before the timeout of the test", async () => {
  const [wait = 0, arrived = 0] = await defaultsOf(1_600);
  expect(wait).toBeLessThanOrEqual(1_100);
  expect(wait).toBeGreaterThan(550);
  // The first wait has used most of the time, but its timer may end a little early: the second one gets half of the rest.
  expect(arrived).toBeLessThanOrEqual(255);
});

/** How long a wait would take in a world whose test times out after so many milliseconds. */
async function longWaitOf(testTimeoutMs: number): Promise<number> {
  const client: AdminClient = async (_id, { body }) => {
    throw new MockError("timeout", JSON.stringify(body));
  };
  const server = {
    url: "http://127.0.0.1:1",
    apiToken: () => "",
    report: async () => [],
    client: () => client,
    tests: new Map(),
  };
  const world = makeWorld(server, "w", { testTimeoutMs });
  return JSON.parse((await rejectionOf(world.waitForRequest())).message).timeoutMs;
}

it("a wait uses all of a long timeout but 500 ms", async () => {
  const timeoutMs = await longWaitOf(300_000);
  expect(timeoutMs).toBeLessThanOrEqual(299_500);
  // A slow machine may have used some of it.
  expect(timeoutMs).toBeGreaterThan(200_000);
});

it("a wait takes no longer than a mock accepts", async () => {
  expect(await longWaitOf(3_600_000)).toBe(600_000);
});

it("a wait takes the default time in a test that has no timeout", async () => {
  expect(await longWaitOf(Number.POSITIVE_INFINITY)).toBe(4_000);
});

it.concurrent("waits keep an explicit timeout, and use the default one after the timeout of the test", async () => {
  expect((await defaultsOf(50, 60)).map(Math.round)).toEqual([60, 4_000]);
});
