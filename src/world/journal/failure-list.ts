import { whyOf } from "../../contract/why.js";
import type { FailureList, FailureSummary } from "../../generated/types.js";
import type { HostedWorld } from "../hosted-world.js";
import type { PastEpoch } from "./history.js";
import type { Entry } from "./journal.js";
import { responseOf } from "./show-entry.js";

/** More rows than anybody reads. */
const maxRows = 1_000;

interface JournalOfWorld extends Pick<PastEpoch, "world" | "number" | "label" | "journal"> {}

/** What failed in these worlds, by world, epoch and cause, newest first. */
export function failureList(worlds: readonly HostedWorld[]): FailureList {
  const rows: { readonly journal: JournalOfWorld; readonly cause: string; count: number; last: Entry }[] = [];
  for (const journal of worlds.flatMap(journalsOf)) {
    if (journal.journal.counts.failures === 0) continue;
    const byCause = new Map<string, { count: number; last: Entry }>();
    for (const entry of journal.journal) {
      if (entry.outcome !== "failure") continue;
      const cause = entry.reply?.failure?.code ?? entry.delivered?.delivery ?? "none";
      byCause.set(cause, { count: (byCause.get(cause)?.count ?? 0) + 1, last: entry });
    }
    for (const [cause, found] of byCause) rows.push({ journal, cause, ...found });
  }
  rows.sort((a, b) => b.last.at - a.last.at || b.last.id - a.last.id);
  const failures: FailureSummary[] = [];
  for (const { journal, cause, count, last } of rows.slice(0, maxRows)) {
    const { world, number, label } = journal;
    const { id, outcome, effect, fault, notes, delivered } = last;
    const delivery = delivered && { delivery: delivered.delivery };
    // The body of the request is not needed, so it is not parsed.
    const why = whyOf({ outcome, response: responseOf(last), ...delivery, effect, fault, notes: [...notes] });
    failures.push({
      world,
      epoch: number,
      ...(label !== undefined && { label }),
      cause,
      count,
      last: id,
      at: new Date(last.at).toISOString(),
      why: why ?? "",
    });
  }
  return { failures, left_off: rows.length - failures.length };
}

function journalsOf(world: HostedWorld): JournalOfWorld[] {
  const { number, label, journal } = world.epoch;
  return [
    { world: world.name, number, label, journal },
    ...world.past.filter((past) => past.number !== number),
  ];
}
