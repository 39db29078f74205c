import { beforeEach, describe, expect, it } from "vitest";
import type { Effect } from "../../src/generated/types.js";
import type { WorldEvent } from "../../src/world/events.js";
import type { HostedWorld } from "../../src/world/hosted-world.js";
import type { Delivered } from "../../src/world/planned-response.js";
import {
  addEntry,
  adminInProcess,
  failed,
  openEntry,
  succeeded,
  whole,
  worldsInProcess,
} from "./in-process.js";
import { refusalOf } from "./refusal.js";

let world: HostedWorld;
let admin: Awaited<ReturnType<typeof adminInProcess>>;
let events: WorldEvent[];
beforeEach(async () => {
  const worlds = await worldsInProcess();
  world = worlds.enter("a");
  admin = await adminInProcess(worlds);
  events = [];
  world.events.listen({ notify: (event) => events.push(event), end: () => {} });
});

const changes = () => events.map((event) => (event.type === "change" ? event.what : event.type));

async function rejectionOf(act: () => unknown): Promise<[code: string, message: string]> {
  const { code, message } = await refusalOf((async () => act())());
  return [code, message];
}

const fixture = (id: string) => ({
  teams: [{ team_id: 9, api_tokens: ["nine"] }],
  user_groups: [{ team_id: 9, provided_id: id, name: id, token: `token of ${id}` }],
});

const invalidRequest = "Invalid request:";

describe("HostedWorld", () => {
  it("emits an event for every change", async () => {
    world.addGroup({ provided_id: "x", name: "x" });
    world.assume({ "old-token": "accepted" });
    const { id } = world.takeSnapshot();
    world.clearRequests();
    world.load(fixture("a"));
    world.restore(id);
    world.reset({});
    addEntry(world.epoch.journal);
    world.epoch.faults.arm({ status: 503 });
    expect(changes()).toEqual([
      ...["added", "assumed", "cleared", "loaded", "restored", "reset"],
      ...["request", "fault"],
    ]);
  });

  it("emits no events of requests that end after a reset", () => {
    const { journal } = world.epoch;
    const late = openEntry(journal);
    world.reset({});
    journal.close(late, succeeded, whole());
    expect(changes()).toEqual(["reset"]);
  });

  it("has a new epoch id after each reset", () => {
    const { id } = world.epoch;
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    world.reset({});
    expect(world.epoch.id).not.toBe(id);
  });

  it("accepts labels of 1,000 characters", async () => {
    const label = "x".repeat(1_000);
    world.reset({ label });
    expect([world.epoch.number, world.epoch.label]).toEqual([2, label]);
    const { code, summary, details } = await refusalOf(admin("reset", { body: { label: `${label}x` } }));
    expect([code, summary, details]).toEqual([
      "invalid_request",
      "Invalid request:",
      [{ path: "/label", message: "must be at most 1000 characters" }],
    ]);
    expect(world.epoch.number).toBe(2);
  });

  it.each<[what: string, act: () => Promise<unknown>, code: string, summary: string]>([
    ["a reset", () => admin("reset", { body: { lable: "x" } }), "invalid_request", invalidRequest],
    ["a filter", () => admin("listRequests", { query: { limit: 0 } }), "invalid_request", invalidRequest],
    [
      "a body",
      () => admin("getRequestBody", { id: 1, query: { epoch: 0 } }),
      "invalid_request",
      invalidRequest,
    ],
    ["a wait", () => admin("waitForRequests", { body: { count: 0 } }), "invalid_request", invalidRequest],
    ["a missing body", () => admin("sendRequest"), "invalid_request", invalidRequest],
    ["a group", () => admin("addGroup", { body: {} }), "invalid_group", "Invalid group:"],
    ["a fault", () => admin("armFault", { body: [] }), "invalid_fault", "Invalid fault:"],
    ["an assumption", () => admin("assume", { body: [] }), "invalid_assumption", "Invalid assumptions:"],
  ])("rejects invalid input: %s", async (_, act, code, summary) => {
    const refusal = await refusalOf(act());
    expect([refusal.code, refusal.summary]).toEqual([code, summary]);
    expect(events).toEqual([]);
  });

  it("reports what does not exist", async () => {
    expect(await rejectionOf(() => world.entry(1))).toEqual([
      "unknown_request",
      "The journal of this world has no request 1.",
    ]);
    expect(await rejectionOf(() => world.restore(1))).toEqual([
      "unknown_snapshot",
      "There is no snapshot 1 in this world.",
    ]);
    expect(await rejectionOf(() => world.pastEpoch(1))).toEqual([
      "unknown_epoch",
      "Epoch 1 is the current one. Use /__admin/requests.",
    ]);
    expect(await rejectionOf(() => world.entry(1, 7))).toEqual([
      "unknown_epoch",
      "Epoch 7 is not in the history.",
    ]);
  });

  it("returns the bodies of requests, including those before a reset", async () => {
    const add = (text: string) => {
      const entry = openEntry(world.epoch.journal);
      entry.text = text;
      world.epoch.journal.close(entry, succeeded, whole());
    };
    add("first");
    world.reset({});
    add("second");
    const response = '{"success":1}';
    expect(world.entry(1).bodies).toEqual({ request: "second", response });
    expect(world.entry(1, 2).bodies).toEqual({ request: "second", response });
    expect(world.entry(1, 1).bodies).toEqual({ request: "first", response });
    expect(await rejectionOf(() => world.entry(2, 1))).toEqual([
      "unknown_request",
      "The journal of this world has no request 2.",
    ]);
  });

  it("does not change when a state is rejected", async () => {
    world.load(fixture("first"));
    expect((await rejectionOf(() => world.load({ teams: 7 })))[0]).toBe("invalid_fixture");
    expect(world.epoch.groups.list().map(({ provided_id }) => provided_id)).toEqual(["first"]);
    expect(changes()).toEqual(["loaded"]);
  });

  it("keeps pinned assumptions in a snapshot, and returns to the values of the server on reset", () => {
    world.assume({ "old-token": "accepted" });
    const { id } = world.takeSnapshot();
    world.assume({ "created-status": "201" });
    expect([...world.epoch.pinned]).toEqual(["old-token", "created-status"]);
    world.restore(id);
    expect([...world.epoch.pinned]).toEqual(["old-token"]);
    expect(world.epoch.assumptions).toMatchObject({ "old-token": "accepted", "created-status": "200" });
    world.reset({});
    expect([...world.epoch.pinned]).toEqual([]);
    expect(world.epoch.assumptions).toMatchObject({ "old-token": "rejected" });
  });

  it("shows an API token only while its state lists it", async () => {
    const entry = openEntry(world.epoch.journal, { headers: { authorization: "Token nine" } });
    world.epoch.journal.close(entry, failed, whole());
    const shown = () => world.show(world.entry(1)).request.headers.authorization;
    expect(shown()).toBe("Token ********");
    world.load(fixture("a"));
    expect(shown()).toBe("Token nine");
  });
});

