import { vi } from "vitest";
import { variables } from "../../src/options/names.js";
import { readSeen } from "../../src/run/begin-run.js";
import type { TestResult } from "../../src/run/report-test.js";
import { ownRun } from "../run/own-run.js";

/** What tests of an entry report to the run that they belong to. */
export async function recordedBy(tests: () => Promise<void>): Promise<readonly TestResult[]> {
  using run = ownRun();
  vi.stubEnv(variables.run, run.folder);
  try {
    await tests();
    return readSeen(run).tests;
  } finally {
    vi.stubEnv(variables.run, undefined);
  }
}
