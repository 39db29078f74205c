import type { ReportedJournal, ReportedSeed, ReportedWorld } from "../../contract/report-data.js";
import type { RecordedRequest, WorldRecord } from "../../contract/report-records.js";
import type { GroupDetail, RequestBody } from "../../generated/types.js";
import { type AssumptionValues, showAssumptions } from "../../service/assumptions.js";
import { bytesOf } from "../bounds.js";
import type { Epoch, EpochParts } from "../epoch.js";
import { faultsWithMisses } from "../faults/near-misses.js";
import type { HostedWorld } from "../hosted-world.js";
import { type LeftOfWorld, type RecordedEpoch, showPast } from "./history.js";
import type { Entry } from "./journal.js";
import { showEntry, showPage } from "./show-entry.js";

/** The most groups of a world in a report. */
const maxGroups = 5_000;

/** The approximate size of a group and of an empty journal in a report. */
const [groupCharacters, journalCharacters] = [400, 300];

/** What every world of a server starts with. */
type ReportBase = Pick<EpochParts, "seed" | "assumptions">;

/** The JSON of a `ReportedSeed`. */
export function seedJson({ seed, assumptions }: ReportBase): string {
  const groups = seed.teams.flatMap(({ team_id }) => [...seed.ofTeam(team_id)].map(([, group]) => group));
  const reported: ReportedSeed = {
    teams: seed.teams,
    groups: groups.slice(0, maxGroups).map((group) => ({ ...group, seeded: true })),
    assumptions: showAssumptions(assumptions).assumptions,
  };
  return JSON.stringify(reported);
}

/** What a report has of a world. The JSON is made on demand. */
export function worldRecord(world: HostedWorld, base: ReportBase): WorldRecord {
  const journals = [world.epoch, ...world.past].map(({ journal }) => journal);
  const count = (of: "requests" | "failures") => journals.reduce((sum, { counts }) => sum + counts[of], 0);
  const { length: groups } = leftOfDropped(world)?.groups ?? world.epoch.groups.changed;
  return {
    name: world.name,
    isDropped: isDropped(world),
    requests: count("requests"),
    failures: count("failures"),
    size: bytesOf(journals) + journals.length * journalCharacters + groups * groupCharacters,
    json: () => worldJson(world, base),
  };
}

const isDropped = ({ isPreview, past }: HostedWorld) => isPreview && past.length > 0;

const leftOfDropped = (world: HostedWorld) => (isDropped(world) ? world.past[0]?.left : undefined);

/** One journal at a time, so that a long history does not block other requests. */
function* worldJson(world: HostedWorld, base: ReportBase): Generator<string> {
  const { epoch, past } = world;
  const reported: Omit<ReportedWorld, "name" | "history"> = {
    n: epoch.number,
    startedAt: new Date(epoch.startedAt).toISOString(),
    isDropped: isDropped(world),
    journal: reportedJournal(epoch),
    ...reportedGroups(world, base),
    faults: faultsWithMisses(epoch),
    assumed: changedAssumptions(epoch.assumptions, base.assumptions),
    ...leftOfDropped(world),
  };
  yield `${JSON.stringify(reported).slice(0, -1)},"history":[`;
  for (const [index, one] of past.entries())
    yield `${index === 0 ? "" : ","}${JSON.stringify({ ...showPast(one), journal: reportedJournal(one) })}`;
  yield "]}";
}

function reportedGroups({ epoch: { groups } }: HostedWorld, base: ReportBase) {
  if (groups.seed === base.seed) return { groups: groups.changed.slice(0, maxGroups) };
  // A state that was loaded has replaced the seed.
  const all = groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded));
  return { teams: groups.seed.teams, groups: all.slice(0, maxGroups) };
}

/** How many characters of groups are kept of a dropped world. */
const maxLeftCharacters = 100_000;

/** What differs from the seed in a world that is dropped. */
export function leftOf({ groups, assumptions }: Epoch, base: AssumptionValues): LeftOfWorld {
  const kept: GroupDetail[] = [];
  let left = maxLeftCharacters;
  for (const group of groups.changed) {
    left -= JSON.stringify(group).length;
    if (left < 0) break;
    kept.push(group);
  }
  return { groups: kept, assumed: changedAssumptions(assumptions, base) };
}

function changedAssumptions(values: AssumptionValues, base: AssumptionValues): Record<string, string> {
  const initial = new Map<string, string>(Object.entries(base));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => initial.get(id) !== value));
}

function reportedJournal(epoch: RecordedEpoch): ReportedJournal {
  const texts: Record<number, RequestBody> = {};
  for (const { id, bodies, json, sentJson } of epoch.journal) {
    // Most texts are what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plainText(json) && bodies.response === plainText(sentJson);
    if (!isPlain) texts[id] = bodies;
  }
  return { ...showPage(epoch, {}), texts };
}

function plainText(body: unknown): string | null {
  return body === null ? null : JSON.stringify(body);
}

/** A request as a run records it. */
export function recordedRequest(
  world: string,
  entry: Entry,
  { number, label, isListed }: RecordedEpoch,
): RecordedRequest {
  return {
    world,
    n: number,
    ...(label !== undefined && { label }),
    entry: showEntry(entry, isListed),
    bodies: entry.bodies,
  };
}
