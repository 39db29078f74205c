import type { JournalEntry } from "../generated/types.js";
import { arrivedAfter, endedText, failureLine, type Moment, splitAt } from "../report/moment.js";
import { failedTest } from "./embedded-report.js";
import type { Shown } from "./shown-test.js";
import { RequestLink } from "./shown-text.js";

/** The moment at which the shown test failed; undefined if no hook saw it. */
export function momentOf({ test, entries }: Shown): Moment | undefined {
  const { mark, error } = failedTest(test) ?? {};
  return mark && splitAt(entries, mark, error);
}

export function cameAfter({ id }: JournalEntry, moment: Moment | undefined): boolean {
  return id >= (moment?.after[0]?.id ?? Number.POSITIVE_INFINITY);
}

/** The line of the list below which everything is that came after the failure, and when it came. */
export function FailedHere({ moment }: { readonly moment: Moment }) {
  const ends = moment.waiting.map((entry) => ({ entry, text: endedText(entry, moment) }));
  const arrivals = moment.after.slice(0, 1).map((entry) => ({
    entry,
    text: `arrived ${arrivedAfter(entry, moment)}after the failure: was it awaited?`,
  }));
  return (
    <>
      <li class="failed-here">{failureLine}</li>
      {[...ends, ...arrivals]
        .filter(({ text }) => text !== undefined)
        .map(({ entry, text }) => (
          <li class="late" key={entry.id}>
            <RequestLink id={entry.id} /> {text}
          </li>
        ))}
    </>
  );
}
