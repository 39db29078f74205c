import { configDefaults, defineConfig } from "vitest/config";
import { ensureGenerated } from "./src/build/ensure-built.mjs";
import { SkippedTestsReporter } from "./test/skipped-tests-reporter.js";

// Types and validators are never those of another schema.
await ensureGenerated();

/** They measure the memory of their own process. */
const alone = ["test/heavy/alone/*.test.ts"];

/** They measure memory, processor time and fidelity, or repeat on a larger scale: `npm run test:heavy`. */
const heavy = [
  "test/build/bin.test.ts",
  "test/heavy/*.test.ts",
  "test/lab/explore/explore-suites.test.ts",
  "test/lab/verify/strangers.test.ts",
  "test/report/report-memory.test.ts",
  "test/report/report-size.test.ts",
];

/** They start processes, take what the build made, or take long. */
const slow = [
  "test/bench/*.test.ts",
  "test/build/*.test.ts",
  "test/cli/*.test.ts",
  "test/client/lifecycle.test.ts",
  "test/consumers/*.test.ts",
  "test/frameworks/playwright-setup.test.ts",
  "test/lab/*.test.ts",
  "test/lab/explore/exploration.test.ts",
  "test/lab/explore/explore.test.ts",
  "test/lab/explore/explore-faults.test.ts",
  "test/lab/explore/explore-shared-world.test.ts",
  "test/lab/verify/verify.test.ts",
  "test/options/options*.test.ts",
  "test/run/run.test.ts",
];

/** They need a browser: `npm run test:browser`. */
const browser = ["test/inspector/browser/*.test.ts"];

/** They need a registry, another test framework, or programs beside Node: `npm run test:package`. */
const stacks = ["test/stacks/*.test.ts"];

/** All others are quick. */
export const notQuick = [...alone, ...heavy, ...slow, ...browser, ...stacks];

/** A test and what it polls for take seconds, but on a busy machine minutes. */
const patient = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 120_000 } } };

/** Two cores are idle for a third of the time with two workers: many tests wait. */
const together = { sequence: { groupOrder: 0 }, maxWorkers: 3 };

/** One project after the other. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } });

const temporaryFolder = "test/temporary-folder.ts";
const buildFirst = "test/build-first.ts";
const packOnce = "test/consumers/pack-once.ts";

/** Projects of `npm test`: quick, slow. They need Node and node_modules, and nothing else; so do heavy and alone. */
export default defineConfig({
  test: {
    reporters: ["default", new SkippedTestsReporter()],
    projects: [
      {
        // No processes, nothing built: what one runs after every change.
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...notQuick, "test/consumers/projects/**"],
          globalSetup: [temporaryFolder],
          ...patient,
          ...together,
          // No test leaves anything behind in its process, and loading all anew for every file takes longer than most.
          isolate: false,
        },
      },
      {
        test: {
          name: "slow",
          include: slow,
          exclude: [...configDefaults.exclude, ...heavy],
          globalSetup: [temporaryFolder, buildFirst, packOnce],
          ...patient,
          ...together,
          // As above. These tests measure the memory of other processes only.
          isolate: false,
        },
      },
      {
        test: {
          name: "heavy",
          include: heavy,
          globalSetup: [temporaryFolder, buildFirst],
          ...patient,
          ...together,
          isolate: false,
        },
      },
      {
        test: {
          name: "alone",
          include: alone,
          globalSetup: [temporaryFolder, buildFirst],
          ...patient,
          ...together,
        },
      },
      {
        // A real browser against the real server.
        test: {
          name: "browser",
          include: browser,
          globalSetup: [temporaryFolder, buildFirst, "test/inspector/browser-setup.ts"],
          ...patient,
          ...inTurn(1),
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "stacks",
          include: stacks,
          globalSetup: [temporaryFolder, buildFirst, packOnce],
          // A registry takes its time.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          ...inTurn(2),
          maxWorkers: 2,
        },
      },
    ],
  },
});
