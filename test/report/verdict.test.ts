import assert, { AssertionError } from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { reportedError } from "../../src/client/reported-error.js";
import { MockError } from "../../src/fake/contract/mock-error.js";
import type { Fault, JournalEntry } from "../../src/generated/types.js";
import type { ElsewhereRequest } from "../../src/report/no-request.js";
import type { FailedLines, FailureMark } from "../../src/report/report-data.js";
import { findVerdict, verdictLines } from "../../src/report/verdict.js";
import { entry, faulted, rejected, waiting } from "./entries.js";

const token = "a".repeat(64);
const created = entry({ id: 1, effect: "created" });
const rotated = entry({ id: 2, operation: "rotate", effect: "rotated" });
const lost = entry({
  id: 2,
  operation: "rotate",
  fault: 1,
  effect: "rotated",
  outcome: "fault",
  delivery: "none",
  response: null,
  cause: { code: "fault", message: "Fault 1 reset the connection.", fault: 1 },
});
const request = { method: "POST", path: "/api/user", headers: {}, body: { current_token: token } };
const stale = {
  ...rejected(3, {
    code: "unknown_token",
    message: "The current_token was rotated out by request 2. Use the group's latest token.",
    request: 2,
  }),
  request,
};
const racing = { ...stale, cause: { ...stale.cause, request: 2, concurrent: true as const } } as JournalEntry;
const invalid = {
  ...rejected(2, { code: "invalid_body", message: "Invalid body for get-or-create: /name is required." }),
  response: { status: 400, headers: {}, body: { error: { code: "invalid_body" } } },
};
const remarked = entry({
  id: 6,
  notes: ["field propertys is not in the interface, ignored; did you mean properties?"],
});
const left = entry({
  id: 2,
  operation: "rotate",
  outcome: "fault",
  effect: "none",
  fault: 1,
  delivery: "caller-left",
  response: null,
  durationMs: 306,
  cause: { code: "caller-left", message: "The client closed the connection after 306 ms.", fault: 1 },
});

const armed = { id: 1, fired: 1, holding: 0, active: false };
const delay: Fault = { ...armed, operation: "rotate", delayMs: 1_000 };
const hold: Fault = { ...armed, operation: "rotate", hold: true, times: 2, holding: 1, active: true };
const missed: Fault = {
  ...{ ...armed, fired: 0, active: true },
  operation: "rotate",
  status: 503,
  nearMisses: [{ request: 1, reason: "it was get-or-create, not rotate" }],
};

interface Given {
  readonly error?: unknown;
  readonly faults?: readonly Fault[];
  readonly mark?: FailureMark;
  readonly url?: string;
  readonly elsewhere?: ElsewhereRequest;
  /** By default, the line that failed names a status. */
  readonly lines?: FailedLines;
}

/** @param entries oldest first */
function verdict(
  entries: readonly JournalEntry[],
  { error, faults = [], mark, url = "", elsewhere, lines = { nameStatus: true } }: Given = {},
) {
  const reported = reportedError(error);
  const found = findVerdict({
    error: reported && { ...reported, lines },
    mark,
    entries,
    faults,
    url,
    elsewhere,
  });
  const [text = ""] = verdictLines({ ...found, faults: [] });
  const [ofFaults = ""] = verdictLines({ parts: [], faults: found.faults });
  return { ...found, text, ofFaults };
}

/** When the entries with these ids had arrived. @param ids of those without a response */
function markAfter(last: number, ids: readonly number[] = []): FailureMark {
  const at = new Date(Date.UTC(2026, 0, 31) + 10 * last + 5).toISOString();
  return { at, epoch: 1, lastRequest: last, waiting: ids };
}

/** The error that an assertion of Node throws. */
function thrownBy(assertion: () => void): unknown {
  try {
    return assertion();
  } catch (error) {
    return error;
  }
}

const compared = (actual: unknown, expected: unknown, message = `expected ${actual} to be ${expected}`) =>
  new AssertionError({ message, actual, expected });
const vitestError = (message: string, diff?: string) => ({ name: "AssertionError", message, diff });
/** Playwright has the fields of an error only in its message. */
const printed = (message: string) => ({ message });

