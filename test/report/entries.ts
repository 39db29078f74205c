import type { JournalEntry } from "../../src/generated/types.js";

/** A journal entry: by default a look-up that succeeded after 1 ms. */
export function entry(given: Partial<JournalEntry> & { readonly id: number }): JournalEntry {
  return {
    at: new Date(Date.UTC(2026, 0, 31) + 10 * given.id).toISOString(),
    operation: "get-or-create",
    group: { team_id: 3, provided_id: "acme" },
    outcome: "success",
    request: { method: "GET", path: "/api/user", headers: {}, body: { user_group_id: "acme" } },
    response: { status: 200, headers: {}, body: { user_group: { team_id: 3, provided_id: "acme" } } },
    effect: "found",
    delivery: "complete",
    durationMs: 1,
    assumed: {},
    known: [],
    fault: null,
    cause: null,
    notes: [],
    ...given,
  };
}

/** An entry that was rejected. */
export function rejected(id: number, cause: NonNullable<JournalEntry["cause"]>): JournalEntry {
  return entry({
    id,
    outcome: "failure",
    effect: "none",
    response: { status: 404, headers: {}, body: {} },
    cause,
  });
}

/** An entry that a fault failed before it had an effect. */
export function faulted(id: number, fault = 1): JournalEntry {
  const message = `Fault ${fault} responded with 503; the request had no effect.`;
  return entry({
    id,
    outcome: "fault",
    effect: "none",
    fault,
    response: { status: 503, headers: {}, body: {} },
    cause: { code: "fault", message, fault },
  });
}

/** An entry that a fault holds. */
export function waiting(id: number, fault = 1): JournalEntry {
  const { delivery, ...held } = entry({
    id,
    outcome: "pending",
    effect: "none",
    fault,
    response: null,
    durationMs: null,
  });
  return held;
}
