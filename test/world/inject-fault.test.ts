import { describe, expect, it } from "vitest";
import type { Effect, FaultRule } from "../../src/generated/types.js";
import { defaultBounds } from "../../src/world/bounds.js";
import { Faults, TrackedFault } from "../../src/world/faults/faults.js";
import { applyFault, injectFailure } from "../../src/world/faults/inject-fault.js";
import { noteDisconnect } from "../../src/world/faults/request-notes.js";
import { Journal } from "../../src/world/journal/journal.js";
import type { PlannedResponse } from "../../src/world/planned-response.js";
import { openEntry } from "./in-process.js";

/** The caller does not disconnect. */
const stays = new AbortController().signal;

const newEntry = () => openEntry(new Journal(10, () => {}));

/** What the service would answer. */
const real: PlannedResponse = { status: 200, body: { success: 1 }, effect: "rotated" };

/** A call under a fault of this rule: its answer, its notes, and how often the service was asked. */
async function callUnder(rule: FaultRule, effect: Effect = "rotated", left = stays) {
  const entry = newEntry();
  let performed = 0;
  const operate = () => {
    performed++;
    entry.performed = { ...real, effect };
    return real;
  };
  const answer = await applyFault(
    new TrackedFault({ id: 7, ordinal: 1, request: rule, size: 0, randomSeed: "" }),
    operate,
    entry,
    left,
  );
  return { answer, notes: entry.notes, performed };
}

const refusal = (status: number) => {
  const message = `Fault 7 answers this call with ${status}, as it was armed to.`;
  const failure = { code: "fault", message };
  return { status, failure, fault: "status", body: { success: 0, error: failure } };
};
const broken = '{"success":1,"user_group":{"team_id":3,"token":';
const neverMade = { status: 200, body: { success: 1, user_group: null } };

