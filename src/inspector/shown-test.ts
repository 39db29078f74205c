import type { AssumptionList, Fault, GroupDetail, JournalEntry, TestSummary } from "../generated/types.js";
import { kindOfRequest } from "../report/entry-facts.js";
import { adminOf } from "./admin.js";
import { findFirst, isReport } from "./embedded-report.js";
import { findIssuers } from "./request-facts.js";
import type { Place, View } from "./route.js";

/** The requests of a test, and what follows from them. */
interface ShownRequests {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  /** How many older entries are missing. */
  readonly dropped: number;
  /** Token → the request that issued it. */
  readonly issuers: ReadonlyMap<string, number>;
}

/** A test and what its world has, as far as it was loaded. */
export interface Shown extends ShownRequests {
  readonly test: TestSummary;
  /** Undefined if only the requests are known: the world was reset or dropped since. */
  readonly world: ShownWorld | undefined;
}

/** What a world has beside its requests. Groups and assumptions are loaded for the view that shows them. */
interface ShownWorld {
  /** Groups of the seed that nobody has changed do not count. */
  readonly changedGroups: number;
  readonly faults: readonly Fault[];
  readonly groups?: readonly GroupDetail[] | undefined;
  readonly assumed?: AssumptionList | undefined;
}

export function isSameTest(one: TestSummary | undefined, other: TestSummary | undefined): boolean {
  return one?.world === other?.world && one?.epoch === other?.epoch;
}

/** The test at a place; undefined if there is none. @param tests newest first */
export function findTest(place: Place, tests: readonly TestSummary[]): TestSummary | undefined {
  if (place.follows === "latest") return findFirst(tests);
  const ofWorld = tests.filter(({ world }) => world === place.world);
  if (place.follows === "nothing") return ofWorld.find(({ epoch }) => epoch === place.epoch);
  return ofWorld.find(({ state }) => state === "current") ?? ofWorld[0];
}

/**
 * Reads a test. Only what may have changed is requested again.
 * @param before what is shown of the same test, if anything
 */
export async function loadTest(
  test: TestSummary,
  before: Shown | undefined,
  view: View["name"],
): Promise<Shown> {
  // What the page knows of a world that was dropped is its last state.
  const last = test.state === "dropped" ? before?.world : undefined;
  const [requests, world] = await Promise.all([
    loadRequests(test, before),
    test.state === "current" ? loadWorld(test, before?.world, view) : last,
  ]);
  return { ...requests, test, world };
}

async function loadRequests(
  test: TestSummary,
  before: ShownRequests = { entries: [], dropped: 0, issuers: new Map() },
): Promise<ShownRequests> {
  const { entries: shown } = before;
  const admin = adminOf(test.world);
  // A report has only whole journals.
  const after = isReport ? undefined : lastUnchanging(shown);
  // By its epoch: the world may have been reset or dropped since the tests were listed.
  const { epoch } = test;
  const page = await admin("listRequests", { query: after === undefined ? { epoch } : { epoch, after } });
  const { requests, total } = page;
  // What does not fit into a report is missing like what the journal has dropped.
  const dropped = isReport ? test.requests - requests.length : page.dropped;
  // The journal drops the oldest entries first, and may have been cleared.
  const left = shown.filter(({ id }) => id <= (after ?? 0)).slice(0, total - requests.length);
  if (requests.length === 0 && left.length === shown.length) return { ...before, dropped };
  const entries = [...requests.toSorted((a, b) => b.id - a.id), ...left];
  return { entries, dropped, issuers: findIssuers(entries) };
}

/** The id up to which entries do not change any more: the newest, or the one before the first that waits. */
function lastUnchanging(entries: readonly JournalEntry[]): number | undefined {
  const oldestWaiting = entries.findLast((entry) => kindOfRequest(entry) === "waiting");
  return oldestWaiting === undefined ? entries[0]?.id : oldestWaiting.id - 1;
}

async function loadWorld(
  { world }: TestSummary,
  before: ShownWorld | undefined,
  view: View["name"],
): Promise<ShownWorld> {
  const admin = adminOf(world);
  const [{ changedGroups }, { faults }, listed, assumed] = await Promise.all([
    admin("health", {}),
    admin("listFaults", {}),
    view === "groups" ? admin("listGroups", {}) : before,
    view === "assumptions" ? admin("listAssumptions", {}) : before?.assumed,
  ]);
  return { changedGroups, faults, groups: listed?.groups, assumed };
}
