import type { JournalEntry, JournalPage, TestSummary } from "../generated/types.js";
import { adminOf } from "./admin.js";
import { isReport } from "./embedded-report.js";
import { kindOf } from "./request-facts.js";
import type { View } from "./route.js";
import type { Shown, WorldParts } from "./state.js";

export function isSameTest(one: TestSummary | undefined, other: TestSummary | undefined): boolean {
  return one?.world === other?.world && one?.epoch === other?.epoch;
}

/**
 * Reads a test. Only what may have changed is requested again.
 * @param before what is shown of the same test, if anything
 * @param view of the page: what others show may be older
 */
export async function loadTest(
  test: TestSummary,
  before: Shown | undefined,
  view: View["name"],
): Promise<Shown> {
  const [{ entries, dropped }, world] = await Promise.all([
    loadEntries(test, before?.entries ?? []),
    // What the page knows of a world that was dropped is its last state.
    test.state === "current"
      ? loadWorld(test, before?.world, view)
      : test.state === "dropped" && before?.world,
  ]);
  // What does not fit into a report is missing like what the journal has dropped.
  const missing = isReport ? test.requests - entries.length : dropped;
  return { test, entries, dropped: missing, world: world || undefined };
}

/** @param known newest first */
async function loadEntries(
  { world, epoch, state }: TestSummary,
  known: readonly JournalEntry[],
): Promise<Pick<Shown, "entries" | "dropped">> {
  const admin = adminOf(world);
  const oldestWaiting = known.findLast((entry) => kindOf(entry) === "waiting");
  // Entries up to this one do not change any more. A report has only whole journals.
  const after = isReport ? undefined : oldestWaiting === undefined ? known[0]?.id : oldestWaiting.id - 1;
  const query = after === undefined ? {} : { after };
  const current = state === "current" ? await admin("listRequests", { query }) : undefined;
  const isCurrent = current?.epoch === epoch;
  // The world may have been reset or dropped since the tests were listed.
  const page: JournalPage = isCurrent ? current : await admin("listPastRequests", { id: epoch, query });
  const { requests, total, dropped } = page;
  // The journal drops the oldest entries first, and may have been cleared.
  const left = known.filter(({ id }) => id <= (after ?? 0)).slice(0, total - requests.length);
  const isSame = requests.length === 0 && left.length === known.length;
  return { entries: isSame ? known : [...requests.toSorted((a, b) => b.id - a.id), ...left], dropped };
}

async function loadWorld(
  { world }: TestSummary,
  before: WorldParts | undefined,
  view: View["name"],
): Promise<WorldParts> {
  const admin = adminOf(world);
  const [health, { faults }, { groups }, assumed] = await Promise.all([
    admin("health", {}),
    admin("listFaults", {}),
    before === undefined || view === "groups" ? admin("listGroups", {}) : before,
    before === undefined || view === "assumptions" ? admin("listAssumptions", {}) : before.assumed,
  ]);
  return { groups, groupCount: health.groups, faults, assumed };
}
