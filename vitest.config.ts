import { configDefaults, defineConfig } from "vitest/config";
import { generate } from "./src/build/generate.mjs";

// Types and validators are never those of another schema.
await generate();

/** They measure time or memory, so that nothing else may run beside them. */
const alone = [
  "test/cli/serve-ends.test.ts",
  "test/fuzz/fuzz.test.ts",
  "test/http/bystander-rows.test.ts",
  "test/http/cost.test.ts",
  "test/http/deep-and-many.test.ts",
  "test/http/memory.test.ts",
  "test/http/time-outs.test.ts",
  "test/mock/lifecycle.test.ts",
  "test/world/flood.test.ts",
  "test/world/*-memory.test.ts",
];

/** They start processes, take what the build made, or take long. */
const slow = [
  "test/build/*.test.ts",
  "test/cli/*.test.ts",
  "test/http/clients.test.ts",
  "test/http/inspector.test.ts",
  "test/mock/assume-file.test.ts",
  "test/mock/options*.test.ts",
  "test/mock/run.test.ts",
  "test/mock/untrusted.test.ts",
  "test/world/budget.test.ts",
  "test/world/https.test.ts",
  "test/world/journal-bounds.test.ts",
];

const inspector = ["test/inspector/*.test.ts"];
const consumers = ["test/consumers/*.test.ts"];

/** They need other toolchains, or take minutes: `npm run test:stacks` and `npm run test:image` ask for them. */
const onDemand = ["test/stacks/*.test.ts"];

/** All others are quick. */
export const notQuick = [...alone, ...slow, ...inspector, "test/consumers/**", ...onDemand];

/** What a poll waits for comes at once, unless the machine is busy. */
const patient = { testTimeout: 15_000, expect: { poll: { timeout: 10_000 } } };

/** One group after the other: npm and a browser beside them would make the quick tests slow. */
const inTurn = (groupOrder: number) => ({ sequence: { groupOrder } });

const buildFirst = "test/build-first.ts";

export default defineConfig({
  test: {
    projects: [
      {
        // No processes, no browser, nothing installed, nothing built: what one runs after every change.
        test: {
          name: "quick",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...notQuick],
          ...patient,
          ...inTurn(0),
          // No test leaves anything behind in its process, and loading all anew for every file takes longer than most.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "slow",
          include: slow,
          exclude: [...configDefaults.exclude, ...alone],
          globalSetup: [buildFirst],
          ...patient,
          testTimeout: 60_000,
          ...inTurn(1),
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "alone",
          include: alone,
          globalSetup: [buildFirst],
          ...patient,
          ...inTurn(2),
          maxWorkers: 1,
        },
      },
      {
        // A real browser against the real server.
        test: {
          name: "inspector",
          include: inspector,
          globalSetup: [buildFirst, "test/inspector/browser-setup.ts"],
          expect: { poll: { timeout: 15_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...inTurn(3),
          maxWorkers: 2,
        },
      },
      {
        // Packs and installs the package as users do; npm and other runtimes take their time.
        test: {
          name: "consumers",
          include: consumers,
          globalSetup: [buildFirst],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          ...inTurn(3),
          maxWorkers: 2,
        },
      },
      ...(process.env.ON_DEMAND === undefined
        ? []
        : [
            {
              test: {
                name: "on-demand",
                include: onDemand,
                globalSetup: [buildFirst],
                testTimeout: 240_000,
                hookTimeout: 240_000,
                maxWorkers: 1,
              },
            },
          ]),
    ],
  },
});
