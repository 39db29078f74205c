import { describe, expect, it } from "vitest";
import { MockError } from "../../src/fake/contract/mock-error.js";
import type { Fault, JournalEntry } from "../../src/generated/types.js";
import type { FailedLines } from "../../src/report/report-data.js";
import { entry, waiting } from "./entries.js";
import {
  armed,
  compared,
  created,
  delay,
  hold,
  invalid,
  left,
  lost,
  markAfter,
  missed,
  racing,
  remarked,
  request,
  rotated,
  session,
  stale,
  staleText,
  verdict,
} from "./failed-session.js";

describe("the verdict says what to do", () => {
  const error = new Error("HTTP 404");
  it("about a token whose response was lost", () => {
    expect(verdict([created, lost, stale], { error }).text).toBe(
      "Likely cause: #3 sent a stale token ← #2 rotated it, its response was lost (fault 1). Look the group up to get its new token.",
    );
  });

  it("about a token of a rotation that a fault let through", () => {
    const delayed = { ...rotated, fault: 1, notes: ["fault 1 delayed the request by 20 ms"] };
    expect(verdict([created, delayed, stale], { error }).text).toBe(staleText);
  });

  it("about a race, which is not a stale token", () => {
    for (const winner of [rotated, { ...rotated, fault: 1, notes: ["fault 1 held the request for 20 ms"] }])
      expect(verdict([created, winner, racing], { error }).text).toBe(
        "Likely cause: #2 and #3 rotated the same token at once; #2 won. Look the group up to get its new token.",
      );
  });

  it.each<[what: string, error: unknown]>([
    [
      "another error",
      compared("HTTP 404", "boo", "expected [Function] to throw error including 'boo' but got 'HTTP 404'"),
    ],
    ["another status", compared({ status: 404 }, { status: 409 })],
  ])("not if the test expects %s", (_, expected) => {
    expect(verdict(session, { error: expected }).text).toBe(
      "Likely cause: #3 sent a stale token ← #2 rotated it.",
    );
  });

  it("not if all attempts met the fault, or it always fires", () => {
    const reset = Object.assign(new Error("read"), { code: "ECONNRESET" });
    const [first, second] = [2, 3].map((id) => ({ ...lost, id, effect: "none" as const, request }));
    const text = (entries: readonly JournalEntry[], times: Fault["times"] = 2) =>
      verdict(entries as JournalEntry[], { error: reset, faults: [{ ...armed, reset: true, times }] }).text;
    expect(text([created, first, second] as JournalEntry[])).toMatch(
      / connection\. 2 of 2 attempts met fault 1\.$/,
    );
    expect(text([created, first] as JournalEntry[])).toMatch(
      / connection\. Your program can send it again\.$/,
    );
    expect(text([created, first] as JournalEntry[], "always")).toMatch(/ connection\.$/);
    expect(text([created, stale, { ...second, id: 4 }] as JournalEntry[])).toMatch(/ can send it again\.$/);
  });

  it("and names the assumptions that decided the response", () => {
    const assumed = { "old-token": "rejected", "failure-status": "by-kind" };
    expect(verdict([created, rotated, { ...stale, assumed }], { error }).text).toBe(
      "Likely cause: #3 sent a stale token ← #2 rotated it (assumed: old-token=rejected). Use the group's latest token.",
    );
    expect(verdict([created, { ...invalid, assumed: { "name-on-create": "required" } }]).text).toBe(
      "Last rejected: #2 get-or-create acme was rejected with 404 ← Invalid body for get-or-create: /name is required (assumed: name-on-create=required) (may be intended)".replace(
        "404",
        "400",
      ),
    );
  });

  it("in a line of at most 400 characters", () => {
    const long = {
      ...invalid,
      group: { team_id: 3, provided_id: "x".repeat(900) },
      notes: ["y".repeat(900)],
    };
    const faults = Array.from({ length: 20 }, (_, n) => ({ ...missed, id: n + 1 }));
    const found = verdict([created, long], { error: new Error("HTTP 400 invalid_body"), faults });
    expect(Math.max(found.text.length, found.ofFaults.length)).toBeLessThanOrEqual(400);
    expect(found.text).toMatch(/^Likely cause: #2 .*was rejected with 400 ← Invalid body/);
  });

  it("about a body, with the remark", () => {
    const notes = ["field nam is not in the interface, ignored; did you mean name?"];
    expect(verdict([created, { ...invalid, notes }], { error: new Error("HTTP 400") }).text).toBe(
      `Likely cause: #2 get-or-create acme was rejected with 400 ← Invalid body for get-or-create: /name is required; ${notes[0]}.`,
    );
  });
});

describe("the verdict names a request that waited", () => {
  const timeLimit = new Error("Test timed out in 5000ms.");
  const abort = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  const waits = { ...waiting(2), operation: "rotate" } as const;
  it.each<[what: string, entry: JournalEntry, fault: Fault, error: unknown, text: string]>([
    [
      "in a hold",
      waits,
      hold,
      timeLimit,
      "Likely cause: #2 waits in the hold of rotate (1 of 2 arrived); `release()` was not called.",
    ],
    ["in a delay", waits, delay, timeLimit, "Likely cause: #2 is delayed by 1,000 ms (fault 1)."],
    [
      "in a delay until its client gave up",
      left,
      delay,
      abort,
      "Likely cause: #2 was delayed by 1,000 ms (fault 1); the client closed the connection after 306 ms.",
    ],
    [
      "in a hold, which may be intended",
      waits,
      hold,
      compared(1, 2),
      "#2 waits in the hold of rotate (1 of 2 arrived); `release()` was not called.",
    ],
  ])("%s", (_, entry, fault, error, text) => {
    const faults = [fault, { ...delay, id: 2 }, { ...hold, id: 3 }];
    expect(verdict([created, entry], { error, faults })).toMatchObject({ text, request: 2 });
  });

  it("in a fault that is gone, or in none", () => {
    expect(verdict([created, waits], { error: timeLimit }).text).toBe("Likely cause: #2 waits in fault 1.");
    expect(verdict([created, { ...waits, fault: null }], { error: timeLimit }).text).toBe(
      "Likely cause: #2 has no response yet.",
    );
  });

  it("last, if several wait", () => {
    const given = { error: timeLimit, faults: [{ ...hold, times: 1 }] };
    expect(verdict([created, waits, { ...waits, id: 3 }], given).text).toBe(
      "Likely cause: #3 waits in the hold of rotate; `release()` was not called.",
    );
  });

  it("and explains it, unless it has ended since: then its own line says what it did", () => {
    const given = { error: timeLimit, faults: [delay], mark: markAfter(2, [2]) };
    expect(verdict([created, waits], given).explains).toBe(true);
    const ended = { ...rotated, fault: 1, durationMs: 900 };
    expect(verdict([created, ended], given)).toMatchObject({ request: 2 });
    expect(verdict([created, ended], given).explains).toBeUndefined();
  });

  it("without a fault, until its client gave up", () => {
    const { fault, ...cause } = left.cause ?? expect.fail();
    expect(verdict([created, { ...left, fault: null, cause }], { error: abort }).text).toBe(
      "Likely cause: #2 rotate acme failed ← The client closed the connection after 306 ms. Your program can send it again.",
    );
  });

  it("at the failure, though its client has left since", () => {
    const given = { error: timeLimit, faults: [delay], mark: markAfter(2, [2]) };
    for (const durationMs of [10, 306])
      expect(verdict([created, { ...left, durationMs }], given).text).toBe(
        "Likely cause: #2 is delayed by 1,000 ms (fault 1).",
      );
  });

  it("tells the same of a client that gave up, whether or not the mock had noticed it", () => {
    const soon = { ...left, durationMs: 10 };
    const texts = [markAfter(2), markAfter(2, [2])].map(
      (mark) => verdict([created, soon], { error: abort, faults: [delay], mark }).text,
    );
    expect(texts).toEqual(
      Array(2).fill(expect.stringContaining("; the client closed the connection after 10 ms.")),
    );
  });

  it("without calling it a cause if the words of the error do not show that the client gave up", () => {
    const error = new Error("no answer within 300 ms");
    const found = verdict([created, left], { error, faults: [delay] });
    expect(found.text).toBe(
      "#2 was delayed by 1,000 ms (fault 1); the client closed the connection after 306 ms.",
    );
  });

  it("but not one that its client gave up on purpose", () => {
    expect(verdict([created, left], { error: compared(1, 2), faults: [delay] }).text).toBe("");
    const unnoticed = { error: compared(1, 2), faults: [delay], mark: markAfter(2, [2]) };
    expect(verdict([created, { ...left, durationMs: 10 }], unnoticed).text).toBe("");
    expect(verdict([created, left], { error: timeLimit, faults: [delay] }).text).toBe("");
    expect(verdict([created, left, entry({ id: 40 })], { error: abort, faults: [delay] }).text).toBe("");
  });
});

describe("the verdict without a request to blame", () => {
  it("names the faults that assertFaultsFired missed, and near misses before the failure", () => {
    const late = {
      ...missed,
      nearMisses: [...(missed.nearMisses ?? []), { request: 9, reason: "too late" }],
    };
    const error = new MockError("fault_never_fired", "1 of 2 faults did not fire.");
    const found = verdict([created, stale, waiting(4)], { error, faults: [delay, late] });
    expect(found).toMatchObject({
      text: "Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate.",
      request: 1,
      repeatsError: true,
    });
    const second = { ...missed, id: 2, nearMisses: [] };
    expect(verdict([created], { error, faults: [missed, second] }).text).toBe(
      "Fault 1 (rotate → 503) has not fired. #1 it was get-or-create, not rotate. Fault 2 (rotate → 503) has not fired. No other request came after it was armed.",
    );
    const [lonely] = [{ ...missed, nearMisses: [] }];
    expect(verdict([], { error, faults: [lonely] }).text).toMatch(
      / No other request came after it was armed\.$/,
    );
  });

  it("names a fault that fired less often than it should, but not one that always fires", () => {
    const error = new MockError("fault_never_fired", "1 of 2 faults did not fire.");
    const faults: Fault[] = [
      { ...missed, id: 1, fired: 1, times: "always" },
      { ...missed, id: 2, fired: 1, times: 2 },
    ];
    expect(verdict([created], { error, faults }).text).toBe(
      "Fault 2 (rotate → 503 ×2) fired 1 of 2. #1 it was get-or-create, not rotate.",
    );
  });

  it("says beside each line what the faults did", () => {
    const faults: Fault[] = [
      { ...missed, times: 2, fired: 1 },
      { ...armed, id: 2, status: 503, times: 3, fired: 3 },
      { ...armed, id: 3, status: 503, times: "always", fired: 4 },
    ];
    const given = { error: new Error("HTTP 404"), faults };
    expect(verdict(session, given)).toMatchObject({
      text: staleText,
      ofFaults:
        "Fault 1 (rotate → 503 ×2) fired 1 of 2. #1 it was get-or-create, not rotate. Fault 2 (any request → 503 ×3) fired 3 of 3. Fault 3 (any request → 503, always) fired 4 times.",
    });
    expect(
      verdict([], { error: new TypeError("no"), faults: [{ ...missed, nearMisses: [] }] }),
    ).toMatchObject({
      text: "",
      ofFaults: "Fault 1 (rotate → 503) has not fired. No other request came after it was armed.",
    });
  });

  it("names a group that was not changed, if the test expects what was sent", () => {
    const notes = ["the group exists and was not changed; this request differs in name"];
    const sent = { ...created.request, body: { user_group_id: "acme", name: "Acme Ltd" } };
    const assumed = { "existing-group": "unchanged" };
    const entries = [created, entry({ id: 2, effect: "found", notes, assumed, request: sent })];
    expect(verdict(entries, { error: compared("Acme", "Acme Ltd") })).toMatchObject({
      text: "#2 get-or-create acme: the group exists and was not changed; this request differs in name.",
      request: 2,
    });
    expect(verdict(entries, { error: compared("Acme", "acme") }).text).toBe("");
  });

  it.each([
    ["vitest", 'AssertionError: promise resolved "{ created: false }" instead of rejecting'],
    ["Jest", "expect(received).rejects.toThrow()\n\nReceived promise resolved instead of rejected"],
    ["Node", "AssertionError: Missing expected rejection."],
  ])("names a group that was not changed, if the test expects a rejection: %s", (_, message) => {
    const notes = ["the group exists and was not changed; this request differs in name"];
    const assumed = { "existing-group": "unchanged" };
    const unchanged = entry({ id: 2, effect: "found", notes, assumed });
    const error = Object.assign(new Error(message), { name: "AssertionError" });
    expect(verdict([created, unchanged], { error })).toMatchObject({ request: 2 });
    expect(verdict([created, unchanged], { error }).text).toMatch(/^#2 get-or-create acme: the group exists/);
    expect(verdict([created, unchanged, entry({ id: 3 })], { error }).text).toBe("");
  });

  it("names all remarks about a request", () => {
    const notes = ["field nam is not in the interface, ignored", "field x is not in the interface, ignored"];
    expect(verdict([entry({ id: 5, notes })], { error: compared(1, 2) }).text).toBe(
      `#5 get-or-create acme: ${notes.join("; ")}.`,
    );
  });

  it("names the last remark, but not that a fault held the request", () => {
    const held = entry({ id: 7, fault: 1, notes: ["fault 1 held the request for 20 ms"] });
    const earlier = entry({ id: 5, notes: ["field nam is not in the interface, ignored"] });
    expect(verdict([earlier, remarked, held], { error: compared(1, 2) })).toMatchObject({
      text: "#6 get-or-create acme: field propertys is not in the interface, ignored; did you mean properties?",
      request: 6,
    });
  });

  it.each<[error: unknown, advice: string, lines?: FailedLines]>([
    [new Error("fetch failed"), ". Does your program use this URL, and was the request awaited?"],
    [
      new Error("cannot open: connect ECONNREFUSED 127.0.0.1:9"),
      ". Does your program use this URL",
      { thrownIn: "test" },
    ],
    [new MockError("timeout", "Timed out"), ". Does your program use this URL"],
    [
      new Error("no", { cause: new TypeError("Request with GET/HEAD method cannot have body.") }),
      ": fetch cannot send a GET with a body",
    ],
  ])("reports that no request reached the mock: %s", (error, advice, lines = {}) => {
    const url = "http://127.0.0.1:4010/worlds/w3";
    expect(verdict([], { url, error, lines }).text).toContain(
      `No request of this test reached the mock at ${url}${advice}`,
    );
  });

  it.each<[what: string, error: unknown, lines?: FailedLines]>([
    ["an exception of the program", new TypeError("Cannot read properties of null")],
    ["an exception of the test", new Error("no connection"), { thrownIn: "test" }],
    ["a failing hook", compared(1, 2), { thrownIn: "hook" }],
    ["a hook that took too long", new Error("Hook timed out in 10000ms.")],
  ])("asks nothing about requests after %s", (_, error, lines = {}) => {
    expect(verdict([], { error, lines }).text).toBe("");
  });

  it("names a request in the world of an earlier test", () => {
    const elsewhere = { test: "creates a group", request: entry({ id: 4 }) };
    expect(verdict([], { url: "http://127.0.0.1:4010", error: compared(1, 2), elsewhere }).text).toBe(
      'No request of this test reached the mock at http://127.0.0.1:4010. #4 get-or-create acme arrived in the world of the test "creates a group": is its URL kept from there?',
    );
  });

  it.each(["invalid_fault", "fault_never_fired"] as const)(
    "says nothing of requests if the error is %s",
    (code) => {
      expect(verdict([], { error: new MockError(code, "no") }).text).toBe("");
    },
  );

  it("says nothing if no request was rejected, and opens the one with a value of the error, or the last one", () => {
    const others = [created, entry({ id: 2, request, response: null })];
    expect(verdict(others, { error: compared("Acme", "acme") })).toMatchObject({ parts: [], request: 1 });
    // Single characters are in any body: the id of the team is 3.
    expect(verdict(others, { error: compared(3, 2) })).toMatchObject({ parts: [], request: 2 });
  });
});
