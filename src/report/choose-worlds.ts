import { counted } from "../foundation/grammar.js";

/** About how long a report may be, in characters of JSON, so that a browser opens it within seconds. */
export const maxReportSize = 32_000_000;

/** A world that a report could include. */
interface Candidate {
  readonly isDropped: boolean;
  readonly requests: number;
  readonly failures: number;
  /** About how long its JSON is. */
  readonly size: number;
}

/**
 * The worlds that fit into a report: first those that exist, then dropped ones with failures, then the newest.
 * @param forgotten how many journals are not known any more
 * @returns `leftOut`: one sentence for each thing that the report does not include
 */
export function chooseWorlds<World extends Candidate>(
  all: readonly World[],
  forgotten: number,
  maxSize = maxReportSize,
): { readonly chosen: readonly World[]; readonly leftOut: string[] } {
  const fitting = new Set<World>();
  let left = maxSize;
  for (const world of all.toReversed().sort((a, b) => rank(a) - rank(b))) {
    if (world.size > left && fitting.size > 0) continue;
    left -= world.size;
    fitting.add(world);
  }
  const leftOut: string[] = [];
  if (fitting.size < all.length) {
    const missing = all.filter((world) => !fitting.has(world));
    const requests = missing.reduce((sum, world) => sum + world.requests, 0);
    const worlds = `${missing.length} of ${all.length} worlds, with ${counted(requests, "request")}`;
    leftOut.push(`The report is limited to about ${maxSize / 1_000_000} MB. It does not include ${worlds}.`);
  }
  if (forgotten > 0) {
    leftOut.push(`The history is limited. The oldest ${counted(forgotten, "journal")} cannot be included.`);
  }
  return { chosen: all.filter((world) => fitting.has(world)), leftOut };
}

function rank({ isDropped, failures }: Candidate): number {
  return isDropped ? (failures > 0 ? 1 : 2) : 0;
}
