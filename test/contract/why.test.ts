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
const answer = (status: number, body: unknown) => ({ status, headers: {}, body });

describe("why a call did not end well", () => {
  it.each<[Partial<JournalEntry>, string | undefined]>([
    [{ outcome: "success", delivery: "complete", response: answer(200, {}), effect: "rotated" }, undefined],
    [{ outcome: "pending", delivery: undefined as never }, "It has not been answered yet."],
    [{ outcome: "pending", delivery: undefined as never, fault: 4 }, "It waits in fault 4."],
    [
      {
        delivery: "complete",
        response: answer(404, { success: 0, error: { code: "unknown_token", message: "No such token." } }),
      },
      "The answer was 404 unknown_token, and nothing happened in the world: No such token.",
    ],
    [
      {
        delivery: "complete",
        response: answer(404, { success: 0, error: { code: "unknown_token", message: "It is stale." } }),
        notes: ["It is stale"],
      },
      "The answer was 404 unknown_token, and nothing happened in the world: It is stale.",
    ],
    [
      { delivery: "complete", response: answer(200, { success: 0 }) },
      "The answer was 200, and nothing happened in the world.",
    ],
    [
      { delivery: "complete", response: answer(200, { success: 0, message: "Wrong." }) },
      "The answer was 200, and nothing happened in the world: Wrong.",
    ],
    [
      {
        outcome: "fault",
        fault: 1,
        delivery: "complete",
        response: answer(503, { success: 0, error: { code: "fault", message: "As it was armed to." } }),
        notes: ["fault 1 answered 503 before anything happened in the world"],
      },
      "The answer was 503, and nothing happened in the world: fault 1 answered 503 before anything happened in the world.",
    ],
    [
      { outcome: "fault", fault: 1, effect: "rotated", notes: ["fault 1 reset the connection"] },
      "No answer was sent, but the token was rotated: fault 1 reset the connection.",
    ],
    [
      { outcome: "fault", delivery: "cut", response: answer(200, '{"succ'), effect: "created" },
      "Only a part of the answer 200 was sent, but the group was created.",
    ],
    [
      { delivery: "caller-left", effect: "updated", notes: ["it left after 100 ms"] },
      "The caller left before it had the answer, but the group was updated: it left after 100 ms.",
    ],
  ])("is told in a sentence: %j", (part, expected) => {
    expect(whyOf(entry(part))).toBe(expected);
  });
});
