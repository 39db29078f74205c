import { counted } from "../foundation/grammar.js";
import { maxReportSize } from "./collect-report.js";
import type { ReportData, ReportedWorld } from "./report-data.js";

/**
 * Joins the reports of several mocks of one run.
 * @param problems one sentence for each thing that is missing already
 */
export function mergeReports(
  reports: readonly ReportData[],
  version: string,
  problems: readonly string[],
): ReportData {
  const seeds = [...new Set(reports.flatMap((report) => report.seeds.map((seed) => JSON.stringify(seed))))];
  const used = reports.flatMap((report, mock) => {
    // A mock has one seed. It is not known of a mock that was killed.
    const seed = seeds.indexOf(JSON.stringify(report.seeds[0]));
    const worlds = report.worlds.filter((world) => countRequests(world) > 0);
    return worlds.map((world) => ({ ...world, ...(seed >= 0 && { seed }), mock }));
  });
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
      return { ...world, name: isShared ? `${world.name} of mock ${mock + 1}` : world.name };
    });
  const requests = leftOut.reduce((sum, world) => sum + countRequests(world), 0);
  const missing = `${leftOut.length} of ${used.length} worlds, with ${counted(requests, "request")}`;
  const limit = `The report is limited to about ${maxReportSize / 1_000_000} MB. It does not include ${missing}.`;
  return {
    version,
    createdAt: new Date().toISOString(),
    worlds,
    seeds: seeds.map((json) => JSON.parse(json)),
    leftOut: [...problems, ...reports.flatMap((one) => one.leftOut), ...(leftOut.length > 0 ? [limit] : [])],
  };
}

function countRequests({ journal, history }: ReportedWorld): number {
  return history.reduce((sum, past) => sum + past.requests, journal.total + journal.dropped);
}
