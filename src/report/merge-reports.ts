import { chooseWorlds } from "./choose-worlds.js";
import type { ReportData, ReportedWorld } from "./report-data.js";

/**
 * Joins the reports of several mocks of one run.
 * @param problems one sentence for each thing that is missing already
 */
export function mergeReports(
  reports: readonly ReportData[],
  version: string,
  problems: readonly string[] = [],
): ReportData {
  /** The JSON of each seed → its index. */
  const seeds = new Map<string, number>();
  const all = reports.flatMap((report, mock) => {
    const indexes = report.seeds.map((seed) => {
      const json = JSON.stringify(seed);
      const index = seeds.get(json) ?? seeds.size;
      seeds.set(json, index);
      return index;
    });
    return report.worlds.map((world) => {
      const seed = world.seed === undefined ? undefined : indexes[world.seed];
      const { isDropped } = world;
      return { world, seed, mock, isDropped, ...countRequests(world), size: JSON.stringify(world).length };
    });
  });
  const used = all.filter(({ requests }) => requests > 0);
  const { chosen, leftOut } = chooseWorlds(used, 0);
  const isShared = (name: string) => used.filter(({ world }) => world.name === name).length > 1;
  return {
    version,
    createdAt: new Date().toISOString(),
    worlds: chosen.map(({ world, seed, mock }) => ({
      ...world,
      name: isShared(world.name) ? `${world.name} of mock ${mock + 1}` : world.name,
      ...(seed !== undefined && { seed }),
    })),
    seeds: [...seeds.keys()].map((json) => JSON.parse(json)),
    leftOut: [...problems, ...reports.flatMap((report) => report.leftOut), ...leftOut],
  };
}

function countRequests({ journal, history }: ReportedWorld): { requests: number; failures: number } {
  const failed = journal.requests.filter(({ outcome }) => outcome === "failure").length;
  return {
    requests: history.reduce((sum, past) => sum + past.requests, journal.total + journal.dropped),
    failures: history.reduce((sum, past) => sum + past.failures, failed),
  };
}
