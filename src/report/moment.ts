import { durationWords } from "../foundation/grammar.js";
import type { Delivery, JournalEntry } from "../generated/types.js";
import { endOf } from "./entry-facts.js";
import type { FailureMark, ReportedError } from "./report-data.js";

/** The requests of a failed test, as they were when a hook first saw the failure. All lists are oldest first. */
export interface Moment {
  readonly at: number | undefined;
  /** Those that had arrived. */
  readonly before: readonly JournalEntry[];
  /** Those of them that had no response yet, though they may have ended since. */
  readonly waiting: readonly JournalEntry[];
  /** Those that arrived later. */
  readonly after: readonly JournalEntry[];
}

/** The mock notices within this time that a client has closed the connection. */
const noticedWithinMs = 100;

/** @param mark undefined if no hook saw the failure: then nothing came after it */
export function splitAt(
  entries: readonly JournalEntry[],
  mark: FailureMark | undefined,
  error?: ReportedError,
): Moment {
  const all = entries.toSorted((a, b) => a.id - b.id);
  if (mark === undefined) {
    return {
      at: undefined,
      before: all,
      waiting: all.filter(({ outcome }) => outcome === "pending"),
      after: [],
    };
  }
  const at = Date.parse(mark.at);
  const before = all.filter(({ id }) => id <= mark.lastRequest);
  /** Whether the client gave up first. At the time limit of the framework, it had not. */
  const gaveUp = (entry: JournalEntry) =>
    error?.kind !== "time-limit" &&
    entry.cause?.code === "caller-left" &&
    endOf(entry) <= at + noticedWithinMs;
  return {
    at,
    before,
    waiting: before.filter((entry) => mark.waiting.includes(entry.id) && !gaveUp(entry)),
    after: all.filter(({ id }) => id > mark.lastRequest),
  };
}

/** The words of the line below which everything is that came later. */
export const failureLine = "the test failed here";

/** How long after the failure a request arrived: `14 ms `; empty if that is not known. */
export function arrivedAfter({ at }: JournalEntry, moment: Moment): string {
  return durationAfter(Date.parse(at), moment);
}

/** How late a request ended that waited at the failure; undefined if it still waits. */
export function endedText(entry: JournalEntry, moment: Moment): string | undefined {
  const { delivery, durationMs } = entry;
  if (delivery === undefined || durationMs === null) return undefined;
  return `${endings[delivery]} ${durationAfter(endOf(entry), moment)}after the failure`;
}

const endings: Readonly<Record<Delivery, string>> = {
  complete: "its response was sent",
  cut: "a part of its response was sent",
  none: "the mock closed the connection",
  "caller-left": "the client closed the connection",
};

function durationAfter(time: number, { at = time, after: [first] }: Moment): string {
  // The arrival of this request showed the failure. When that was is not known.
  if (first !== undefined && Date.parse(first.at) <= at) return "";
  return `${durationWords(Math.max(1, time - at))} `;
}