describe("a call under a fault", () => {
  it.each<[rule: FaultRule, answer: object]>([
    [{ status: 429 }, refusal(429)],
    [
      { status: 429, headers: { "Retry-After": "1" } },
      { ...refusal(429), headers: { "Retry-After": "1" } },
    ],
    [
      { status: 400, body: null },
      { status: 400, fault: "status", body: null },
    ],
    [
      { status: 502, text: " <html>" },
      {
        status: 502,
        fault: "status",
        rawText: " <html>",
        headers: { "Content-Type": "text/html; charset=utf-8" },
      },
    ],
    [
      { status: 502, text: "a < b", headers: { "X-A": "1" } },
      {
        status: 502,
        fault: "status",
        rawText: "a < b",
        headers: { "Content-Type": "text/plain; charset=utf-8", "X-A": "1" },
      },
    ],
    [
      { status: 502, text: "", headers: { "Content-Type": "x/y" } },
      { status: 502, fault: "status", rawText: "", headers: { "Content-Type": "x/y" } },
    ],
    [{ malformed: true }, { status: 200, rawText: broken, fault: "malformed" }],
    [{ truncate: true }, { ...neverMade, fault: "truncate" }],
    [{ reset: true }, { ...neverMade, fault: "reset" }],
    [{ empty: true }, { ...neverMade, fault: "empty" }],
  ])("does nothing in the world and is answered as it says: %j", async (rule, expected) => {
    const { answer, performed } = await callUnder(rule);
    expect([answer, performed]).toEqual([expected, 0]);
    expect("headers" in (answer ?? {})).toBe("headers" in expected);
  });

  it.each<[rule: FaultRule, answer: object]>([
    [{ status: 503 }, refusal(503)],
    [{ malformed: true }, { status: 200, rawText: broken, fault: "malformed" }],
    [{ truncate: true }, { ...real, fault: "truncate" }],
    [{ reset: true }, { ...real, fault: "reset" }],
    [{ empty: true }, { ...real, fault: "empty" }],
  ])("can have been performed before: %j", async (rule, expected) => {
    const { answer, performed } = await callUnder({ ...rule, phase: "after" });
    expect([answer, performed]).toEqual([expected, 1]);
  });

  it.each(["before", "after"] as const)(
    "is performed once where it gets its answer, %s the wait",
    async (phase) => {
      const delayed = await callUnder({ delayMs: 1, phase });
      expect([delayed.answer, delayed.performed]).toEqual([real, 1]);
      const dribbled = await callUnder({ dribble: true, delayMs: 60_000, phase });
      expect([dribbled.answer, dribbled.performed]).toEqual([{ ...real, dribbleMs: 60_000 }, 1]);
    },
  );

  it.each<[rule: FaultRule, effect: Effect, note: string | RegExp]>([
    [{ empty: true }, "none", "fault 7 closed the connection before anything happened in the world"],
    [{ delayMs: 2 }, "rotated", /^fault 7 delayed the request by \d+ ms$/],
    [{ dribble: true, delayMs: 20 }, "rotated", "fault 7 sends the response in pieces, over 20 ms"],
    [
      { dribble: true, delayMs: 20, phase: "after" },
      "created",
      "fault 7 sends the response in pieces, over 20 ms after the group had been created",
    ],
    [
      { reset: true, delayMs: 2, phase: "after" },
      "created",
      /^fault 7 waited \d+ ms and reset the connection after the group had been created; the caller never saw its token$/,
    ],
    [
      { truncate: true, phase: "after" },
      "found",
      "fault 7 cut the response in half after the group had been found; the caller got half of the answer",
    ],
    [
      { status: 503, phase: "after" },
      "updated",
      "fault 7 responded with 503 after the group had been updated",
    ],
    [
      { malformed: true, phase: "after" },
      "none",
      "fault 7 responded with broken JSON after the request had been rejected",
    ],
  ])("is noted with what happened: %j, %s", async (rule, effect, note) => {
    const { notes } = await callUnder(rule, effect);
    expect(notes).toEqual([typeof note === "string" ? note : expect.stringMatching(note)]);
  });

  it.each<[rule: FaultRule, performed: number]>([
    [{ status: 503, delayMs: 60_000 }, 0],
    [{ delayMs: 60_000 }, 0],
    [{ delayMs: 60_000, phase: "after" }, 1],
    [{ hold: true }, 0],
    [{ hold: true, delayMs: 60_000 }, 0],
    [{ status: 503 }, 0],
  ])("ends without an answer when its caller disconnects: %j", async (rule, performed) => {
    const caller = new AbortController();
    const calling = callUnder(rule, "rotated", caller.signal);
    caller.abort();
    expect(await calling).toEqual({
      answer: undefined,
      notes: [expect.stringMatching(/^fault 7 waited \d+ ms, until the caller disconnected$/)],
      performed,
    });
  });

  it("says how long it waited, in whole milliseconds of its own", async () => {
    const entry = newEntry();
    await expect.poll(() => entry.elapsedMs).toBeGreaterThan(30);
    const began = entry.elapsedMs;
    await applyFault(
      new TrackedFault({ id: 7, ordinal: 1, request: { delayMs: 5 }, size: 0, randomSeed: "" }),
      () => real,
      entry,
      stays,
    );
    const waited = Number(/by (\d+) ms$/.exec(entry.notes[0] ?? "")?.[1]);
    expect(waited).toBeGreaterThanOrEqual(4);
    expect(waited).toBeLessThanOrEqual(Math.ceil(entry.elapsedMs - began));
  });
});

