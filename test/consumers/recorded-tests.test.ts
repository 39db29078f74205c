import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { variables } from "../../src/options/names.js";
import { beginRun, readSeen, removeRun } from "../../src/run/begin-run.js";
import { testName } from "../../src/run/report-test.js";
import { smoke } from "../long.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { start } from "./processes.js";

vi.setConfig({ testTimeout: 120_000 });

let inUse: PackageInUse;
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(() => inUse?.remove());

const always = ["passes: passed", "a block > fails: failed"];
const sometimes = ["is retried: retried", "is skipped: skipped", "fails as expected: passed"];

/**
 * A suite in `projects/recorded-<project>`, and the results that its entry writes into the directory of a run. npm test
 * runs the first one, which needs no registry.
 */
const suites = [
  {
    framework: "node:test",
    project: "node-test",
    command: ["--test"],
    file: "results.test.js",
    packages: [],
    results: [
      ...always,
      "passes: passed",
      "has a subtest that fails: failed",
      "fails in a later hook: failed",
      "never ends: unfinished",
    ],
    timeoutMs: undefined,
  },
  {
    framework: "vitest",
    project: "vitest",
    command: ["node_modules/vitest/vitest.mjs", "run"],
    file: "results.test.js",
    packages: ["vitest@4", "vite@7"],
    // vitest turns process.exit into an error.
    results: [...always, ...sometimes, "passes: passed", "never ends: failed"],
    timeoutMs: 5_000,
  },
  {
    framework: "Jest",
    project: "jest",
    command: ["node_modules/jest/bin/jest.js"],
    file: "results.test.js",
    packages: ["jest@latest"],
    results: [...always, "is retried: retried", "passes: passed"],
    timeoutMs: 5_000,
  },
  {
    framework: "Playwright",
    project: "playwright",
    command: ["node_modules/@playwright/test/cli.js", "test"],
    file: "results.spec.js",
    packages: ["@playwright/test@latest"],
    results: [...always, ...sometimes],
    timeoutMs: 20_000,
  },
] as const;

describe("a run", () => {
  it.each(smoke(suites))("records the results of tests in $framework", async (suite) => {
    const name = `recorded-${suite.project}`;
    const cwd = await (suite.packages.length === 0 ? inUse.link(name) : inUse.install(name, suite.packages));
    const run = beginRun(
      { assume: {}, tried: [], options: {}, inject: [], learns: false, reports: false },
      undefined,
    );
    try {
      const env = { [variables.run]: run.folder };
      await using testing = start(process.execPath, suite.command, { cwd, env });
      expect(await testing.ended(100_000), testing.output()).toBe(1);
      const { tests } = readSeen(run);
      expect(tests.map((test) => `${testName(test)}: ${test.result}`).toSorted()).toEqual(
        suite.results.toSorted(),
      );
      const { framework, file, timeoutMs } = suite;
      for (const test of tests) {
        expect(test).toMatchObject({ framework, file });
        expect(test.timeoutMs).toBe(timeoutMs);
      }
      expect(new Set(tests.map(({ id }) => id)).size).toBe(tests.length);
      expect(new Set(tests.map(({ world }) => world)).size).toBe(tests.length);
    } finally {
      removeRun(run);
    }
  });
});
