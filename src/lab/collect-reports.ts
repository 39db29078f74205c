import { readdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../client/version.js";
import { adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld, worldUrl } from "../fake/contract/world-name.js";
import type { TestList, TestSummary } from "../generated/types.js";
import type {
  AboutReport,
  AboutWorld,
  FailedAttempt,
  ReportedRun,
  ReportLine,
} from "../report/report-data.js";
import { type ReportPart, record, reportLines, textsOf } from "../report/report-lines.js";
import { readFailedAttempts, readSeen } from "../run/begin-run.js";
import { describeNotKept } from "../run/kept-records.js";
import { type TestLine, testName } from "../run/report-test.js";
import { type RecordedRequest, type Run, readJsonLines } from "../run/run-folder.js";

const ofTests = adminTarget("listTests", {});

/**
 * What all mocks of a run saw, as the lines of one report in pieces.
 * @param command of the run, and how it ended
 * @param leftOut gets a sentence for each thing that the report does not include
 */
export function collectReports(
  run: Run,
  command: Pick<ReportedRun, "command" | "exitCode">,
  leftOut: string[],
): Iterable<string> {
  const files = readdirSync(run.folder).sort();
  const ids = [...new Set(files.flatMap((name) => /^(?:report|requests)-([^.]*)/.exec(name)?.[1] ?? []))];
  const ended = readSeen(run).tests.filter(({ result }) => result !== "skipped");
  const retried = new Set(ended.filter(({ result }) => result === "retried").map(({ id }) => id));
  /** The failed attempts that are not in the report yet. */
  const missing = new Set(readFailedAttempts(run));
  const failed: FailedAttempt[] = [];
  const tests: TestSummary[] = [];
  /** World → the first mock that used it. */
  const owners = new Map<string, number>();
  leftOut.push(...describeNotKept(run.folder));
  const counts = { tests: ended.length, failed: ended.filter(({ result }) => result === "failed").length };
  return reportLines(collect(), { version, run: { ...command, ...counts, attempts: failed } }, leftOut);

  function* collect(): Generator<ReportPart> {
    // Dropped worlds usually belong to tests that passed: they are the first that do not fit.
    for (const areDropped of [false, true]) {
      for (const [mock, id] of ids.entries()) {
        const name = `report-${id}.jsonl`;
        const lines = files.includes(name) ? readJsonLines<ReportLine>(join(run.folder, name)) : [];
        // The last line is about the report. A mock that was killed has not written it.
        if (lines.at(-1)?.world === "") yield* copyReport(mock, lines, areDropped);
        else if (!areDropped) yield* recordKilled(mock, id);
      }
    }
    for (const test of missing) yield* recordWithoutRequests(test);
    tests.sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
    yield* record(defaultWorld, ofTests, { tests } satisfies TestList);
  }

  /** The name of a world in the report. Mocks may have worlds of the same name: the first one keeps it. */
  function nameInReport(world: string, mock: number): string {
    if (!owners.has(world)) owners.set(world, mock);
    return owners.get(world) === mock ? world : `${world} of mock ${mock + 1}`;
  }

  function aboutWorld(mock: number, world: string, about: AboutWorld): Iterable<ReportPart> {
    const name = nameInReport(world, mock);
    const last = tests.filter((test) => test.world === name).map(({ epoch }) => epoch);
    for (const test of missing) {
      if (test.url !== about.url) continue;
      missing.delete(test);
      failed.push(showFailed(test, name, Math.max(...last)));
    }
    return record(name, "", about);
  }

  /** Copies the worlds that were used, or in which a test has failed. */
  function* copyReport(mock: number, lines: ReportLine[], areDropped: boolean): Generator<ReportPart> {
    const listed = lines.filter(({ list }) => list === "tests").map(({ value }) => value) as TestSummary[];
    const failedAt = new Set([...missing].map(({ url }) => url));
    const about = lines.filter(({ world, target }) => world !== "" && target === "");
    const isOfFailed = ({ value }: ReportLine) => failedAt.has((value as AboutWorld).url);
    const ofFailed = new Set(about.filter(isOfFailed).map(({ world }) => world));
    const used = listed.filter(({ requests, world }) => requests > 0 || ofFailed.has(world));
    const chosen = used.filter(({ state }) => (state === "dropped") === areDropped);
    const copied = new Set(chosen.map(({ world }) => world));
    for (const test of listed)
      if (copied.has(test.world)) tests.push({ ...test, world: nameInReport(test.world, mock) });
    for (const { world, target, list, of, value } of lines) {
      if (world === "" && !areDropped) leftOut.push(...(value as AboutReport).leftOut);
      if (!copied.has(world) || target === ofTests) continue;
      if (target === "") yield* aboutWorld(mock, world, value as AboutWorld);
      else yield { world: nameInReport(world, mock), target, of, ...(list && { list }), read: () => value };
    }
  }

  /** A mock that was killed has only its requests. They are shown like those of worlds that were dropped. */
  function* recordKilled(mock: number, id: string): Generator<ReportPart> {
    const begun = new Set<string>();
    for (const { url, test, ...recorded } of newestRequests(id)) {
      const { epoch } = test;
      const world = nameInReport(test.world, mock);
      const target = adminTarget("listRequests", { query: { epoch } });
      if (!begun.has(`${epoch} ${world}`)) {
        begun.add(`${epoch} ${world}`);
        tests.push({ ...test, world, state: "dropped" });
        yield* aboutWorld(mock, test.world, url === undefined ? {} : { url: worldUrl(url, test.world) });
        yield { world, target, of: "requests", read: () => ({ requests: [], dropped: 0, epoch }) };
      }
      yield { world, target, of: "requests", list: "requests", read: () => recorded.entry };
      yield textsOf(world, epoch, recorded.entry.id, () => recorded.bodies);
    }
  }

  /** A failed attempt whose world is in no report, because its mock was killed before a request. */
  function* recordWithoutRequests(test: TestLine): Generator<ReportPart> {
    const { id, failure } = test;
    const world = nameInReport(id, ids.length);
    // Each attempt may have had a mock of its own: their epochs may be equal.
    const epoch = failure?.attempt ?? 1;
    const shown = { ...showFailed(test, world, epoch), epoch };
    failed.push(shown);
    const none = { requests: 0, failures: 0 };
    const startedAt = failure?.mark?.at ?? new Date(0).toISOString();
    tests.push({ world, epoch, label: shown.title, state: "dropped", startedAt, ...none });
    yield* record(world, "", test.url === undefined ? {} : { url: test.url });
    const target = adminTarget("listRequests", { query: { epoch } });
    yield { world, target, of: "requests", read: () => ({ requests: [], dropped: 0, epoch }) };
  }

  /** The requests that a mock has recorded, newest first. */
  function* newestRequests(id: string): Generator<RecordedRequest> {
    for (const name of files.filter((name) => name.startsWith(`requests-${id}.`)).reverse())
      yield* readJsonLines<RecordedRequest>(join(run.folder, name)).reverse();
  }

  /** @param last the last epoch of its world, in which it failed if no hook saw that */
  function showFailed(test: TestLine, world: string, last: number): FailedAttempt {
    const { id, framework, file, failure } = test;
    const shown = failure ?? { title: testName(test), framework, file };
    const epoch = failure?.mark?.epoch ?? last;
    return { ...shown, world, epoch, ...(retried.has(id) && { passedLater: true }) };
  }
}
