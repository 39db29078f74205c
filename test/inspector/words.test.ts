import { describe, expect, it } from "vitest";
import type { Cause, JournalEntry } from "../../src/generated/types.js";
import { hasWords, shortCause, statusText } from "../../src/inspector/words.js";
import { entry, faulted, rejected, waiting } from "../report/entries.js";

const noResponse = (code: Cause["code"]): JournalEntry =>
  entry({ id: 1, delivery: "none", response: null, cause: { code, message: "" } });

describe("the list of requests", () => {
  it.each<[status: string, entry: JournalEntry]>([
    ["200", entry({ id: 1 })],
    ["404", rejected(1, { code: "unknown_token", message: "" })],
    ["503", faulted(1)],
    ["200 cut", entry({ id: 1, delivery: "cut" })],
    ["waiting", waiting(1)],
    ["aborted", noResponse("caller-left")],
    ["no response", noResponse("fault")],
    ["no response", noResponse("stopped")],
  ])("shows as the status of a request: %s", (status, request) => {
    expect(statusText(request)).toBe(status);
  });

  it.each<[cause: string, given: Omit<Cause, "message">]>([
    ["stale token", { code: "unknown_token", request: 2 }],
    ["lost a race", { code: "unknown_token", request: 2, concurrent: true }],
    ["unknown token", { code: "unknown_token" }],
    ["invalid body", { code: "invalid_body" }],
    ["invalid JSON", { code: "invalid_json" }],
    ["fault 3", { code: "fault", fault: 3 }],
    ["injected failure", { code: "injected" }],
    ["aborted", { code: "caller-left", fault: 3 }],
    ["the world was reset", { code: "reset" }],
    ["the mock was stopped", { code: "stopped" }],
  ])("shows as the cause of a failure: %s", (cause, given) => {
    expect(shortCause({ ...given, message: "The whole sentence." })).toBe(cause);
  });
});

it("a search finds texts with all of its words, in any case and order", () => {
  const text = "#2 404 rotate acme stale token";
  expect(["", "acme", "ROTATE", "token 404"].map((search) => hasWords(text, search))).toEqual(
    Array(4).fill(true),
  );
  expect(["acme globex", "created"].map((search) => hasWords(text, search))).toEqual([false, false]);
});