describe("a call that a fault holds", () => {
  const arm = async (rule: object) => {
    const faults = new Faults("fixed", defaultBounds, () => {});
    faults.arm(rule);
    return { faults, fault: faults.claim("rotate", {}, 3) ?? expect.fail() };
  };

  it.each([{ hold: true }, { delayMs: 60_000 }, { status: 503, delayMs: 60_000 }])(
    "is answered 503 when its world ends, and does nothing: %j",
    async (rule) => {
      const { faults, fault } = await arm(rule);
      const entry = newEntry();
      const answering = applyFault(fault, () => expect.fail("was performed"), entry, stays);
      faults.abort("the world was reset");
      const message = "Fault 1 was holding this call, and aborted it: the world was reset.";
      const failure = { code: "fault", message };
      expect(await answering).toEqual({
        status: 503,
        failure,
        fault: "status",
        body: { success: 0, error: failure },
      });
      expect(entry.notes).toEqual(["fault 1 aborted the call: the world was reset"]);
    },
  );

  it("goes on when it is released, and is noted as held", async () => {
    const { faults, fault } = await arm({ hold: true });
    const entry = newEntry();
    const answering = applyFault(fault, () => real, entry, stays);
    expect(faults.list()).toMatchObject([{ holding: 1, fired: 1, active: false }]);
    expect(faults.release(1)).toMatchObject({ holding: 0, active: false });
    expect(await answering).toEqual(real);
    expect(entry.notes).toEqual([expect.stringMatching(/^fault 1 held the request for \d+ ms$/)]);
  });

  it("waits for its time first, and does not count as held until then", async () => {
    const { faults, fault } = await arm({ hold: true, delayMs: 1, times: "always" });
    const answering = applyFault(fault, () => real, newEntry(), stays);
    expect(faults.list()).toMatchObject([{ holding: 0, active: true }]);
    await expect.poll(() => faults.list()[0]?.holding).toBe(1);
    faults.clear();
    expect(await answering).toEqual(real);
  });

  it("is not held by a fault that was released while it waited for its time", async () => {
    const { faults, fault } = await arm({ hold: true, delayMs: 60_000, times: "always" });
    const answering = applyFault(fault, () => real, newEntry(), stays);
    faults.release(1);
    expect(await answering).toEqual(real);
    expect(faults.list()).toMatchObject([{ active: false }]);
  });
});

describe("a failure that a run orders", () => {
  it("is noted under its name, and has the effect of its rule", async () => {
    const entry = newEntry();
    const order = {
      name: "the injected failure rotate#1=lost",
      rule: { reset: true, phase: "after" },
    } as const;
    expect(await injectFailure(order, () => real, entry, stays)).toEqual({ ...real, fault: "reset" });
    expect(entry.notes).toEqual([
      "the injected failure rotate#1=lost reset the connection after the request had been rejected",
    ]);
  });

  it("can be that nothing is ever answered", async () => {
    const entry = newEntry();
    const order = { name: "the injected failure rotate#1=silent", rule: "silent" } as const;
    const answer = await injectFailure(order, () => expect.fail("was performed"), entry, stays);
    expect([answer, entry.notes]).toEqual([
      { status: 0, fault: "silent" },
      ["the injected failure rotate#1=silent never answers"],
    ]);
  });
});

describe("the note of a caller that left", () => {
  const noteOf = (effect: Effect, text: string | undefined, delivered: object) => {
    const entry = newEntry();
    entry.leftMs = 12.6;
    entry.text = text;
    entry.performed = { ...real, effect };
    noteDisconnect(entry, { delivery: "caller-left", ...delivered });
    return entry.notes[0];
  };
  const closed = "the caller closed the connection after 13 ms";

  it("says how far the call had come, and what the caller does not know", () => {
    expect(noteOf("none", undefined, {})).toBe(`${closed}, before its body had arrived`);
    expect(noteOf("found", "{}", {})).toBe(`${closed}, before an answer was sent`);
    expect(noteOf("created", "{}", { headers: {}, sentText: "four" })).toBe(
      `${closed}, when 4 characters had been sent; the group had been created, the caller never saw its token`,
    );
    expect(noteOf("rotated", "{}", { headers: {} })).toBe(
      `${closed}, when 0 characters had been sent; the token had been rotated, the caller never saw the new token`,
    );
    expect(noteOf("updated", "{}", {})).toBe(`${closed}, before an answer was sent`);
  });
});
