import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateNow } from "../foundation/clock.js";
import { appendToRuns, inRunFolder, type Run } from "./run-folder.js";
import { sharesWorld, type TestLine } from "./test-results.js";

/**
 * Reports to the run that a test of a framework entry began or ended.
 * @param url of its world
 * @param hasFailed whether the test has failed so far. Unknown if the mock is in another process
 */
export function reportTest(
  run: Run,
  test: Omit<TestLine, "at">,
  url: string,
  hasFailed: () => boolean = () => false,
): void {
  appendToRuns(run, `tests-${process.pid}.jsonl`, { ...test, at: dateNow() } satisfies TestLine);
  const place = placeOf(url, test.world);
  if (test.result === undefined) runningTests().set(place, hasFailed);
  else runningTests().delete(place);
  if (!sharesWorld(test)) return;
  const file = join(run.instructions.countsIn, place);
  inRunFolder(() => {
    if (test.result === undefined) writeFileSync(file, test.id);
    else rmSync(file, { force: true });
  });
}

/** The test that uses a world of a mock: its id, if it shares the world, and whether it has failed, if that is known. */
export function testAt(run: Run, url: string | undefined, world: string) {
  const place = placeOf(url, world);
  const id = inRunFolder(() => readFileSync(join(run.instructions.countsIn, place), "utf8"));
  return { id, hasFailed: runningTests().get(place)?.() };
}

/** Names a world of a mock. By port: a program may use another name of this machine. */
function placeOf(url: string | undefined, world: string): string {
  return `test-at-${url && new URL(url).port}-${world}`;
}

/**
 * Whether the tests that run in this process have failed, by the places of their worlds. Global, because a mock and the
 * entry of a framework are separate bundles.
 */
function runningTests(): Map<string, () => boolean> {
  const key = Symbol.for("usergroup-mock running tests");
  const tests: Map<string, () => boolean> = Reflect.get(globalThis, key) ?? new Map();
  Reflect.set(globalThis, key, tests);
  return tests;
}
