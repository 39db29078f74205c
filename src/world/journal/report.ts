import type { ReportedSeed } from "../../contract/report-data.js";
import type { RecordedRequest, WorldRecord } from "../../contract/report-records.js";
import { dateNow } from "../../foundation/clock.js";
import type { GroupDetail, HistoryItem, RequestBody } from "../../generated/types.js";
import { type AssumptionValues, showAssumptions } from "../../service/assumptions.js";
import type { Seed } from "../../store/seed.js";
import type { Epoch } from "../epoch.js";
import { withNearMisses } from "../faults/near-misses.js";
import { type LeftOfWorld, type PastEpoch, type RecordedEpoch, showPast } from "./history.js";
import type { Entry } from "./journal.js";
import { showEntry } from "./show-entry.js";

/** More groups than anybody looks through. */
const maxGroups = 5_000;

/** About what a group and a journal take, in characters of JSON. */
const [groupSize, journalSize] = [400, 300];

/** What every world of a server starts with. */
export interface ReportBase {
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
}

/** A world that exists, or what is left of one that was dropped. */
export interface ReportSource {
  readonly name: string;
  /** Undefined if the world was dropped. */
  readonly epoch: Epoch | undefined;
  /** The earlier epochs, newest first. */
  readonly past: readonly PastEpoch[];
  /** The number of the next epoch, if the world was dropped. */
  readonly nextNumber?: number;
}

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

/** What a report has of a world. Its JSON is made when it is asked for. */
export function worldRecord(source: ReportSource, base: ReportBase): WorldRecord {
  const { name, epoch, past } = source;
  const journals = [...(epoch ? [epoch.journal] : []), ...past.map(({ journal }) => journal)];
  const sum = (of: (journal: Epoch["journal"]) => number) =>
    journals.reduce((total, journal) => total + of(journal), 0);
  const groups = epoch?.groups.changed ?? past[0]?.left?.groups ?? [];
  return {
    name,
    isDropped: epoch === undefined,
    requests: sum(({ counts }) => counts.requests),
    failures: sum(({ counts }) => counts.failures),
    size: sum(({ bytes }) => bytes + journalSize) + groups.length * groupSize,
    json: () => worldJson(source, base),
  };
}

function* worldJson({ epoch, past, nextNumber = 1 }: ReportSource, base: ReportBase): Generator<string> {
  const n = epoch?.number ?? nextNumber;
  const startedAt = new Date(epoch?.startedAt ?? past[0]?.endedAt ?? dateNow()).toISOString();
  yield `{"n":${n},"startedAt":"${startedAt}","isDropped":${epoch === undefined},"journal":`;
  yield* journalJson(n, epoch);
  yield `,"history":[`;
  for (const [index, one] of past.entries()) {
    const item: HistoryItem = showPast(one);
    yield `${index === 0 ? "" : ","}${JSON.stringify(item).slice(0, -1)},"journal":`;
    yield* journalJson(one.number, one);
    yield "}";
  }
  yield `],${JSON.stringify(differences(epoch, past, base)).slice(1)}`;
}

function differences(epoch: Epoch | undefined, past: readonly PastEpoch[], base: ReportBase) {
  if (epoch === undefined) {
    const { groups = [], assumed = {} } = past[0]?.left ?? {};
    return { groups, assumed, faults: [] };
  }
  const { groups, faults, assumptions, journal } = epoch;
  // A state that was loaded has replaced the seed.
  const isLoaded = groups.seed !== base.seed;
  const all = isLoaded
    ? groups.list().toSorted((a, b) => Number(a.seeded) - Number(b.seeded))
    : groups.changed;
  return {
    ...(isLoaded && { teams: groups.seed.teams }),
    groups: all.slice(0, maxGroups),
    faults: faults.list().map((fault) => withNearMisses(fault, journal)),
    assumed: changedAssumptions(assumptions, base.assumptions),
  };
}

/** In characters of JSON. */
const maxLeftSize = 100_000;

/** What is kept of a world that is dropped, besides its journals: some groups, and the assumptions that differ. */
export function leftOf({ groups, assumptions }: Epoch, base: AssumptionValues): LeftOfWorld {
  const kept: GroupDetail[] = [];
  let size = 0;
  for (const group of groups.changed) {
    size += JSON.stringify(group).length;
    if (size > maxLeftSize) break;
    kept.push(group);
  }
  return { groups: kept, assumed: changedAssumptions(assumptions, base), size: Math.min(size, maxLeftSize) };
}

function changedAssumptions(values: AssumptionValues, base: AssumptionValues): Record<string, string> {
  const usual = new Map<string, string>(Object.entries(base));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => usual.get(id) !== value));
}

function* journalJson(n: number, epoch: RecordedEpoch | undefined): Generator<string> {
  // More may be added or dropped while the report is written.
  const entries: Entry[] = [...(epoch?.journal ?? [])];
  const texts: [id: number, bodies: RequestBody][] = [];
  yield '{"requests":[';
  for (const [index, entry] of entries.entries()) {
    const { bodies, json, sentJson } = entry;
    // Most texts are just what JSON.stringify makes of the parsed body: leave them out.
    const isPlain = bodies.request === plain(json) && bodies.response === plain(sentJson);
    if (!isPlain) texts.push([entry.id, bodies]);
    const shown = showEntry(entry, epoch?.isListed ?? (() => false));
    yield `${index === 0 ? "" : ","}${JSON.stringify(shown)}`;
  }
  yield '],"texts":{';
  for (const [index, [id, bodies]] of texts.entries()) {
    yield `${index === 0 ? "" : ","}"${id}":${JSON.stringify(bodies)}`;
  }
  const { label, journal } = epoch ?? {};
  const counts = { total: entries.length, dropped: journal?.dropped ?? 0, epoch: n, label };
  yield `},${JSON.stringify(counts).slice(1)}`;
}

function plain(body: unknown): string | null {
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
