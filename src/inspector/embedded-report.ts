import { adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import type { TestList, TestSummary } from "../generated/types.js";
import { type AboutReport, type AboutWorld, type ReportedTest, readReport } from "../report/report-data.js";

/** The data needs no validation: the mock that wrote this page wrote it too. */
function readEmbedded<Data>(id: string, read: (text: string) => Data): Data | undefined {
  const text = document.getElementById(id)?.textContent;
  return text ? read(text) : undefined;
}

/** Finds a response of the report; undefined if this page is the inspector of a server. */
export const findRecorded = readEmbedded("report", readReport);

export const report = findRecorded?.("", "") as AboutReport | undefined;

/** Whether this page is a report, which is read-only. */
export const isReport = report !== undefined;

/** The command that the report is about; undefined in other reports. */
export const run = report?.run;

/** The failed test that the report is about; undefined in other reports. */
const reportedTest = readEmbedded<ReportedTest>("test", JSON.parse);

/** The tests of the report, newest first. */
const { tests = [] } = (findRecorded?.(defaultWorld, adminTarget("listTests", {})) ??
  {}) as Partial<TestList>;

/** World → the number of its last epoch. */
const lastEpochs = new Map(tests.toReversed().map(({ world, epoch }) => [world, epoch]));

/** What the report knows of a world beside responses. */
export function reportedWorld(name: string): AboutWorld | undefined {
  return findRecorded?.(name, "") as AboutWorld | undefined;
}

/** What a framework reported of a failed test. A report of one test is about the last part of its world. */
export function failedTest({ world, epoch }: TestSummary): ReportedTest | undefined {
  if (run !== undefined) return run.tests.find((test) => test.world === world && test.epoch === epoch);
  const failedIn = reportedTest?.mark?.epoch ?? lastEpochs.get(world);
  return failedIn === epoch ? reportedTest : undefined;
}

/** The test that the page opens on: in a report, those that failed come first. @param tests newest first */
export function findFirst(tests: readonly TestSummary[]): TestSummary | undefined {
  const allFailed = tests.filter((test) => failedTest(test) !== undefined);
  const failed = allFailed.find(({ requests }) => requests > 0) ?? allFailed[0];
  const rejected = isReport ? tests.find(({ failures }) => failures > 0) : undefined;
  const used = tests.find(({ requests }) => requests > 0);
  const unused = tests.find(({ world, state }) => world === defaultWorld && state === "current");
  return failed ?? rejected ?? used ?? unused ?? tests[0];
}
