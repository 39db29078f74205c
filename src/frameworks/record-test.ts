import { Run } from "../run/run.js";
import type { AttemptResult, RecordedTest } from "../run/test-results.js";

/**
 * Tells the `exec` or `explore` around this process, if any, that an attempt of a test begins. Returns what tells how it
 * ended.
 */
export function recordTest(test: RecordedTest): (result: AttemptResult) => void {
  const run = Run.join(process.env);
  run?.recordTest(test);
  return (result) => run?.recordTest({ ...test, result });
}
