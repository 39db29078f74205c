import { describe, expect, it } from "vitest";
import type { Effect, FaultRule } from "../../../src/generated/types.js";
import { defaultBounds } from "../../../src/world/bounds.js";
import { Faults, TrackedFault } from "../../../src/world/faults/faults.js";
import { applyFault, injectFailure } from "../../../src/world/faults/inject-fault.js";
import { Journal } from "../../../src/world/journal/journal.js";
import type { PlannedResponse } from "../../../src/world/planned-response.js";
import { openEntry } from "../in-process.js";

/** The signal of a caller that does not disconnect. */
const connected = new AbortController().signal;

const newEntry = () => openEntry(new Journal(10, () => {}));

/** The response of the service. */
const real: PlannedResponse = { status: 200, body: { success: 1 }, effect: "rotated" };

/** The response and the notes of a request that meets a fault, and how often the operation was performed. */
async function sendThrough(rule: FaultRule, effect: Effect = "rotated", disconnected = connected) {
  const entry = newEntry();
  let performed = 0;
  const operate = () => {
    performed++;
    entry.performed = { ...real, effect };
    return real;
  };
  const response = await applyFault(
    new TrackedFault({ id: 7, ordinal: 1, request: rule, randomSeed: "" }),
    operate,
    entry,
    disconnected,
  );
  return { response, notes: entry.notes, performed };
}

const faultResponse = (status: number) => {
  const message = `Fault 7 returned ${status} for this request.`;
  const failure = { code: "fault", message };
  return { status, failure, fault: "status", body: { success: 0, error: failure } };
};
const broken = '{"success":1,"user_group":{"team_id":3,"token":';
const standIn = { status: 200, body: { success: 1, user_group: null } };

