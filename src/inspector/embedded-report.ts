import type { ReportData, ReportedTest } from "../report/report-data.js";

/** The data of a report; undefined if this page is the inspector of a server. Read before the page is rendered. */
export const report = readEmbedded("report") as ReportData | undefined;

/** The failed test that the report is about; undefined in other reports. */
export const reportedTest = readEmbedded("test") as ReportedTest | undefined;

/** The data needs no validation: the mock that wrote this page wrote it too. */
function readEmbedded(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** Whether this page is a report, which is read-only. */
export const isReport = report !== undefined;
