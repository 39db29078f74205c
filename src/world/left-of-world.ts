import type { AssumptionValues } from "../contract/assumptions.js";
import type { GroupDetail } from "../generated/types.js";
import type { Seed } from "../service/seed.js";
import type { Epoch } from "./epoch.js";
import type { LeftOfWorld } from "./journal/journals.js";

/** What every world of a server starts with. */
export interface Base {
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  readonly version: string;
}

/** How many characters of groups are kept of a dropped world. */
const maxLeftCharacters = 100_000;

/** What differs from the seed in a world that is dropped, for its report. */
export function leftOfWorld({ groups, assumptions }: Epoch, base: Base): LeftOfWorld {
  const kept = groupsWithin(groups.changed, maxLeftCharacters);
  return { groups: kept, assumed: changedAssumptions(assumptions, base) };
}

/** The first groups whose JSON has at most so many characters together. */
export function groupsWithin(groups: readonly GroupDetail[], maxCharacters: number): readonly GroupDetail[] {
  let left = maxCharacters;
  const end = groups.findIndex((group) => {
    left -= JSON.stringify(group).length;
    return left < 0;
  });
  return end < 0 ? groups : groups.slice(0, end);
}

/** The assumptions whose value in a world is not that of the server. */
export function changedAssumptions(values: AssumptionValues, { assumptions }: Base): Record<string, string> {
  const initial = new Map<string, string>(Object.entries(assumptions));
  return Object.fromEntries(Object.entries(values).filter(([id, value]) => initial.get(id) !== value));
}
