import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ReportedWorld } from "../contract/report-data.js";
import {
  joinRecords,
  type MockRecord,
  type RecordedRequest,
  type ReportJson,
  type WorldRecord,
} from "../contract/report-records.js";
import { inChunks } from "../foundation/in-chunks.js";
import { replaceFile } from "../foundation/save-text.js";
import type { HistoryItem } from "../generated/types.js";
import { appendJsonLine, readJsonLines } from "./json-lines.js";
import { readSlice } from "./read-slice.js";
import type { Run } from "./run.js";

/** Writes down a request as soon as it is answered: the process of the mock may be killed. */
export function recordRequest({ instructions, id }: Run, call: () => RecordedRequest): void {
  if (instructions.reportsTo.length === 0) return;
  const line = call();
  for (const folder of instructions.reportsTo) appendJsonLine(join(folder, `report-${id}.jsonl`), line);
}

/** What `report-<mock>.json` holds: where the JSON of each world is in `report-<mock>.data`, in bytes. */
interface RecordIndex extends Omit<MockRecord, "worlds"> {
  readonly worlds: readonly (Omit<WorldRecord, "json"> & { readonly start: number; readonly end: number })[];
}

/** Writes down everything that a mock knows when it stops. */
export async function recordAll({ instructions, id }: Run, record: () => MockRecord): Promise<void> {
  for (const folder of instructions.reportsTo) {
    try {
      await writeRecord(join(folder, `report-${id}`), record());
    } catch {
      // The command is over, or the disk is full. The requests that were written down one by one are still there.
    }
  }
}

async function writeRecord(path: string, { worlds, ...record }: MockRecord): Promise<void> {
  const written: RecordIndex["worlds"][number][] = [];
  async function* pieces() {
    let end = 0;
    for (const { json, ...world } of worlds.filter(({ requests }) => requests > 0)) {
      const start = end;
      for await (const piece of json()) {
        end += Buffer.byteLength(piece);
        yield piece;
      }
      written.push({ ...world, start, end });
    }
  }
  await replaceFile(`${path}.data`, inChunks(pieces()));
  await replaceFile(`${path}.json`, JSON.stringify({ ...record, worlds: written } satisfies RecordIndex));
}

/** What all mocks of a run saw, in one report. What cannot be read is left out. */
export function collectReports({ folder }: Run, version: string): ReportJson {
  const files = new Set(readdirSync(folder));
  const ids = new Set([...files].flatMap((name) => /^report-(.*)\.jsonl?$/.exec(name)?.[1] ?? []));
  let [unreadable, cut] = [0, 0];
  const mocks = [...ids].sort().map((id): MockRecord => {
    const path = join(folder, `report-${id}`);
    try {
      if (files.has(`report-${id}.json`)) return readRecord(path);
    } catch {
      unreadable++;
    }
    if (!files.has(`report-${id}.jsonl`)) return { seed: undefined, worlds: [], forgotten: 0 };
    const { lines, unreadable: bad, isCut } = readJsonLines<RecordedRequest>(`${path}.jsonl`, maxCallBytes);
    unreadable += bad;
    cut += Number(isCut);
    return { seed: undefined, worlds: fromCalls(lines), forgotten: 0 };
  });
  const problems = [
    unreadable > 0 && `${unreadable} ${unreadable === 1 ? "record" : "records"} of a mock could not be read.`,
    cut > 0 &&
      `The oldest requests of ${cut} ${cut === 1 ? "mock that was" : "mocks that were"} killed are left out.`,
  ].filter((problem) => problem !== false);
  return joinRecords(
    mocks.filter(({ worlds }) => worlds.length > 0),
    version,
    problems,
  );
}

/** Throws if the record is not whole. */
function readRecord(path: string): MockRecord {
  const { worlds, ...record }: RecordIndex = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  if (statSync(`${path}.data`).size < (worlds.at(-1)?.end ?? 0)) {
    throw new Error(`${path}.data is not whole`);
  }
  return {
    ...record,
    worlds: worlds.map(({ start, end, ...world }) => ({
      ...world,
      json: () => [readSlice(`${path}.data`, start, end).text],
    })),
  };
}

/** What is read of the requests of a mock that was killed: the newest. */
const maxCallBytes = 64_000_000;

/** What is known of the worlds of a mock that was killed: its requests, epoch by epoch. */
function fromCalls(calls: readonly RecordedRequest[]): WorldRecord[] {
  return [...groupBy(calls, ({ world }) => world)].map(([name, ofWorld]) => {
    const epochs = [...groupBy(ofWorld, ({ n }) => n)]
      .sort(([a], [b]) => b - a)
      .map(([n, ofEpoch]) => epochOf(n, ofEpoch));
    const [{ n, startedAt, journal } = epochOf(1, []), ...history] = epochs;
    const world: Omit<ReportedWorld, "name"> = {
      n,
      startedAt,
      isDropped: false,
      journal,
      history,
      groups: [],
      faults: [],
      assumed: {},
    };
    const json = JSON.stringify(world);
    const failures = epochs.reduce((sum, epoch) => sum + epoch.failures, 0);
    const { length: requests } = ofWorld;
    return { name, isDropped: false, requests, failures, size: json.length, json: () => [json] };
  });
}

function epochOf(n: number, calls: readonly RecordedRequest[]): ReportedWorld["history"][number] {
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
