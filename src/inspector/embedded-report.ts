import type { TestSummary } from "../generated/types.js";
import type { ReportData, ReportedTest, ReportedWorld } from "../report/report-data.js";
import type { Preference } from "./find-test.js";

/** The data of a report; undefined if this page is the inspector of a server. Read before the page is rendered. */
export const report = readEmbedded("report") as ReportData | undefined;

/** Whether this page is a report, which is read-only. */
export const isReport = report !== undefined;

/** The failed test that the report is about; undefined in other reports. */
const reportedTest = readEmbedded("test") as ReportedTest | undefined;

/** The data needs no validation: the mock that wrote this page wrote it too. */
function readEmbedded(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** A world of the report. */
export function reportedWorld(name: string): ReportedWorld | undefined {
  return report?.worlds.find((world) => world.name === name);
}

/** What a framework reported of a failed test. It is about the last part of its world. */
export function failedTest({ world, epoch }: TestSummary): ReportedTest | undefined {
  const reported = reportedWorld(world);
  if (reported === undefined) return undefined;
  const last = reported.isDropped ? reported.history[0]?.n : reported.n;
  return epoch === last ? (reported.test ?? reportedTest) : undefined;
}

const hasRequests: Preference = ({ requests }) => requests > 0;

/** What this page opens on. In a report, tests that failed come first. */
export const openedFirst: readonly Preference[] = isReport
  ? [(test) => failedTest(test) !== undefined, ({ failures }) => failures > 0, hasRequests]
  : [hasRequests];
