import type { AdminClient } from "../contract/admin-calls.js";
import { MockError } from "../foundation/mock-error.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { Matcher } from "../world/match.js";
import { describeEntry } from "./describe-entry.js";

/** How many of the calls that came close an assert lists for each fault. */
const maxClose = 3;

export async function assertFaultsFired(call: AdminClient): Promise<void> {
  const { faults } = await call("listFaults", {});
  const unmet = faults.filter((fault) => fault.fired < timesOf(fault));
  if (unmet.length === 0) return;
  const { requests, dropped } = await call("listRequests", { query: {} });
  const details = unmet.flatMap((fault) => {
    const { id, fired, holding, active, ...rule } = fault;
    const found = `fired ${fired} of ${timesOf(fault)} times: ${JSON.stringify(rule)}`;
    return [{ path: `/faults/${id}`, message: found }, ...closestTo(fault, requests)];
  });
  const unseen = dropped > 0 ? ` (${dropped} older calls are no longer in the journal)` : "";
  const message = `${unmet.length} of ${faults.length} faults did not fire as often as they were armed to. Each with the calls that came closest${unseen}:`;
  throw new MockError("fault_never_fired", message, details);
}

function timesOf({ times = 1 }: Fault): number {
  return times === "always" ? 1 : times;
}

function closestTo(fault: Fault, requests: readonly JournalEntry[]) {
  const matcher = new Matcher(fault);
  const close = requests
    .filter((entry) => entry.fault !== fault.id)
    .map((entry) => ({
      entry,
      misses: matcher.differences({ operation: entry.operation, json: entry.request.body }),
    }))
    .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
    .slice(0, maxClose);
  if (close.length === 0) return [{ path: "", message: "no other call came" }];
  return close.map(({ entry, misses }) => ({
    path: `/requests/${entry.id}`,
    message:
      misses.length > 0
        ? misses.map((describe) => describe()).join("; ")
        : `it matched, but ${whyNotMet(fault, entry)}`,
  }));
}

/** Why a fault let a call pass that looks as if it matched. */
function whyNotMet({ team_id, skip = 0, probability = 1 }: Fault, entry: JournalEntry): string {
  if (entry.outcome === "pending") return "it is still under way";
  if (entry.outcome === "fault" && entry.fault === null) return "an injected failure took it";
  if (entry.fault !== null) return `fault ${entry.fault} took it`;
  if (entry.outcome === "failure" && entry.effect === "none")
    return "a fault meets only calls that are authenticated and well formed, or it was armed later";
  if (team_id !== undefined)
    return `it may have come from another team than ${team_id}, or before the fault was armed`;
  if (skip > 0) return `the first ${skip} matching calls pass, and those before the fault was armed`;
  if (probability < 1) return `it fires with a probability of ${probability}, and not before it was armed`;
  return "it came before the fault was armed";
}

export async function assertNoFailures(call: AdminClient): Promise<void> {
  const { requests, dropped } = await call("listRequests", { query: {} });
  const failed = requests.filter(({ outcome }) => outcome === "failure");
  if (failed.length > 0) {
    const details = failed.map((entry) => ({ path: `/requests/${entry.id}`, message: describeEntry(entry) }));
    throw new MockError(
      "failures",
      `${failed.length} of ${requests.length + dropped} calls failed:`,
      details,
    );
  }
  if (dropped === 0) return;
  const advice = "Start with a larger journalSize, or call clearRequests() in between.";
  const message = `${dropped} of ${requests.length + dropped} calls are no longer in the journal, so nobody knows whether they failed. ${advice}`;
  throw new MockError("journal_incomplete", message);
}
