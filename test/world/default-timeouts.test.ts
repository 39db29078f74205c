import { expect, it, vi } from "vitest";
import { startMock } from "../../src/mock/start-mock.js";
import { create } from "../call.js";
import { refusalOf } from "./refusal.js";

// Nobody can fake these five seconds, so both tests take them at the same time.
it.concurrent("a wait that does not say how long ends after five seconds", async () => {
  await using mock = await startMock();
  const began = performance.now();
  const { summary } = await refusalOf(mock.waitForRequest());
  expect(summary).toContain("0 of 1 matching calls were answered within 5000 ms");
  expect(performance.now() - began).toBeGreaterThan(4_990);
});

it.concurrent("a hold that too few calls come to says so after five seconds", async () => {
  await using mock = await startMock();
  const held = await mock.hold({ times: 2 });
  const waiting = create(mock.url, "a");
  await vi.waitUntil(async () => (await held.fired) === 1, 30_000);
  const { code, message } = await refusalOf(held.arrived);
  expect([code, message]).toEqual(["timeout", "1 of 2 calls came to fault 1 within 5000 ms."]);
  await held.release();
  await waiting;
});
