import type { Change } from "./changes.js";
import { groupBy } from "./group-by.js";

/** The changes of one run. */
export type Round = readonly Change[];

/**
 * Run k gives each place its k-th change: places do not disturb each other. What has no place is alone in a run.
 * @param withPlainTurns each place skips one run, so that its test also runs beside the failures of others without its own
 */
export function planRounds(changes: readonly Change[], withPlainTurns = false): Round[] {
  const queues = [...groupBy(changes.filter(hasPlace), ({ place }) => place).values()];
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  const rounds: Change[][] = [];
  for (const [index, queue] of queues.entries()) {
    const skipped = withPlainTurns && queues.length > 1 ? index % (longest + 1) : queue.length;
    for (const [turn, change] of queue.entries()) {
      const round = turn < skipped ? turn : turn + 1;
      rounds[round] = [...(rounds[round] ?? []), change];
    }
  }
  const together = rounds.filter((round) => round !== undefined && round.length > 0);
  return [...together, ...eachAlone(changes.filter((change) => !hasPlace(change)))];
}

export function eachAlone(changes: readonly Change[]): Round[] {
  return changes.map((change) => [change]);
}

function hasPlace({ place }: Change): boolean {
  return place !== undefined;
}
