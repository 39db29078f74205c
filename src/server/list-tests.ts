import type { TestList } from "../generated/types.js";
import type { RecordedEpoch } from "../world/journal/journals.js";
import type { ServedWorld } from "../world/served-world.js";

/** The most tests that are listed. */
const maxTests = 20_000;

/** Every epoch of these worlds, usually one test each, newest first. */
export function listTests(worlds: readonly ServedWorld[]): TestList {
  const all = worlds.flatMap(({ name, isPreview, epoch: current, past }) => {
    const epochs: readonly RecordedEpoch[] = isPreview ? past : [current, ...past];
    const state = (epoch: RecordedEpoch) => (isPreview ? "dropped" : epoch === current ? "current" : "past");
    return epochs.map((epoch) => ({ world: name, epoch, state: state(epoch) }) as const);
  });
  all.sort((a, b) => b.epoch.startedAt - a.epoch.startedAt || b.epoch.number - a.epoch.number);
  const tests = all.slice(0, maxTests).map(({ world, epoch, state }) => ({
    world,
    epoch: epoch.number,
    ...(epoch.label !== undefined && { label: epoch.label }),
    state,
    startedAt: new Date(epoch.startedAt).toISOString(),
    ...(epoch.endedAt !== undefined && { endedAt: new Date(epoch.endedAt).toISOString() }),
    ...epoch.journal.counts,
  }));
  return { tests, left_off: all.length - tests.length };
}