describe("the end of a request", () => {
  it("has a note if the caller disconnected, or if a stop of the server closed the connection", () => {
    const { epoch } = world;
    const end = (delivered: Parameters<typeof epoch.complete>[2], isCut: boolean) => {
      const entry = openEntry(epoch.journal);
      entry.disconnectedMs = 3;
      epoch.complete(entry, succeeded, delivered, isCut);
      const { delivery, notes } = world.show(entry);
      return [delivery, notes];
    };
    const stopped = ["the mock was stopped before the whole response was sent"];
    expect(end(whole(), false)).toEqual(["complete", []]);
    expect(end(whole(), true)).toEqual(["complete", []]);
    expect(end({ delivery: "caller-left" }, true)).toEqual(["none", stopped]);
    expect(end({ ...whole(), delivery: "caller-left" }, true)).toEqual(["cut", stopped]);
    expect(end({ delivery: "caller-left" }, false)).toEqual([
      "caller-left",
      ["the caller closed the connection after 3 ms, before its body had arrived"],
    ]);
  });

  it.each<[effect: Effect, text: string | undefined, sent: Partial<Delivered>, note: string]>([
    ["none", undefined, {}, "before its body had arrived"],
    ["found", "{}", {}, "before a response was sent"],
    ["updated", "{}", {}, "before a response was sent"],
    [
      "created",
      "{}",
      { headers: {}, sentText: "four" },
      "when 4 characters had been sent; the group had been created, the caller never saw its token",
    ],
    [
      "rotated",
      "{}",
      { headers: {} },
      "when 0 characters had been sent; the token had been rotated, the caller never saw the new token",
    ],
  ])("notes what a disconnected caller does not know: %s, %j, %j", (effect, text, sent, note) => {
    const entry = openEntry(world.epoch.journal);
    entry.disconnectedMs = 12.6;
    entry.text = text;
    entry.performed = { status: 200, effect };
    world.epoch.complete(entry, succeeded, { delivery: "caller-left", ...sent }, false);
    expect(entry.notes).toEqual([`the caller closed the connection after 13 ms, ${note}`]);
  });

  it("resolves waits", async () => {
    const waiting = admin("waitForRequests", { body: { timeoutMs: 600_000 } });
    addEntry(world.epoch.journal);
    expect(await waiting).toEqual({ requests: [world.show(world.entry(1))] });
  });
});
