import type { ReportData } from "../contract/report-data.js";

/** The data of a report, where this page is one: then there is no server to ask. Read before the page is rendered. */
export const report: ReportData | undefined = readReport();

function readReport(): ReportData | undefined {
  const text = document.getElementById("report")?.textContent;
  // The mock that wrote this page wrote its data too.
  return text ? (JSON.parse(text) as ReportData) : undefined;
}

/** Nothing can be changed in a report. */
export const isReport = report !== undefined;
