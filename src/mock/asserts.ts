import type { AdminClient } from "../contract/admin-calls.js";
import { counted } from "../foundation/grammar.js";
import { MockError } from "../foundation/mock-error.js";
import type { Fault } from "../generated/types.js";
import { describeEntry } from "./describe-entry.js";

export async function assertFaultsFired(call: AdminClient): Promise<void> {
  const { faults } = await call("listFaults", {});
  const unmet = faults.filter((fault) => fault.fired < timesOf(fault));
  if (unmet.length === 0) return;
  const { dropped } = await call("listRequests", { query: { limit: 1 } });
  const details = unmet.flatMap((fault) => {
    const { id, fired, holding, abandoned, active, nearMisses, ...rule } = fault;
    const found = `fired ${fired} of ${timesOf(fault)} times: ${JSON.stringify(rule)}`;
    return [{ path: `/faults/${id}`, message: found }, ...closestTo(fault)];
  });
  const unseen = dropped > 0 ? ` (the journal has dropped ${counted(dropped, "older call")})` : "";
  const message = `${unmet.length} of ${counted(faults.length, "fault")} did not fire as often as armed. Each with the calls that came closest${unseen}:`;
  throw new MockError("fault_never_fired", message, details);
}

function timesOf({ times = 1 }: Fault): number {
  return times === "always" ? 1 : times;
}

function closestTo({ nearMisses = [] }: Fault) {
  if (nearMisses.length === 0) return [{ path: "", message: "no other call came" }];
  return nearMisses.map(({ request, reason }) => ({ path: `/requests/${request}`, message: reason }));
}

export async function assertNoFailures(call: AdminClient): Promise<void> {
  const { requests, dropped } = await call("listRequests", { query: {} });
  const failed = requests.filter(({ outcome }) => outcome === "failure");
  if (failed.length > 0) {
    const details = failed.map((entry) => ({ path: `/requests/${entry.id}`, message: describeEntry(entry) }));
    throw new MockError(
      "failures",
      `${failed.length} of ${counted(requests.length + dropped, "call")} failed:`,
      details,
    );
  }
  if (dropped === 0) return;
  const advice = "Start with a larger journalSize, or call clearRequests() in between.";
  const all = counted(requests.length + dropped, "call");
  const message = `The journal has dropped ${dropped} of ${all}, so nobody knows whether all succeeded. ${advice}`;
  throw new MockError("journal_incomplete", message);
}
