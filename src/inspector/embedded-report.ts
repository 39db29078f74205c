import {
  type AdminInput,
  type AdminResponse,
  adminTarget,
  type JsonCallId,
} from "../fake/contract/admin-calls.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import type { TestSummary } from "../generated/types.js";
import {
  type AboutReport,
  type AboutWorld,
  type FailedAttempt,
  readReport,
  type TestOfReport,
} from "../report/report-data.js";

/** The data needs no validation: the mock that wrote this page wrote it too. */
function readEmbedded<Data>(id: string, read: (text: string) => Data): Data | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? read(text) : undefined;
}

const findRecorded = readEmbedded("report", readReport);

export const report = findRecorded?.("", "") as AboutReport | undefined;

/** Whether this page is a report, which is read-only. Otherwise it is the inspector of a server. */
export const isReport = report !== undefined;

/** The command that the report is about; undefined in other reports. */
export const run = report?.run;

/** The failed test that the report is about; undefined in other reports. */
const reportedTest = readEmbedded<TestOfReport>("test", JSON.parse);

/** The response of an admin call that the report has recorded, if it is included. */
export function findResponse<Id extends JsonCallId>(
  world: string,
  id: Id,
  input: AdminInput<Id>,
): AdminResponse<Id> | undefined {
  return findRecorded?.(world, adminTarget(id, input)) as AdminResponse<Id> | undefined;
}

/** The tests of the report, newest first. */
const { tests = [] } = findResponse(defaultWorld, "listTests", {}) ?? {};

/** What the report knows of a world beside responses. */
export function reportedWorld(name: string): AboutWorld | undefined {
  return findRecorded?.(name, "") as AboutWorld | undefined;
}

/** What a framework reported of a test, or of an attempt of a test, that failed. */
export function failedTest(test: TestSummary): Partial<FailedAttempt> | undefined {
  const { world, epoch } = test;
  if (run !== undefined) return run.attempts.find((one) => one.world === world && one.epoch === epoch);
  if (reportedTest?.world !== world) return undefined;
  // A report of one test is about the last part of its world, and has its earlier attempts.
  const ofWorld = tests.filter((one) => one.world === world);
  const failed = ofWorld.find((one) => one.epoch === (reportedTest.mark?.epoch ?? ofWorld[0]?.epoch));
  if (failed?.epoch === epoch) return reportedTest;
  const { attempt = 1, mark, error, line, ...others } = reportedTest;
  const attempts = ofWorld.filter((one) => one.label === failed?.label && one.epoch < (failed?.epoch ?? 0));
  const before = attempts.slice(0, attempt - 1).findIndex((one) => one.epoch === epoch);
  return before < 0 ? undefined : { ...others, attempt: attempt - 1 - before };
}

/** The test that the page opens on. @param all newest first */
export function findFirst(all: readonly TestSummary[]): TestSummary | undefined {
  const isUnused = ({ world, state }: TestSummary) => world === defaultWorld && state === "current";
  return firstOfReport(all) ?? latestUsed(all) ?? all.find(isUnused) ?? all[0];
}

/** In a report, a test that failed comes first, and then one with a rejected request. */
function firstOfReport(all: readonly TestSummary[]): TestSummary | undefined {
  if (!isReport) return undefined;
  const failed = failedFirst(all).filter((test) => failedTest(test) !== undefined);
  const rejected = all.find(({ failures }) => failures > 0);
  return failed.find(({ requests }) => requests > 0) ?? failed[0] ?? rejected;
}

/** The test with the request that began last. */
function latestUsed(all: readonly TestSummary[]): TestSummary | undefined {
  let latest: TestSummary | undefined;
  for (const test of all) if ((test.lastRequestAt ?? "") > (latest?.lastRequestAt ?? "")) latest = test;
  return latest;
}

/** The tests that failed, then those that passed when they were tried again, then the others. */
export function failedFirst(all: readonly TestSummary[]): readonly TestSummary[] {
  const order = all.map((test) => {
    const failed = failedTest(test);
    if (failed === undefined) return { test, place: 2 };
    return { test, place: failed.passedLater ? 1 : 0 };
  });
  return order.sort((a, b) => a.place - b.place).map(({ test }) => test);
}
