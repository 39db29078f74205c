import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { worldUrl } from "../contract/world-name.js";
import { counted } from "../foundation/grammar.js";
import { maxReportSize } from "../report/collect-report.js";
import type { ReportData, ReportedWorld } from "../report/report-data.js";
import { readSeen } from "../run/read-seen.js";
import type { Run } from "../run/run.js";
import { type RecordedRequest, readJsonLines } from "../run/run-folder.js";
import { sharesWorld, testName } from "../run/test-results.js";

/** What all mocks of a run saw, in one report. */
export function collectReports(run: Run, version: string): ReportData {
  const files = readdirSync(run.folder);
  const ids = new Set(files.flatMap((name) => /^report-(.*)\.jsonl?$/.exec(name)?.[1] ?? []));
  let unreadable = 0;
  const reports = [...ids].sort().flatMap((id): ReportData[] => {
    const path = join(run.folder, `report-${id}.json`);
    try {
      if (files.includes(`report-${id}.json`)) return [JSON.parse(readFileSync(path, "utf8"))];
      // A mock that was killed has only its requests.
      const { lines, invalid } = readJsonLines<RecordedRequest>(`${path}l`);
      unreadable += invalid;
      return [{ version, createdAt: "", worlds: groupByWorld(lines), seeds: [], leftOut: [] }];
    } catch {
      unreadable++;
      return [];
    }
  });
  const notRead = unreadable > 0 ? [`${counted(unreadable, "record")} of a mock could not be read.`] : [];
  const seeds = [...new Set(reports.flatMap((report) => report.seeds.map((seed) => JSON.stringify(seed))))];
  const used = reports.flatMap((report, mock) => {
    // A mock has one seed. It is not known of a mock that was killed.
    const seed = seeds.indexOf(JSON.stringify(report.seeds[0]));
    const worlds = report.worlds.filter((world) => countRequests(world) > 0);
    return worlds.map((world) => ({ ...world, ...(seed >= 0 && { seed }), mock }));
  });
  const { tests } = readSeen(run);
  const failed = tests.filter((test) => test.result === "failed" && !sharesWorld(test));
  let size = 0;
  const leftOut: ReportedWorld[] = [];
  // Dropped worlds usually belong to tests that passed.
  const worlds = used
    .toSorted((a, b) => Number(a.isDropped) - Number(b.isDropped))
    .flatMap(({ mock, ...world }) => {
      if (size > maxReportSize) {
        leftOut.push(world);
        return [];
      }
      size += JSON.stringify(world).length;
      const isShared = used.filter(({ name }) => name === world.name).length > 1;
      const name = isShared ? `${world.name} of mock ${mock + 1}` : world.name;
      const test = failed.find((one) => one.world === name);
      if (test === undefined) return { ...world, name };
      return { ...world, name, test: { title: testName(test), framework: test.framework, file: test.file } };
    });
  const requests = leftOut.reduce((sum, world) => sum + countRequests(world), 0);
  const missing = `${leftOut.length} of ${used.length} worlds, with ${counted(requests, "request")}`;
  const limit = `The report is limited to about ${maxReportSize / 1_000_000} MB. It does not include ${missing}.`;
  return {
    version,
    createdAt: new Date().toISOString(),
    worlds,
    seeds: seeds.map((json) => JSON.parse(json)),
    leftOut: [...notRead, ...reports.flatMap((one) => one.leftOut), ...(leftOut.length > 0 ? [limit] : [])],
  };
}

function countRequests({ journal, history }: ReportedWorld): number {
  return history.reduce((sum, past) => sum + past.requests, journal.total + journal.dropped);
}

/** What is known of the worlds of a mock that was killed: its requests, epoch by epoch. */
function groupByWorld(recorded: readonly RecordedRequest[]): ReportedWorld[] {
  return [...new Set(recorded.map(({ world }) => world))].map((name) => {
    const ofWorld = recorded.filter(({ world }) => world === name);
    const epochs = [...new Set(ofWorld.map(({ n }) => n))]
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
