import type { JournalEntry } from "../generated/types.js";

export const outcomes = [
  "success",
  "failure",
  "fault",
  "pending",
] as const satisfies JournalEntry["outcome"][];

export type OutcomeCounts = Readonly<Record<JournalEntry["outcome"], number>>;

export function countOutcomes(entries: readonly JournalEntry[]): OutcomeCounts {
  const counts = { success: 0, failure: 0, fault: 0, pending: 0 };
  for (const { outcome } of entries) counts[outcome]++;
  return counts;
}

export function addCounts(a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts {
  return {
    success: a.success + b.success,
    failure: a.failure + b.failure,
    fault: a.fault + b.fault,
    pending: a.pending + b.pending,
  };
}
