import { defaultWorld } from "../contract/world-name.js";
import type { TestSummary } from "../generated/types.js";

/** The test whose requests are shown: the newest one, the current one of a world, or one that the reader chose. */
export type Place =
  | { readonly follows: "newest" }
  | { readonly follows: "world"; readonly world: string }
  | { readonly follows: "nothing"; readonly world: string; readonly epoch: number };

/** Whether a page without a chosen test opens on this one. */
export type Preference = (test: TestSummary) => boolean;

/**
 * The test at a place; undefined if there is none.
 * @param tests newest first
 * @param preferences what the page opens on: the newest test that meets the first one, or else the second one …
 */
export function findTest(
  place: Place,
  tests: readonly TestSummary[],
  preferences: readonly Preference[],
): TestSummary | undefined {
  if (place.follows === "nothing") {
    return tests.find(({ world, epoch }) => world === place.world && epoch === place.epoch);
  }
  if (place.follows === "world") {
    const ofWorld = tests.filter(({ world }) => world === place.world);
    return ofWorld.find(({ state }) => state === "current") ?? ofWorld[0];
  }
  for (const isPreferred of preferences) {
    const found = tests.find(isPreferred);
    if (found !== undefined) return found;
  }
  return tests.find(({ world, state }) => world === defaultWorld && state === "current") ?? tests[0];
}
