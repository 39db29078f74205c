import type { TestList, TestSummary } from "../generated/types.js";
import type { RecordedEpoch } from "./journal/journals.js";
import type { ServedWorld } from "./served-world.js";

/** The most tests that are listed. */
const maxTests = 20_000;

/** An epoch of a world: usually one test. */
export interface Test {
  readonly world: ServedWorld;
  readonly epoch: RecordedEpoch;
  readonly state: TestSummary["state"];
}

/** Every epoch of these worlds, newest first. */
export function findTests(worlds: readonly ServedWorld[]): readonly Test[] {
  const tests = worlds.flatMap((world) => {
    const { isPreview, epoch: current, past } = world;
    const epochs: readonly RecordedEpoch[] = isPreview ? past : [current, ...past];
    const state = (epoch: RecordedEpoch) => (isPreview ? "dropped" : epoch === current ? "current" : "past");
    return epochs.map((epoch) => ({ world, epoch, state: state(epoch) }) as const);
  });
  return tests.sort((a, b) => b.epoch.startedAt - a.epoch.startedAt || b.epoch.number - a.epoch.number);
}

export function listTests(all: readonly Test[]): TestList {
  const tests = all.slice(0, maxTests).map(({ world, epoch, state }) => showTest(world.name, epoch, state));
  return { tests, left_off: all.length - tests.length };
}

export function showTest(world: string, epoch: RecordedEpoch, state: TestSummary["state"]): TestSummary {
  const { number, label, startedAt, endedAt, journal } = epoch;
  return {
    world,
    epoch: number,
    ...(label !== undefined && { label }),
    state,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
    ...journal.counts,
  };
}
