import type { ReportData, ReportedTest } from "../contract/report-data.js";

/** The data of a report, where this page is one: then there is no server to ask. Read before the page is rendered. */
export const report = readEmbedded("report") as ReportData | undefined;

/** The test that the report is about, if it is that of a failed test. */
export const reportedTest = readEmbedded("test") as ReportedTest | undefined;

/** The mock that wrote this page wrote its data too. */
function readEmbedded(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}

/** Nothing can be changed in a report. */
export const isReport = report !== undefined;
