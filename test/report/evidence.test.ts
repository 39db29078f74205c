import assert, { AssertionError } from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { MockError } from "../../src/fake/contract/mock-error.js";
import type { JournalEntry } from "../../src/generated/types.js";
import type { FailedLines } from "../../src/report/report-data.js";
import { entry, faulted, rejected } from "./entries.js";
import {
  compared,
  created,
  lost,
  markAfter,
  printed,
  racing,
  request,
  rotated,
  session,
  stale,
  staleText,
  thrownBy,
  token,
  verdict,
  vitestError,
} from "./failed-session.js";

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
    [
      "the status, in two blocks of vitest",
      vitestError("expected '404' to be 200", '- Expected:\n200\n\n+ Received:\n"404"'),
    ],
    [
      "a snapshot of vitest",
      Object.assign(new Error("Snapshot `rotates twice 1` mismatched"), {
        expected: '{\n  "ok": true,\n}',
        actual: '{\n  "problem": "unknown_token",\n}',
        diff: '- Expected\n+ Received\n\n  {\n-   "ok": true,\n+   "problem": "unknown_token",\n  }',
      }),
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
    // Its response was JSON, so it is another text that could not be parsed.
    expect(verdict([created, faulted(2)], { error }).text).toBe("");
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
