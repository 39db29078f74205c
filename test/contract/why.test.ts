import { describe, expect, it } from "vitest";
import { whyOf } from "../../src/contract/why.js";
import type { JournalEntry } from "../../src/generated/types.js";

const entry = (part: Partial<JournalEntry>): JournalEntry => ({
  id: 1,
  at: "2026-01-01T00:00:00.000Z",
  operation: "rotate",
  outcome: "failure",
  request: { method: "POST", path: "/api/user", headers: {}, body: null },
  response: null,
  effect: "none",
  delivery: "none",
  durationMs: 1,
  assumed: {},
  fault: null,
  notes: [],
  ...part,
});
const showResponse = (status: number, body: unknown) => ({ status, headers: {}, body });

describe("whyOf", () => {
  it.each<[Partial<JournalEntry>, string | undefined]>([
    [
      { outcome: "success", delivery: "complete", response: showResponse(200, {}), effect: "rotated" },
      undefined,
    ],
    [{ outcome: "pending", delivery: undefined as never }, "It has no response yet."],
    [{ outcome: "pending", delivery: undefined as never, fault: 4 }, "It is waiting in fault 4."],
    [
      {
        delivery: "complete",
        response: showResponse(404, {
          success: 0,
          error: { code: "unknown_token", message: "No such token." },
        }),
      },
      "The response was 404 unknown_token, and the request had no effect: No such token.",
    ],
    [
      {
        delivery: "complete",
        response: showResponse(404, {
          success: 0,
          error: { code: "unknown_token", message: "It is stale." },
        }),
        notes: ["It is stale"],
      },
      "The response was 404 unknown_token, and the request had no effect: It is stale.",
    ],
    [
      { delivery: "complete", response: showResponse(200, { success: 0 }) },
      "The response was 200, and the request had no effect.",
    ],
    [
      { delivery: "complete", response: showResponse(200, { success: 0, message: "Wrong." }) },
      "The response was 200, and the request had no effect: Wrong.",
    ],
    [
      {
        outcome: "fault",
        fault: 1,
        delivery: "complete",
        response: showResponse(503, { success: 0, error: { code: "fault", message: "A fault." } }),
        notes: ["fault 1 responded with 503 before anything happened in the world"],
      },
      "The response was 503, and the request had no effect: fault 1 responded with 503 before anything happened in the world.",
    ],
    [
      { outcome: "fault", fault: 1, effect: "rotated", notes: ["fault 1 reset the connection"] },
      "No response was sent, but the token was rotated: fault 1 reset the connection.",
    ],
    [
      { outcome: "fault", delivery: "cut", response: showResponse(200, '{"succ'), effect: "created" },
      "Only part of the 200 response was sent, but the group was created.",
    ],
    [
      { delivery: "caller-left", effect: "updated", notes: ["it disconnected after 100 ms"] },
      "The caller disconnected before it received the response, but the group was updated: it disconnected after 100 ms.",
    ],
  ])("explains how a request ended: %j", (part, expected) => {
    expect(whyOf(entry(part))).toBe(expected);
  });
});
