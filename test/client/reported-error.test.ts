import { AssertionError } from "node:assert";
import { describe, expect, it } from "vitest";
import { reportedError } from "../../src/client/reported-error.js";
import { MockError } from "../../src/index.js";

describe("reportedError", () => {
  it("returns what an assertion compared, as text", () => {
    const error = new AssertionError({ message: "not equal", expected: { a: 1 }, actual: "x" });
    expect(reportedError(error)).toMatchObject({
      message: "not equal",
      expected: "{\n  a: 1\n}",
      actual: "x",
    });
  });

  it("returns no values if vitest shows no difference: it searched for one value in the other", () => {
    const error = Object.assign(new Error("expected [] to include 5"), { expected: 5, actual: [] });
    expect(reportedError({ ...error, message: error.message, showDiff: false })).toEqual({
      message: "expected [] to include 5",
      kind: "assertion",
    });
  });

  it("returns what a matcher of Jest compared", () => {
    const error = Object.assign(new Error("\u001b[31mexpect\u001b[39m(received)"), {
      matcherResult: { expected: 200, actual: 404 },
    });
    expect(reportedError(error)).toEqual({
      message: "expect(received)",
      kind: "assertion",
      expected: "200",
      actual: "404",
    });
  });

  it("recognises a snapshot of vitest, whose error has no name of its own", () => {
    const error = Object.assign(new Error("Snapshot `a test 1` mismatched"), { diff: "- a\n+ b" });
    expect(reportedError(error)).toMatchObject({ kind: "assertion", diff: "- a\n+ b" });
  });

  it("returns the code of an error of ours", () => {
    const error = new MockError("fault_never_fired", "One fault did not fire.");
    expect(reportedError(error)).toMatchObject({ kind: "mock", code: "fault_never_fired" });
  });

  it("recognises an error of ours in Playwright, which has its name only in the message", () => {
    expect(reportedError({ message: "MockError: 1 of 1 fault did not fire." })?.kind).toBe("mock");
  });

  it("returns a field once that an error has in common with its cause", () => {
    const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const error = Object.assign(new Error("not saved", { cause }), { code: "ECONNRESET" });
    expect(reportedError(error)?.causes).toEqual(["read ECONNRESET", "code: ECONNRESET"]);
  });

  it("returns the difference that vitest prints below the message", () => {
    const error = Object.assign(new Error("expected 1 to be 2"), { diff: "- 2\n+ 1" });
    expect(reportedError(error)).toMatchObject({ kind: "assertion", diff: "- 2\n+ 1" });
  });

  it("returns the messages of its causes, and the fields in which clients store a response", () => {
    const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    const cause = Object.assign(new TypeError("fetch failed", { cause: reset }), {
      response: { status: 503, data: "busy" },
    });
    const error = Object.assign(new Error("not saved", { cause }), {
      statusCode: 500,
      success: 0,
      body: null,
    });
    expect(reportedError(error)?.causes).toEqual([
      "fetch failed",
      "read ECONNRESET",
      "statusCode: 500",
      "success: 0",
      "response status: 503",
      "response body: busy",
      "code: ECONNRESET",
    ]);
    const circular = new Error("a");
    circular.cause = circular;
    expect(reportedError(circular)?.causes).toHaveLength(5);
  });

  it("returns no fields that a framework has made of functions", () => {
    // vitest sends errors from its workers as plain objects.
    const sent = {
      name: "Error",
      message: "no",
      constructor: "Function<Error>",
      toString: "Function<toString>",
    };
    expect(reportedError(sent)).toEqual({ message: "no" });
  });

  it.each([
    ["AbortError", Object.assign(new Error("no"), { name: "AbortError" })],
    ["a code of undici", new Error("no", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } })],
    ["axios", Object.assign(new Error("timeout of 300ms exceeded"), { code: "ECONNABORTED" })],
  ])("recognises a client that gave up: %s", (_, error) => {
    expect(reportedError(error)?.kind).toBe("abort");
  });

  it("accepts anything that can be thrown", () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(reportedError("a string")).toEqual({ message: "a string" });
    expect(reportedError({ value: "of Playwright" })).toEqual({ message: "of Playwright" });
    expect(reportedError(circular)).toEqual({ message: "<ref *1> {\n  self: [Circular *1]\n}" });
    expect(reportedError(undefined)).toBeUndefined();
    const large = new AssertionError({ message: "m", expected: "x".repeat(30_000), actual: undefined });
    expect(reportedError(large)?.expected).toHaveLength(20_000);
    expect(reportedError(large)?.actual).toBe("undefined");
  });
});
