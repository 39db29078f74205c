import { whyOf } from "../../contract/why.js";
import type { FailureList, FailureSummary } from "../../generated/types.js";
import type { HostedWorld } from "../hosted-world.js";
import type { RecordedEpoch } from "./history.js";
import type { Entry } from "./journal.js";
import { responseOf } from "./show-entry.js";

/** More rows than anybody reads. */
const maxRows = 1_000;

/** Calls of one epoch that failed for the same reason. */
interface FailureRow {
  readonly world: string;
  readonly epoch: RecordedEpoch;
  readonly cause: string;
  readonly count: number;
  readonly last: Entry;
}

/** What failed in these worlds, by world, epoch and cause, newest first. */
export function failureList(worlds: readonly HostedWorld[]): FailureList {
  const rows: FailureRow[] = [];
  for (const { name: world, epoch: current, past } of worlds) {
    for (const epoch of [current, ...past]) {
      if (epoch.journal.counts.failures > 0) rows.push(...rowsOf(world, epoch));
    }
  }
  rows.sort((a, b) => b.last.at - a.last.at || b.last.id - a.last.id);
  const failures: FailureSummary[] = [];
  for (const { world, epoch, cause, count, last } of rows.slice(0, maxRows)) {
    const { number, label } = epoch;
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

function rowsOf(world: string, epoch: RecordedEpoch): Iterable<FailureRow> {
  const byCause = new Map<string, FailureRow>();
  for (const last of epoch.journal) {
    if (last.outcome !== "failure") continue;
    const cause = last.reply?.failure?.code ?? last.delivered?.delivery ?? "none";
    byCause.set(cause, { world, epoch, cause, count: (byCause.get(cause)?.count ?? 0) + 1, last });
  }
  return byCause.values();
}
