import type { JournalEntry } from "../generated/types.js";
import { endOf } from "../report/entry-facts.js";

/** When a request began, and when it ended, in milliseconds. */
type Timed = Pick<JournalEntry, "id" | "at" | "durationMs">;

/**
 * Whether the later request began before the earlier one ended. `at` has no fractions of a millisecond: requests that
 * may have followed each other within one do not count.
 */
export function overlap(a: Timed, b: Timed): boolean {
  const [earlier, later] = a.id < b.id ? [a, b] : [b, a];
  return Date.parse(later.at) + 1 <= endOf(earlier);
}
