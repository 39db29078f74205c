import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { connectMock } from "../../../../src/client/connect-mock.js";
import { startMock } from "../../../../src/client/start-mock.js";
import type { World } from "../../../../src/client/world.js";
import { call, create, rotate } from "../../../call.js";
import { seededToken } from "../../../seeded.js";
import { request } from "../../server/raw-table.js";
import { ownWorld } from "../own-world.js";
import { rejectionOf } from "../rejection.js";

/** A connection with pipelined requests for these groups. */
function sendPipelined(url: string, ...ids: string[]): Socket {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  for (const id of ids) {
    const body = JSON.stringify({ user_group_id: id, name: id });
    socket.write(request({ path: `${pathname.replace(/\/$/, "")}/api/user`, body, close: false }));
  }
  return socket;
}

describe("a hold", () => {
  const own = ownWorld();

  it("makes two rotations of one token overlap, and exactly one succeeds", async () => {
    const held = await own.world.hold({ operation: "rotate", times: 2 });
    const rotations = [rotate(own.world.url, seededToken), rotate(own.world.url, seededToken)];
    await held.arrived();
    expect(await own.world.requests({ outcome: "pending" })).toHaveLength(2);
    expect(await own.world.faults()).toMatchObject([{ fired: 2, holding: 2, active: false }]);
    await held.release();
    await held.release();
    const statuses = (await Promise.all(rotations)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 404]);
    expect(await own.world.faults()).toMatchObject([{ fired: 2, holding: 0, active: false }]);
    await held.arrived();
  });

  it("holds only matching requests", async () => {
    const held = await own.world.hold({ match: { user_group_id: "a" } });
    expect((await create(own.world.url, "b")).status).toBe(200);
    const waiting = create(own.world.url, "a");
    await held.arrived();
    expect((await create(own.world.url, "a")).body.new_user_group).toBe(true);
    await held.release();
    expect((await waiting).body.new_user_group).toBe(false);
  });

  it("is the only fault of its request: another one waits for the next request", async () => {
    const held = await own.world.hold();
    await own.world.fault({ status: 503 });
    const waiting = create(own.world.url, "a");
    await held.arrived();
    await held.release();
    expect((await waiting).status).toBe(200);
    expect(await own.world.faults()).toMatchObject([{ fired: 1 }, { fired: 0 }]);
    expect((await create(own.world.url, "a")).status).toBe(503);
  });

  it.each<[phase: "before" | "after", whileHeld: number]>([
    ["before", 5],
    ["after", 6],
  ])("holds a request %s it takes effect", async (phase, whileHeld) => {
    const held = await own.world.hold({ phase });
    const waiting = create(own.world.url, "new");
    await held.arrived();
    expect((await own.world.health()).groups).toBe(whileHeld);
    await held.release();
    expect((await waiting).body.new_user_group).toBe(true);
    expect((await own.world.health()).groups).toBe(6);
  });

  it('holds every request with times "always", until it is released', async () => {
    const held = await own.world.hold({ times: "always" });
    const waiting = ["a", "b", "c"].map((id) => create(own.world.url, id));
    await held.arrived();
    await expect.poll(() => held.fired()).toBe(3);
    await held.release();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect((await create(own.world.url, "d")).status).toBe(200);
    expect(await held.fired()).toBe(3);
  });

  it("can be released before any request, and then holds none", async () => {
    const held = await own.world.hold();
    await held.release();
    expect((await create(own.world.url, "a")).status).toBe(200);
    expect(await held.fired()).toBe(0);
  });

  it("is the only fault that can be released", async () => {
    const { id } = await own.world.fault({ delayMs: 5 });
    const release = (which: number) => call("POST", `${own.world.url}/__admin/faults/${which}/release`);
    const { status, body } = await release(id);
    expect([status, body.error.code]).toEqual([400, "not_a_hold"]);
    expect(body.error.message).toBe("Fault 1 is not a hold. Its kind is delayMs.");
    expect((await release(7)).status).toBe(404);
    const held = await own.world.hold();
    await held.remove();
    expect((await rejectionOf(held.release())).code).toBe("unknown_fault");
  });

  it.each<[how: string, act: (world: World, remove: () => Promise<void>) => Promise<void>]>([
    ["removed", (_world, remove) => remove()],
    ["cleared", (world) => world.clearFaults()],
  ])("lets held requests continue when it is %s", async (_how, act) => {
    const held = await own.world.hold({ times: 2 });
    const waiting = [create(own.world.url, "a"), create(own.world.url, "a")];
    await held.arrived();
    await act(own.world, () => held.remove());
    const responses = await Promise.all(waiting);
    expect(responses.map(({ body }) => body.new_user_group).sort()).toEqual([false, true]);
    await own.world.assertNoFailures();
  });

  it.each<[how: string, reason: string, act: (world: World) => Promise<void>]>([
    ["reset", "The world was reset", (world) => world.reset()],
    ["dropped", "The world was dropped", (world) => world.drop()],
  ])("fails held requests with 503 when the world is %s", async (_how, reason, act) => {
    const seed = await own.world.state();
    const held = await own.world.hold({ times: 2 });
    const waiting = [create(own.world.url, "a"), rotate(own.world.url, seededToken)];
    await held.arrived();
    await act(own.world);
    for (const { status, body } of await Promise.all(waiting)) {
      expect(status).toBe(503);
      expect(body).toEqual({
        success: 0,
        error: { code: "fault", message: `${reason} while fault 1 held this request.` },
      });
    }
    expect(await own.world.state()).toEqual(seed);
    expect((await create(own.world.url, "a")).body.new_user_group).toBe(true);
  });

  it("does not delay a stop of the mock, and held requests get a response", async () => {
    const mock = await startMock();
    const held = await mock.hold({ times: 10 });
    const waiting = Array.from({ length: 10 }, (_, n) => create(mock.url, `new-${n}`));
    await held.arrived();
    await mock.stop();
    // A stop cuts off requests that do not end in time, without a response.
    for (const { status, body } of await Promise.all(waiting)) {
      const { message } = body.error;
      expect([status, message]).toEqual([503, "The mock was stopped while fault 1 held this request."]);
    }
  });

  it("lets a stop respond to a pipelined request behind a finished one", async () => {
    const mock = await startMock();
    await mock.hold({ match: { user_group_id: "second" } });
    const received = text(sendPipelined(mock.url, "first", "second"));
    await expect.poll(async () => (await mock.faults())[0]?.holding).toBe(1);
    await mock.stop();
    expect((await received).match(/"success":\d/g)).toEqual(['"success":1', '"success":0']);
  });

  it("lets requests continue that still wait for `delayMs` when it is released", async () => {
    const held = await own.world.hold({ delayMs: 60_000 });
    const waiting = create(own.world.url, "a");
    await expect.poll(() => held.fired()).toBe(1);
    await held.release();
    expect((await waiting).status).toBe(200);
    expect(await own.world.faults()).toMatchObject([{ holding: 0, active: false }]);
  });

  it("completes a request whose client disconnects during `delayMs`", async () => {
    const { world } = own;
    const held = await world.hold({ delayMs: 60_000 });
    const client = sendPipelined(world.url, "a");
    await expect.poll(() => held.fired()).toBe(1);
    client.destroy();
    expect(await world.waitForRequest()).toMatchObject({ delivery: "caller-left", effect: "none" });
    expect(await world.faults()).toMatchObject([{ holding: 0, abandoned: 1 }]);
  });

  it("does not count a disconnected client twice when it retries, and does not wait for others", async () => {
    const { world } = own;
    const held = await world.hold({ times: 2 }, { timeoutMs: 600_000 });
    const first = sendPipelined(world.url, "a");
    await expect.poll(() => held.fired()).toBe(1);
    first.destroy();
    await world.waitForRequest();
    const retry = create(world.url, "a");
    const { code, message } = await rejectionOf(held.arrived());
    expect([code, message]).toEqual([
      "fault_never_fired",
      "Fault 1 held 1 of 2 requests, and is no longer active. 1 client disconnected: use a longer timeout in the client, or release the fault earlier.",
    ]);
    await held.release();
    expect((await retry).status).toBe(200);
  });

  it("does not advise a longer timeout if too few requests were sent", async () => {
    const { world } = own;
    const held = await world.hold({ times: 2 }, { timeoutMs: 50 });
    const only = sendPipelined(world.url, "a");
    await expect.poll(() => held.fired()).toBe(1);
    only.destroy();
    await world.waitForRequest();
    expect((await rejectionOf(held.arrived())).message).toBe(
      "Fault 1 held 0 of 2 requests within 50 ms. Only 1 request arrived, and 1 client disconnected.",
    );
  });

  it("completes its request when the connection is closed, and those pipelined behind it never begin", async () => {
    const { world } = own;
    await world.hold({ times: "always" });
    const client = sendPipelined(world.url, "first", "second", "third");
    await expect.poll(async () => (await world.faults())[0]?.holding).toBe(1);
    client.destroy();
    await expect.poll(async () => (await world.faults())[0]).toMatchObject({ holding: 0, abandoned: 1 });
    expect((await world.requests()).map(({ delivery }) => delivery)).toEqual(["caller-left"]);
  });

  it("rejects `arrived` when it is removed", async () => {
    const held = await own.world.hold();
    await own.world.reset();
    const { code, message } = await rejectionOf(held.arrived());
    expect([code, message]).toEqual(["unknown_fault", expect.stringContaining("removed or reset")]);
  });
});

describe("a hold over the admin API", () => {
  it("does not poll if `arrived` is not used", async () => {
    await using mock = await startMock();
    const world = await connectMock(mock.url);
    const sent: string[] = [];
    const note = (message: unknown) => {
      const { request } = Object(message);
      sent.push(`${request.method} ${request.path.replace(/.*__admin/, "")}`);
    };
    subscribe("http.client.request.start", note);
    const held = await world.hold();
    await held.release();
    await world.health();
    unsubscribe("http.client.request.start", note);
    expect(sent).toEqual(["POST /faults", "POST /faults/1/release", "GET /health"]);
  });
});