const staleText = "Likely cause: #3 sent a stale token ← #2 rotated it. Use the group's latest token.";
const session = [created, rotated, stale];

describe("the verdict names a request that the error shows", () => {
  it.each<[what: string, error: unknown]>([
    ["the status that an assertion received", compared(404, 200)],
    ["the status in a received object", compared({ status: 404, n: 1 }, { status: 200, n: 1 })],
    ["the status in assert.equal of Node", thrownBy(() => assert.equal(404, 200))],
    ["the status in a text of the test", thrownBy(() => assert.ok(false, "rotate: HTTP 404"))],
    [
      "the status in Jest",
      { message: "expect(received).toBe(expected)", matcherResult: { actual: 404, expected: 200 } },
    ],
    [
      "the status in Playwright",
      printed("Error: expect(received).toBe(expected)\n\nExpected: 200\nReceived: 404"),
    ],
    [
      "a difference in Playwright",
      printed(
        'Error: expect(received).toEqual(expected)\n\n- Expected  - 1\n+ Received  + 1\n\n  Object {\n-   "status": 200,\n+   "status": 404,\n  }',
      ),
    ],
    [
      "an assertion of Node in Playwright",
      printed("AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n404 !== 200\n"),
    ],
    ["a status that was to be lower", vitestError("expected 404 to be less than 400")],
    ["a status that was to be one of success", vitestError("expected 404 to be at most 299")],
    [
      "a status that was to be lower, in Jest",
      printed("expect(received).toBeLessThan(expected)\n\nExpected: < 400\nReceived:   404"),
    ],
    [
      "the status as a property",
      compared(404, 200, 'expected { status: 404 } to have property "status" with value 200'),
    ],
    ["the status beside the name of another field", compared({ ok: false, httpStatus: 404 }, { ok: true })],
    [
      "a text of the test, if nothing else was received",
      compared(false, true, "HTTP 404: expected false to be true"),
    ],
    [
      "a text of the test in Playwright",
      printed("Error: HTTP 404\n\nexpect(received).toBe(expected)\n\nExpected: true\nReceived: false"),
    ],
    [
      "another error than none, in Jest",
      printed('expect(received).not.toThrow()\n\nError name:    "Error"\nError message: "HTTP 404"\n'),
    ],
    [
      "a promise that rejected, in Jest",
      printed(
        "expect(received).resolves.toBe()\n\nReceived promise rejected instead of resolved\nRejected to value: [Error: HTTP 404]",
      ),
    ],
    [
      "a promise that rejected",
      new AssertionError({ message: 'promise rejected "Error: HTTP 404" instead of resolving' }),
    ],
    ["the status in a message", new Error("Request failed with status code 404")],
    ["the code in a message", new Error("UserGroupError: unknown_token")],
    [
      "the whole message",
      new Error("no: The current_token was rotated out by request 2. Use the group's latest token."),
    ],
    ["the token", new Error(`cannot rotate ${token}`)],
    [
      "the status in a cause",
      new Error("not saved", { cause: new Error("rotate", { cause: new Error("HTTP 404") }) }),
    ],
    ["the status as a field", Object.assign(new Error("not saved"), { status: 404 })],
    [
      "two blocks of vitest",
      vitestError(
        "expected { code: 'x' } to be undefined",
        '- Expected:\nundefined\n\n+ Received:\n{\n  "code": "unknown_token",\n}',
      ),
    ],
    [
      "the body that a client has stored",
      Object.assign(new Error("not saved"), { response: { data: { error: { code: "unknown_token" } } } }),
    ],
    ["the status of the response", Object.assign(new Error("not saved"), { response: { status: 404 } })],
    ["the code as a field", Object.assign(new Error("not saved"), { reason: "unknown_token" })],
    ["the status as a field with another name", Object.assign(new Error("not saved"), { httpStatus: 404 })],
    ["its own assertion about failures", new MockError("failures", "1 request failed: #3 unknown_token")],
  ])("%s", (_, error) => {
    expect(verdict(session, { error })).toMatchObject({ text: staleText, request: 3 });
  });

  it.each([
    "HTTP 404",
    "Unexpected HTTP/1.1 404",
    "Error: HTTP error! status: 404",
    "The service responded with 404",
    "user group service returned an unexpected 404",
    "Rotation failed: 404",
    "The rotation was rejected with a 404",
    "Rotation failed (404)",
    "could not rotate the token of acme: 404",
    "POST http://127.0.0.1:4010/worlds/w3/api/user 404",
    "POST /api/user → 404",
    "the request ended with error 404",
    "404",
    "404: no such token",
    "Service: 404 Not Found",
  ])("whose status a program words as %j", (message) => {
    expect(verdict(session, { error: new Error(message) }).text).toBe(staleText);
  });

  it("but not if the server under test responds with another status, as for another service", () => {
    const got = (status: number) =>
      Object.assign(new Error(`expected 200 "OK", got ${status} "…"`), { expected: 200, actual: status });
    for (const status of [500, 502, 504])
      expect(verdict(session, { error: got(status) }).label).toBe("Last rejected");
  });

  it("whose code is an ordinary word, if it is written as a code", () => {
    const unauthorized = rejected(2, { code: "unauthorized", message: "The API token is unknown." });
    const entries = [created, unauthorized];
    const coded = Object.assign(new Error("not saved"), { code: "unauthorized" });
    expect(verdict(entries, { error: coded }).request).toBe(2);
    expect(verdict(entries, { error: new Error('{"code":"unauthorized"}') }).label).toBe("Likely cause");
    const word = new Error("Ann is unauthorized to change prices");
    expect(verdict(entries, { error: word }).label).toBe("Last rejected");
  });

  it("whose response has a text of the error, but not if that is short or an ordinary word", () => {
    const sent = (text: string) => ({
      ...faulted(2),
      response: { status: 503, headers: {}, body: { errors: [{ text }] } },
    });
    const label = (text: string) =>
      verdict([created, sent(text)], { error: new Error(`not saved: ${text} for acme`) }).label;
    expect(label("the quota is used up")).toBe("Likely cause");
    expect(label("quota_is_used_up")).toBe("Likely cause");
    expect(label("no room")).toBeUndefined();
    expect(label("unavailable")).toBeUndefined();
  });

  it("which is the last one of several that the error may show", () => {
    const again = { ...stale, id: 4, at: entry({ id: 4 }).at };
    expect(verdict([...session, again], { error: new Error("HTTP 404") }).request).toBe(4);
  });

  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])("whose connection was broken: %s", (code) => {
    const error = Object.assign(new Error("cannot send"), { code });
    expect(verdict([created, lost], { error }).request).toBe(2);
    expect(verdict([created, lost], { error }).label).toBe("Likely cause");
  });

  it.each([
    "socket hang up",
    "stream has been aborted",
    "other side closed",
    "Premature close",
    "terminated",
  ])("whose connection was broken: %s", (message) => {
    expect(verdict([created, lost], { error: new TypeError(message) }).label).toBe("Likely cause");
  });

  it("also if its connection or its JSON was broken", () => {
    const reset = new TypeError("fetch failed", {
      cause: Object.assign(new Error("read"), { code: "ECONNRESET" }),
    });
    expect(verdict([created, lost], { error: reset }).text).toBe(
      "Likely cause: #2 rotate acme failed ← Fault 1 reset the connection. Look the group up to get its token.",
    );
    const response = { status: 200, headers: {}, body: '{"success":1,"user_group":' };
    const broken = { ...faulted(2), response };
    const error = new SyntaxError("Unexpected end of JSON input");
    expect(verdict([created, broken], { error }).text).toMatch(/^Likely cause: #2 .* can send it again\.$/);
  });

  it("whatever came after the failure", () => {
    const reset = Object.assign(new Error("read"), { code: "ECONNRESET" });
    const given = { error: reset, mark: markAfter(2) };
    expect(verdict([created, lost, entry({ id: 3 })], given).label).toBe("Likely cause");
    const shown = { error: new Error("HTTP 404"), mark: markAfter(3) };
    expect(verdict([...session, entry({ id: 4 })], shown).label).toBe("Likely cause");
  });
});

