import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { worldUrl } from "../contract/world-name.js";
import { counted } from "../foundation/grammar.js";
import { mergeReports } from "../report/merge-reports.js";
import type { ReportData, ReportedWorld } from "../report/report-data.js";
import { readJsonLines } from "../run/json-lines.js";
import { readSeen } from "../run/read-seen.js";
import type { RecordedRequest } from "../run/record-requests.js";
import type { Run } from "../run/run.js";
import { sharesWorld, testName } from "../run/test-results.js";

/** What is read at most of the records of all mocks, in bytes. */
const maxReadBytes = 200_000_000;

/** What all mocks of a run saw, in one report. */
export function collectReports(run: Run, version: string): ReportData {
  const { folder } = run;
  const files = new Set(readdirSync(folder));
  const ids = new Set([...files].flatMap((name) => /^report-(.*)\.jsonl?$/.exec(name)?.[1] ?? []));
  let [unreadable, left] = [0, maxReadBytes];
  /** Undefined if there is no such file, or if it cannot be read. */
  const read = (name: string, from: (path: string) => ReportData): ReportData | undefined => {
    if (!files.has(name)) return undefined;
    const path = join(folder, name);
    try {
      const { size } = statSync(path);
      // A record that is too long must not keep out those of other mocks.
      if (size <= left) {
        left -= size;
        return from(path);
      }
    } catch {}
    unreadable++;
    return undefined;
  };
  const fromRequests = (path: string): ReportData => {
    const { lines, invalid } = readJsonLines<RecordedRequest>(path);
    unreadable += invalid;
    return { version, createdAt: "", worlds: groupByWorld(lines), seeds: [], leftOut: [] };
  };
  const reports = [...ids].sort().flatMap(
    // A mock that was killed has only its requests.
    (id) => read(`report-${id}.json`, readReport) ?? read(`report-${id}.jsonl`, fromRequests) ?? [],
  );
  const notRead = `${counted(unreadable, "record")} of a mock could not be read.`;
  const merged = mergeReports(reports, version, unreadable > 0 ? [notRead] : []);
  const { tests } = readSeen(run);
  const failed = tests.filter((test) => test.result === "failed" && !sharesWorld(test));
  const worlds = merged.worlds.map((world) => {
    const test = failed.find((one) => one.world === world.name);
    if (test === undefined) return world;
    const { framework, file } = test;
    return { ...world, test: { title: testName(test), framework, file } };
  });
  return { ...merged, worlds };
}

function readReport(path: string): ReportData {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** What is known of the worlds of a mock that was killed: its requests, epoch by epoch. */
function groupByWorld(recorded: readonly RecordedRequest[]): ReportedWorld[] {
  return distinct(recorded.map(({ world }) => world)).map((name) => {
    const ofWorld = recorded.filter(({ world }) => world === name);
    const epochs = distinct(ofWorld.map(({ n }) => n))
      .sort((a, b) => b - a)
      .map((n) => groupEpoch(n, ofWorld));
    const [{ n, startedAt, journal } = groupEpoch(1, []), ...history] = epochs;
    const url = ofWorld.find((one) => one.url !== undefined)?.url;
    const unknown = { isDropped: false, groups: [], faults: [], assumed: {} };
    return {
      name,
      ...(url !== undefined && { url: worldUrl(url, name) }),
      n,
      startedAt,
      journal,
      history,
      ...unknown,
    };
  });
}

function groupEpoch(n: number, ofWorld: readonly RecordedRequest[]): ReportedWorld["history"][number] {
  const recorded = ofWorld.filter((one) => one.n === n);
  const requests = recorded.map(({ entry }) => entry).sort((a, b) => a.id - b.id);
  const total = requests.length;
  const [first] = recorded;
  const label = first?.label === undefined ? {} : { label: first.label };
  const texts = Object.fromEntries(recorded.map(({ entry, bodies }) => [entry.id, bodies]));
  return {
    n,
    ...label,
    startedAt: requests[0]?.at ?? "",
    endedAt: requests.at(-1)?.at ?? "",
    requests: total,
    failures: requests.filter(({ outcome }) => outcome === "failure").length,
    journal: { requests, total, dropped: 0, epoch: n, texts, ...label },
  };
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