describe("a request that a fault meets", () => {
  it.each<[rule: FaultRule, response: object]>([
    [{ status: 429 }, faultResponse(429)],
    [
      { status: 429, headers: { "Retry-After": "1" } },
      { ...faultResponse(429), headers: { "Retry-After": "1" } },
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
    [{ truncate: true }, { ...standIn, fault: "truncate" }],
    [{ reset: true }, { ...standIn, fault: "reset" }],
    [{ empty: true }, { ...standIn, fault: "empty" }],
  ])("gets the response of the fault, without being performed: %j", async (rule, expected) => {
    const { response, performed } = await sendThrough(rule);
    expect([response, performed]).toEqual([expected, 0]);
    expect("headers" in (response ?? {})).toBe("headers" in expected);
  });

  it.each<[rule: FaultRule, response: object]>([
    [{ status: 503 }, faultResponse(503)],
    [{ malformed: true }, { status: 200, rawText: broken, fault: "malformed" }],
    [{ truncate: true }, { ...real, fault: "truncate" }],
    [{ reset: true }, { ...real, fault: "reset" }],
    [{ empty: true }, { ...real, fault: "empty" }],
  ])('is performed first with phase "after": %j', async (rule, expected) => {
    const { response, performed } = await sendThrough({ ...rule, phase: "after" });
    expect([response, performed]).toEqual([expected, 1]);
  });

  it.each(["before", "after"] as const)(
    "is performed once if the fault lets it through, %s the wait",
    async (phase) => {
      const delayed = await sendThrough({ delayMs: 1, phase });
      expect([delayed.response, delayed.performed]).toEqual([real, 1]);
      const dribbled = await sendThrough({ dribble: true, delayMs: 60_000, phase });
      expect([dribbled.response, dribbled.performed]).toEqual([{ ...real, dribbleMs: 60_000 }, 1]);
    },
  );

  it.each<[rule: FaultRule, effect: Effect, note: string | RegExp]>([
    [{ empty: true }, "none", "fault 7 closed the connection; the request had no effect"],
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
      "fault 7 cut the response in half after the group had been found; the caller got half of the response",
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
  ])("gets a note about what happened: %j, %s", async (rule, effect, note) => {
    const { notes } = await sendThrough(rule, effect);
    expect(notes).toEqual([typeof note === "string" ? note : expect.stringMatching(note)]);
  });

  it.each<[rule: FaultRule, performed: number]>([
    [{ status: 503, delayMs: 60_000 }, 0],
    [{ delayMs: 60_000 }, 0],
    [{ delayMs: 60_000, phase: "after" }, 1],
    [{ hold: true }, 0],
    [{ hold: true, delayMs: 60_000 }, 0],
    [{ status: 503 }, 0],
  ])("gets no response if its caller disconnects: %j", async (rule, performed) => {
    const caller = new AbortController();
    const pending = sendThrough(rule, "rotated", caller.signal);
    caller.abort();
    expect(await pending).toEqual({
      response: undefined,
      notes: [expect.stringMatching(/^fault 7 waited \d+ ms, until the caller disconnected$/)],
      performed,
    });
  });

  it("gets a note with the time that the fault waited, in whole milliseconds", async () => {
    const entry = newEntry();
    await expect.poll(() => entry.elapsedMs).toBeGreaterThan(30);
    const began = entry.elapsedMs;
    await applyFault(
      new TrackedFault({ id: 7, ordinal: 1, request: { delayMs: 5 }, randomSeed: "" }),
      () => real,
      entry,
      connected,
    );
    const waited = Number(/by (\d+) ms$/.exec(entry.notes[0] ?? "")?.[1]);
    expect(waited).toBeGreaterThanOrEqual(4);
    expect(waited).toBeLessThanOrEqual(Math.ceil(entry.elapsedMs - began));
  });
});

describe("a request that a fault holds", () => {
  const arm = async (rule: object) => {
    const faults = new Faults("fixed", defaultBounds, () => {});
    faults.arm(rule);
    return { faults, fault: faults.claim("rotate", {}, 3) ?? expect.fail() };
  };

  it.each([{ hold: true }, { delayMs: 60_000 }, { status: 503, delayMs: 60_000 }])(
    "gets 503 when its world ends, without being performed: %j",
    async (rule) => {
      const { faults, fault } = await arm(rule);
      const entry = newEntry();
      const pending = applyFault(fault, () => expect.fail("was performed"), entry, connected);
      faults.abort("the world was reset");
      const message = "Fault 1 was holding this request, which was aborted: the world was reset.";
      const failure = { code: "fault", message };
      expect(await pending).toEqual({
        status: 503,
        failure,
        fault: "status",
        body: { success: 0, error: failure },
      });
      expect(entry.notes).toEqual(["fault 1 aborted the request: the world was reset"]);
    },
  );

  it("continues when it is released, and gets a note", async () => {
    const { faults, fault } = await arm({ hold: true });
    const entry = newEntry();
    const pending = applyFault(fault, () => real, entry, connected);
    expect(faults.list()).toMatchObject([{ holding: 1, fired: 1, active: false }]);
    expect(faults.release(1)).toMatchObject({ holding: 0, active: false });
    expect(await pending).toEqual(real);
    expect(entry.notes).toEqual([expect.stringMatching(/^fault 1 held the request for \d+ ms$/)]);
  });

  it("waits for `delayMs` first, and does not count as held until then", async () => {
    const { faults, fault } = await arm({ hold: true, delayMs: 1, times: "always" });
    const pending = applyFault(fault, () => real, newEntry(), connected);
    expect(faults.list()).toMatchObject([{ holding: 0, active: true }]);
    await expect.poll(() => faults.list()[0]?.holding).toBe(1);
    faults.clear();
    expect(await pending).toEqual(real);
  });

  it("continues if the hold is released during `delayMs`", async () => {
    const { faults, fault } = await arm({ hold: true, delayMs: 60_000, times: "always" });
    const pending = applyFault(fault, () => real, newEntry(), connected);
    faults.release(1);
    expect(await pending).toEqual(real);
    expect(faults.list()).toMatchObject([{ active: false }]);
  });
});

describe("an injected failure", () => {
  it("has the effect of its rule, and its name in the note", async () => {
    const entry = newEntry();
    const injected = {
      name: "the injected failure rotate#1=lost",
      rule: { reset: true, phase: "after" },
    } as const;
    expect(await injectFailure(injected, () => real, entry, connected)).toEqual({ ...real, fault: "reset" });
    expect(entry.notes).toEqual([
      "the injected failure rotate#1=lost reset the connection after the request had been rejected",
    ]);
  });

  it("can be that no response is ever sent", async () => {
    const entry = newEntry();
    const injected = { name: "the injected failure rotate#1=silent", rule: "silent" } as const;
    const response = await injectFailure(injected, () => expect.fail("was performed"), entry, connected);
    expect([response, entry.notes]).toEqual([
      { status: 0, fault: "silent" },
      ["the injected failure rotate#1=silent never responds"],
    ]);
  });
});
