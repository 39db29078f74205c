import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { call, create, getOrCreate } from "../call.js";
import { request } from "../fake/server/raw-table.js";
import { patience } from "../patience.js";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Everything that vitest can fake, except what HTTP needs. */
const fake = () =>
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "setImmediate", "Date", "performance"],
  });

describe("under fake timers", () => {
  it("a mock stops while a request is in flight", async () => {
    const mock = await startMock();
    fake();
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(request({ length: ["Content-Length: 100"], body: "{" }));
    await vi.waitUntil(async () => (await mock.requests({ outcome: "pending" })).length === 1, patience);
    await mock.stop();
    socket.destroy();
  });

  it("delay, hold and wait use real time", async () => {
    await using mock = await startMock();
    fake();
    await mock.fault({ delayMs: 20 });
    expect((await create(mock.url, "delayed")).status).toBe(200);
    const held = await mock.hold();
    const waiting = getOrCreate(mock.url, { user_group_id: "held", name: "Held" });
    await held.arrived();
    await held.release();
    expect((await waiting).status).toBe(200);
    await expect(mock.waitForRequest({ count: 9, timeoutMs: 20 })).rejects.toThrow("within 20 ms");
  });

  it.each(["/health", "/requests/%zz", "/absent"])("the admin API responds to %s", async (path) => {
    await using mock = await startMock();
    fake();
    const { status } = await call("GET", `${mock.url}/__admin${path}`);
    expect(status).toBeLessThan(500);
  });

  it("the journal shows the real time, whatever Date.now returns", async () => {
    await using mock = await startMock();
    const began = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(Number.NaN);
    await create(mock.url, "a");
    const [entry] = await mock.requests();
    expect(Math.abs(new Date(entry?.at ?? "").getTime() - began)).toBeLessThan(60_000);
  });
});
