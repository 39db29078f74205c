import { describe, expect, it } from "vitest";
import type { World } from "../../src/client/world.js";
import { create, rotate } from "../call.js";
import { type EventStream, openEvents, type StreamedEvent } from "./event-stream.js";
import { ownWorld } from "./own-world.js";

/** A short form of an event. */
function summaryOf(event: StreamedEvent): string | number {
  if (event.event === "request") return event.data.id;
  return event.event === "fault" ? `fault ${event.data.id}` : event.data.what;
}

/** All events until the journal is cleared, which a test does last. */
async function summariesUntilCleared(events: EventStream): Promise<(string | number)[]> {
  const found: (string | number)[] = [];
  for (;;) {
    const received = summaryOf(await events.next());
    if (received === "cleared") return found;
    found.push(received);
  }
}

describe("the event stream", () => {
  const own = ownWorld();

  it("sends every completed request of its world, equal to its journal entry", async () => {
    const events = await openEvents(own.world.url);
    const other = own.world.world(`${own.world.name}-other`);
    await create(other.url, "a");
    await other.drop();
    await create(own.world.url, "a");
    await rotate(own.world.url, "unheard-of");
    const received = [await events.next(), await events.next()];
    expect(received.map(({ event }) => event)).toEqual(["request", "request"]);
    expect(received.map(({ data }) => data)).toEqual(await own.world.requests());
    events.close();
  });

  it("sends faults when they are armed, fired, released and cleared", async () => {
    const events = await openEvents(own.world.url);
    await own.world.fault({ operation: "rotate", status: 503 });
    await rotate(own.world.url, "unheard-of");
    const held = await own.world.hold();
    const waiting = create(own.world.url, "a");
    await held.arrived();
    await held.release();
    await waiting;
    await own.world.clearFaults();
    const received = [];
    for (let n = 0; n < 8; n++) received.push(await events.next());
    expect(received.map(({ event, data }) => [event, data])).toMatchObject([
      ["fault", { id: 1, operation: "rotate", status: 503, fired: 0, active: true }],
      ["fault", { id: 1, fired: 1, active: false }],
      ["request", { id: 1, outcome: "fault", fault: 1 }],
      ["fault", { id: 2, hold: true, fired: 0, active: true }],
      ["fault", { id: 2, fired: 1 }],
      ["fault", { id: 2, active: false }],
      ["request", { id: 2, outcome: "success", fault: 2 }],
      ["fault", { id: 1, active: false }],
    ]);
    events.close();
  });

  it.each<[what: string, act: (world: World) => Promise<void>]>([
    ["reset", (world) => world.reset()],
    ["loaded", (world) => world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] })],
    ["cleared", (world) => world.clearRequests()],
    ["assumed", (world) => world.assume({ "old-token": "accepted" })],
    ["added", async (world) => void (await world.addGroup({ provided_id: "x", name: "X" }))],
  ])("sends a change event: %s", async (what, act) => {
    const events = await openEvents(own.world.url);
    await act(own.world);
    expect(await events.next()).toEqual({ event: "change", data: { what } });
    events.close();
  });

  it("continues over a reset, without requests that began before it", async () => {
    const held = await own.world.hold({ times: 2 });
    const waiting = [create(own.world.url, "a"), create(own.world.url, "b")];
    await held.arrived();
    const events = await openEvents(own.world.url);
    await own.world.reset();
    await Promise.all(waiting);
    await create(own.world.url, "later");
    await own.world.clearRequests();
    expect(await summariesUntilCleared(events)).toEqual(["reset", 1]);
    events.close();
  });

  it("creates no world, and has the first request to one that did not exist", async () => {
    const events = await openEvents(own.world.url);
    expect((await own.mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
    await create(own.world.url, "a");
    expect((await events.next()).data).toEqual((await own.world.requests())[0]);
    events.close();
  });

  it("ends when its world is dropped", async () => {
    await own.world.reset();
    const events = await openEvents(own.world.url);
    await own.world.drop();
    await events.ended;
    expect((await events.next()).data).toEqual({ what: "dropped" });
    await expect(events.next()).rejects.toThrowError("the stream has ended");
  });
});
