import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportData, ReportedWorld } from "../contract/report-data.js";
import { dateNow } from "../foundation/clock.js";
import type { HistoryItem, JournalEntry, RequestBody } from "../generated/types.js";
import { appendJsonLine, readJsonLines } from "./json-lines.js";
import type { Run } from "./run.js";

/** A call that a mock of a run has answered. */
interface RecordedCall {
  readonly world: string;
  /** Epoch. */
  readonly n: number;
  readonly label?: string;
  readonly entry: JournalEntry;
  readonly bodies: RequestBody;
}

/** Writes down a call as soon as it is answered: the process of the mock may be killed. */
export function recordCall({ folder, id }: Run, call: RecordedCall): void {
  appendJsonLine(join(folder, `report-${id}.jsonl`), call);
}

/** Writes down everything that a mock knows when it stops. */
export function recordAll({ folder, id }: Run, report: ReportData): void {
  appendJsonLine(join(folder, `report-${id}.json`), report);
}

/** What all mocks of a run saw, in one report. */
export function collectReports({ folder }: Run, version: string): ReportData {
  const files = readdirSync(folder);
  const ids = new Set(files.flatMap((name) => /^report-(.*)\.jsonl?$/.exec(name)?.[1] ?? []));
  const ofMocks = [...ids].sort().map((id) => {
    const whole = `report-${id}.json`;
    if (!files.includes(whole)) return fromCalls(readJsonLines(join(folder, `report-${id}.jsonl`)));
    const { worlds }: ReportData = JSON.parse(readFileSync(join(folder, whole), "utf8"));
    return worlds;
  });
  const called = ofMocks.map((worlds) => worlds.filter(hasCalls)).filter((worlds) => worlds.length > 0);
  const names = called.flat().map(({ name }) => name);
  const isUnique = (name: string) => names.indexOf(name) === names.lastIndexOf(name);
  const worlds = called.flatMap((ofMock, index) =>
    ofMock.map((world) =>
      isUnique(world.name) ? world : { ...world, name: `${world.name} of mock ${index + 1}` },
    ),
  );
  return { version, createdAt: new Date(dateNow()).toISOString(), worlds };
}

function hasCalls({ journal, history }: ReportedWorld): boolean {
  return journal.requests.length > 0 || history.length > 0;
}

/** What is known of the worlds of a mock that was killed: its calls, epoch by epoch. */
function fromCalls(calls: readonly RecordedCall[]): ReportedWorld[] {
  return [...groupBy(calls, ({ world }) => world)].map(([name, ofWorld]) => {
    const epochs = [...groupBy(ofWorld, ({ n }) => n)]
      .sort(([a], [b]) => b - a)
      .map(([n, ofEpoch]) => epochOf(n, ofEpoch));
    const [{ n, startedAt, journal } = epochOf(1, []), ...history] = epochs;
    return {
      name,
      n,
      startedAt,
      isDropped: false,
      journal,
      history,
      teams: [],
      groups: [],
      faults: [],
      assumptions: [],
    };
  });
}

function epochOf(n: number, calls: readonly RecordedCall[]): ReportedWorld["history"][number] {
  const requests = calls.map(({ entry }) => entry).sort((a, b) => a.id - b.id);
  const texts = Object.fromEntries(calls.map(({ entry, bodies }) => [entry.id, bodies]));
  const label = calls[0]?.label;
  const item: HistoryItem = {
    n,
    ...(label !== undefined && { label }),
    startedAt: requests[0]?.at ?? "",
    endedAt: requests.at(-1)?.at ?? "",
    requests: requests.length,
    failures: requests.filter(({ outcome }) => outcome === "failure").length,
  };
  const journal = { requests, total: requests.length, dropped: 0, epoch: n, texts };
  return { ...item, journal: { ...journal, ...(label !== undefined && { label }) } };
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