describe("the verdict does not blame a request", () => {
  it.each<[what: string, error: unknown]>([
    ["that the test expected", compared(200, 404)],
    ["that stands on both sides", compared({ status: 404, n: 1 }, { status: 404, n: 2 })],
    [
      "that the test expected, in Jest",
      printed("expect(received).toBe(expected)\n\nExpected: 404\nReceived: 200"),
    ],
    [
      "that is equal on both sides of a difference",
      printed(
        'expect(received).toEqual(expected)\n\n- Expected\n+ Received\n\n  Object {\n    "status": 404,\n-   "n": 1,\n+   "n": 2,\n  }',
      ),
    ],
    [
      "that stands on both sides, and beside them in place of another",
      vitestError(
        "expected [ 404, 404 ] to deeply equal [ 404, 200 ]",
        "- Expected\n+ Received\n\n  [\n    404,\n-   200,\n+   404,\n  ]",
      ),
    ],
    ["that the test expected, in Node", thrownBy(() => assert.deepEqual({ status: 200 }, { status: 404 }))],
    ["whose message stands on both sides", compared([stale.cause?.message, 1], [stale.cause?.message, 2])],
    ["for a part of a number", compared("40412", "1")],
    ["for one of several statuses", compared([200, 404], [200, 200])],
    ["for the status of another service", new Error("Billing responded with 404")],
    ["for a status beside another body", new Error('HTTP 404 {"error":"no such invoice"}')],
    [
      "for a status that another client names",
      Object.assign(new Error("HTTP 404"), { name: "BillingError" }),
    ],
    ["for a number that was no status", compared(404, 7)],
    ["for a number that was no status, in assert.equal of Node", thrownBy(() => assert.equal(404, 7))],
    [
      "for a number that was no status, in Playwright",
      printed("Error: expect(received).toBe(expected)\n\nExpected: 7\nReceived: 404"),
    ],
    ["for a number beside a status", compared({ id: 404, status: 200 }, { id: 7, status: 200 })],
    [
      "for a number beside a status that is equal on both sides",
      vitestError(
        "expected [ 200, 404 ] to deeply equal [ 200, 7 ]",
        "- Expected\n+ Received\n\n  [\n    200,\n-   7,\n+   404,\n  ]",
      ),
    ],
    ["that the test describes", compared(2, 3, "orders after HTTP 404: expected 2 to be 3")],
    [
      "that the test describes, in Playwright",
      printed("Error: orders after HTTP 404\n\nexpect(received).toBe(expected)\n\nExpected: 3\nReceived: 2"),
    ],
    ["for a stale token that the program has kept", compared(token, "b".repeat(64))],
    ["for an assertion of its own", compared("acme", "Acme")],
    ["for the time limit of the framework", new Error("Test timed out in 5000ms.")],
    ["for the time limit of node:test", "test timed out after 500ms"],
    ["for the time limit of Jest", 'thrown: "Exceeded timeout of 500 ms for a test."'],
    ["for the time limit of Playwright", printed("Test timeout of 1000ms exceeded.")],
    ["for a mistake of the code", new TypeError("Cannot read properties of undefined")],
    ["for a mistake of the code in Playwright", printed("ReferenceError: group is not defined")],
    [
      "for a collection in which the assertion searched",
      {
        ...vitestError("expected [ { status: 404 } ] to include 5"),
        actual: '[{ "status": 404 }]',
        showDiff: false,
      },
    ],
    [
      "for a collection, though vitest prints a difference",
      vitestError(
        "expected [ …(1) ] to deep equally contain { status: 410 }",
        '- Expected\n+ Received\n\n- { "status": 410 }\n+ [{ "status": 404 }]',
      ),
    ],
    [
      "for a collection in Playwright",
      printed(
        'Error: expect(received).toHaveLength(expected)\n\nExpected length: 2\nReceived length: 1\nReceived array:  [{"status": 404}]',
      ),
    ],
    [
      "for a collection in which Playwright searched",
      printed(
        'Error: expect(received).toContain(expected) // indexOf\n\nExpected value: "q"\nReceived array: ["HTTP 404"]',
      ),
    ],
    [
      "for a set in Playwright",
      printed(
        'Error: expect(received).toContain(expected)\n\nExpected value: "q"\nReceived set: Set {"HTTP 404"}',
      ),
    ],
    [
      "that the test expected, in a block of vitest",
      vitestError(
        "expected undefined to deeply equal { code: 'unknown_token' }",
        '- Expected:\n{\n  "code": "unknown_token",\n}\n\n+ Received:\nundefined',
      ),
    ],
    [
      "that vitest shows as unchanged",
      vitestError(
        "expected { …(2) } to match object { …(1) }",
        '- Expected\n+ Received\n\n  {\n-   "n": 1,\n+   "n": 2,\n    "status": 404,\n  }',
      ),
    ],
    ["for near misses of a wait", new MockError("timeout", `current_token was ${token}, not x`)],
    ["for an error that says nothing of it", new Error("no groups")],
    ["for an error with another cause", new TypeError("not saved", { cause: new Error("disk full") })],
    ["for a field that is no status", Object.assign(new Error("not payable"), { orderId: 404 })],
    [
      "for a 404 in supertest, which an app sends for every path that it lacks",
      Object.assign(new Error('expected 200 "OK", got 404 "Not Found"'), { expected: 200, actual: 404 }),
    ],
    ["whose connection did not break", Object.assign(new Error("read"), { code: "ECONNRESET" })],
    ["for a file that does not exist", printed("Error: ENOENT: no such file or directory, open 'a.json'")],
    ["for a method of World that the test used wrongly", new MockError("invalid_fault", "Invalid fault:")],
  ])("%s", (_, error) => {
    const { text } = verdict(session, { error });
    expect(text).toBe("Last rejected: #3 sent a stale token ← #2 rotated it (may be intended)");
  });

  it("and does not open one that was rejected because of a value of the error", () => {
    const odd = { ...stale, id: 2, request: { ...request, body: { current_token: "odd" } } };
    const error = new Error('"odd" is not a name');
    expect(verdict([created, odd, entry({ id: 3 })], { error })).toMatchObject({ request: 3 });
  });

  it.each([
    ["the last one", new Error("no groups"), 3],
    ["an accepted one that has a value of the error", new Error('"acme" has no owner'), 2],
  ])("and open %s", (_, error, request) => {
    expect(verdict(session, { error })).toMatchObject({ label: "Last rejected", request });
  });

  it.each([
    "Order 404 is not payable",
    "Order 404 not found",
    "Payment failed for order 404",
    "Inventory: 404 items are missing",
    "The query returned 404 rows",
    "The job failed 404 times",
    "The import failed with 404 errors",
    "total: expected 12, got 404",
    "promo code 404 is unknown",
    "cannot ship 404 boxes",
    "validation error: 404 is too many",
  ])("for a number that is no status, as in %j", (message) => {
    expect(verdict(session, { error: new Error(message) }).label).toBe("Last rejected");
    expect(verdict(session, { error: printed(`Error: ${message}`) }).label).toBe("Last rejected");
  });

  it("but does for another status in supertest", () => {
    const conflict = { ...stale, response: { ...stale.response, status: 409 } } as JournalEntry;
    const error = Object.assign(new Error('expected 200 "OK", got 409 "Conflict"'), {
      expected: 200,
      actual: 409,
    });
    expect(verdict([created, rotated, conflict], { error }).label).toBe("Likely cause");
  });

  it("for a token that is an ordinary word", () => {
    const short = { ...stale, request: { ...request, body: { current_token: "token" } } };
    const error = new Error("the token is not in the cache");
    expect(verdict([created, rotated, short], { error }).label).toBe("Last rejected");
  });

  it("for a status of success", () => {
    const { cause } = lost;
    const response = { status: 200, headers: {}, body: {} };
    const error = new Error("The shop responded with 200");
    expect(verdict([{ ...lost, cause, response }], { error }).label).toBeUndefined();
  });

  it("by its position alone", () => {
    expect(verdict([created, faulted(2)], { error: new Error("no groups") })).toMatchObject({
      text: "",
      request: 2,
    });
    expect(verdict(session).label).toBe("Last rejected");
    expect(verdict([created, rotated, racing]).text).toBe(
      "Last rejected: #2 and #3 rotated the same token at once; #2 won (may be intended)",
    );
  });

  it("that succeeded when the program sent it again", () => {
    const failed = { ...faulted(2), request };
    const again = entry({ id: 3, operation: "rotate", effect: "rotated", request });
    for (const error of [new Error(failed.cause?.message), compared(token, "b".repeat(64))]) {
      expect(verdict([created, failed], { error }).label).toBe("Likely cause");
      expect(verdict([created, failed, again], { error }).text).toBe("");
    }
    const other = { ...again, request: { ...request, body: { current_token: "b".repeat(64) } } };
    const error = new Error(failed.cause?.message);
    expect(verdict([created, failed, other], { error }).label).toBe("Likely cause");
  });

  it("for a broken connection or broken JSON, if another request followed, or the words only sound like it", () => {
    const reset = Object.assign(new Error("read"), { code: "ECONNRESET" });
    expect(verdict([created, lost, entry({ id: 3 })], { error: reset }).text).toBe("");
    expect(verdict([created, lost], { error: new Error("Subscription terminated") }).text).toBe("");
    const broken = { ...faulted(2), response: { status: 200, headers: {}, body: '{"success":' } };
    const error = new SyntaxError("Unexpected end of JSON input");
    expect(verdict([created, broken, entry({ id: 3 })], { error }).text).toBe("");
    // Of this one, the program noticed that its connection was closed.
    expect(verdict([created, { ...broken, delivery: "cut" }], { error }).text).toBe("");
  });

  it.each<[what: string, error: unknown, lines?: FailedLines]>([
    ["that it has handled since: another one succeeded", new Error("HTTP 404")],
    ["if its line names none", compared(404, 200), {}],
    ["that it has named before", new Error("HTTP 404"), { nameStatus: true, statuses: [404] }],
    ["after it has handled a rejection", compared(404, 200), { nameStatus: true, handleRejections: true }],
  ])("for a status %s", (_, error, lines) => {
    const entries = lines === undefined ? [...session, entry({ id: 4 })] : session;
    expect(verdict(entries, { error, ...(lines && { lines }) }).label).toBe("Last rejected");
  });

  it("for the status of a fault, which the test wanted", () => {
    expect(verdict([created, faulted(2)], { error: new Error("HTTP 503") }).text).toBe("");
    const injected = { ...faulted(2), cause: { code: "injected", message: "no" } } as const;
    expect(verdict([created, injected], { error: new Error("HTTP 503") }).label).toBe("Likely cause");
  });

  it("that came after the failure", () => {
    const found = verdict(session, { error: new Error("HTTP 404"), mark: markAfter(2) });
    expect(found).toMatchObject({
      label: "After the failure",
      text: "After the failure: #3 get-or-create acme arrived 5 ms later: was it awaited?",
      request: 2,
    });
    const late = verdict([created, rotated, entry({ id: 3 })], {
      error: new Error("no"),
      mark: markAfter(0),
    });
    expect(late).toMatchObject({
      text: "After the failure: #1 get-or-create acme arrived 5 ms later (2 others followed): was it awaited?",
      request: 1,
    });
  });
});

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

  it("names the last remark, but not that a fault held the request", () => {
    const held = entry({ id: 7, fault: 1, notes: ["fault 1 held the request for 20 ms"] });
    const earlier = entry({ id: 5, notes: ["field nam is not in the interface, ignored"] });
    expect(verdict([earlier, remarked, held], { error: compared(1, 2) })).toMatchObject({
      text: "#6 get-or-create acme: field propertys is not in the interface, ignored; did you mean properties?",
      request: 6,
    });
  });

  it.each<[error: unknown, advice: string]>([
    [new Error("fetch failed"), ". Does your program use this URL, and was the request awaited?"],
    [new MockError("timeout", "Timed out"), ". Does your program use this URL"],
    [
      new Error("no", { cause: new TypeError("Request with GET/HEAD method cannot have body.") }),
      ": fetch cannot send a GET with a body",
    ],
  ])("reports that no request reached the mock: %s", (error, advice) => {
    const url = "http://127.0.0.1:4010/worlds/w3";
    expect(verdict([], { url, error }).text).toContain(
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
