import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { connectMock } from "../../../src/client/connect-mock.js";
import { startMock } from "../../../src/client/start-mock.js";
import type { World } from "../../../src/client/world.js";
import type { WaitRequest } from "../../../src/generated/types.js";
import { create, getOrCreate, rotate } from "../../call.js";
import { request } from "../server/raw-table.js";
import { ownWorld } from "./own-world.js";
import { rejectionOf } from "./rejection.js";

/** How a wait ends that no request matches. */
const longWait = (world: World) => rejectionOf(world.waitForRequest({ timeoutMs: 600_000 }));

describe("waitForRequest", () => {
  const own = ownWorld();

  it("resolves with the last request once `count` requests match", async () => {
    const [two, three] = [2, 3].map((count) =>
      own.world.waitForRequest({ operation: "get-or-create", count }),
    );
    await create(own.world.url, "a");
    await rotate(own.world.url, "unheard-of");
    await create(own.world.url, "b");
    expect((await two)?.id).toBe(3);
    const early = await rejectionOf(
      own.world.waitForRequest({ operation: "get-or-create", count: 3, timeoutMs: 20 }),
    );
    expect(early.message).toContain("2 of 3 matching requests completed within 20 ms");
    await create(own.world.url, "c");
    expect((await three)?.id).toBe(4);
  });

  it.each<[wait: WaitRequest, id: number]>([
    [{ operation: "rotate" }, 2],
    [{ outcome: "failure" }, 2],
    [{ outcome: "fault" }, 3],
    [{ operation: "get-or-create", outcome: "success", match: { name: "other" } }, 4],
    [{ match: { current_token: "unheard-of" } }, 2],
    [{ match: {}, count: 4 }, 4],
  ])("finds the matching request: %j", async (wait, id) => {
    await create(own.world.url, "a");
    await rotate(own.world.url, "unheard-of");
    await own.world.fault({ status: 503 });
    await create(own.world.url, "a");
    await create(own.world.url, "other");
    expect((await own.world.waitForRequest({ ...wait, timeoutMs: 1 })).id).toBe(id);
  });

  it("finds an id that was sent as a number, as a fault does", async () => {
    await own.world.assume({ "numeric-ids": "coerced" });
    await own.world.fault({ match: { user_group_id: "7" }, status: 503 });
    await getOrCreate(own.world.url, { user_group_id: 7, name: "Seven" });
    const found = await own.world.waitForRequest({ match: { user_group_id: "7" }, timeoutMs: 1 });
    expect(found.outcome).toBe("fault");
  });

  it("does not resolve while the request is pending", async () => {
    const held = await own.world.hold();
    const pending = create(own.world.url, "a");
    await held.arrived();
    const { code } = await rejectionOf(own.world.waitForRequest({ timeoutMs: 1 }));
    expect(code).toBe("timeout");
    const waiting = own.world.waitForRequest();
    await held.release();
    expect((await waiting).response?.status).toBe(200);
    await pending;
  });

  it("counts earlier requests, in the order of their ids", async () => {
    await create(own.world.url, "first");
    const held = await own.world.hold({ match: { user_group_id: "held" } });
    const pending = create(own.world.url, "held");
    await held.arrived();
    const waiting = own.world.waitForRequest({ count: 3 });
    await create(own.world.url, "quick");
    await held.release();
    await pending;
    // The held request completes last, but it is the second one.
    expect((await waiting).id).toBe(3);
  });

  it("lists the closest requests at the timeout, with the differences", async () => {
    await create(own.world.url, "a", { properties: { n: 1 } });
    await create(own.world.url, "b");
    await rotate(own.world.url, "unheard-of");
    const { code, summary, details, message } = await rejectionOf(
      own.world.waitForRequest({
        operation: "get-or-create",
        outcome: "success",
        match: { user_group_id: "b", properties: { n: 1 } },
        timeoutMs: 5,
      }),
    );
    expect(code).toBe("timeout");
    expect(summary).toBe("0 of 1 matching request completed within 5 ms; 3 requests in total. Near misses:");
    expect(details).toEqual([
      { path: "/requests/1", message: 'user_group_id was "a", not "b"' },
      { path: "/requests/2", message: "properties was not sent" },
    ]);
    for (const detail of details) expect(message).toContain(`${detail.path}: ${detail.message}`);
  });

  it("lists no request as a near miss that matched", async () => {
    await create(own.world.url, "a");
    const wait = { match: { user_group_id: "a" }, count: 2, timeoutMs: 1 };
    const none = await rejectionOf(own.world.waitForRequest(wait));
    expect([none.summary, none.details]).toEqual([expect.not.stringContaining("Closest"), []]);
    await create(own.world.url, "b");
    const { details } = await rejectionOf(own.world.waitForRequest(wait));
    expect(details.map(({ path }) => path)).toEqual(["/requests/2"]);
  });

  it("lists at most five closest requests, the newest first", async () => {
    for (let n = 1; n <= 7; n++) await create(own.world.url, `new-${n}`);
    const { details } = await rejectionOf(
      own.world.waitForRequest({ match: { user_group_id: "new-8" }, timeoutMs: 1 }),
    );
    expect(details.map(({ path }) => path)).toEqual([7, 6, 5, 4, 3].map((id) => `/requests/${id}`));
  });

  it("reports that there were no requests", async () => {
    const { code, message } = await rejectionOf(own.world.waitForRequest({ timeoutMs: 1 }));
    expect([code, message]).toEqual(["timeout", expect.stringContaining("there were no requests")]);
    expect(message).not.toContain("Closest");
  });

  it.each<[event: string, reason: string, act: (world: World) => Promise<void>]>([
    ["reset", "the world was reset", (world) => world.reset()],
    ["dropped", "the world was dropped", (world) => world.drop()],
  ])("is aborted when the world is %s", async (_event, reason, act) => {
    const waiting = longWait(own.world);
    await act(own.world);
    const { code, message } = await waiting;
    expect([code, message]).toEqual(["aborted", expect.stringContaining(reason)]);
  });

  it("is aborted when the mock is stopped, without delaying the stop", async () => {
    const mock = await startMock();
    const world = await connectMock(mock.url);
    const waiting = longWait(world);
    // Connections are served in order: after these requests the wait has begun.
    for (let n = 0; n < 5; n++) await world.health();
    await mock.stop();
    // A stop cuts off requests that do not end in time, without a response.
    const { code, message } = await waiting;
    expect([code, message]).toEqual(["aborted", expect.stringContaining("the mock was stopped")]);
  });
});

describe("a client that disconnects before its compressed body is read", () => {
  it.each([
    ["a request that a fault delays", "GET", "/api/user", '{"user_group_id":"example_1"}'],
    ["a request without a fault", "POST", "/api/user", '{"current_token":"x"}'],
  ])("leaves no timer and no pending entry behind: %s", async (_, method, path, json) => {
    await using mock = await startMock();
    await mock.fault({ operation: "get-or-create", delayMs: 600_000, times: "always" });
    const { hostname, port } = new URL(mock.url);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const sent = request({ method, path, more: ["Content-Encoding: gzip"], body: gzipSync(json) });
    for (let n = 0; n < 40; n++) {
      const socket = connect(Number(port), hostname);
      socket.write(sent, () => socket.resetAndDestroy());
      await new Promise((resolve) => socket.once("close", resolve));
    }
    for (let n = 0; n < 20; n++) await mock.health();
    await expect.poll(() => timers() - before).toBeLessThan(10);
    await expect.poll(() => mock.requests({ outcome: "pending" })).toEqual([]);
  });
});
