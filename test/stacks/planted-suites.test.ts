import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { failureNames } from "../../src/run/injection.js";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { start } from "../consumers/processes.js";

/** How often each suite is explored. */
const times = Number(process.env.EXPLORE_RUNS ?? "1");

vi.setConfig({ testTimeout: times * 1_200_000 });

let inUse: PackageInUse;
const measured: Record<string, object> = {};
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(async () => {
  await inUse?.remove();
  console.table(measured);
});

interface FaultReport {
  readonly faults: readonly {
    readonly call: string;
    readonly failure: string;
    readonly result: string;
    readonly tests: readonly { readonly name: string; readonly file: string; readonly result: string }[];
  }[];
  readonly influenced: readonly { readonly name: string; readonly file: string }[];
}

/** Explores a suite. Runs are counted by the lines of progress. */
async function explore(cwd: string, command: readonly string[], flags: readonly string[] = []) {
  const bin = "node_modules/usergroup-mock/dist/cjs/bin.js";
  const args = [bin, "explore", "--faults", "--json", "--logs", "logs", ...flags, "--", ...command];
  const began = performance.now();
  await using exploring = start(process.execPath, args, { cwd });
  const code = await exploring.ended(1_200_000);
  expect(code, exploring.output()).toBe(0);
  const report: FaultReport = JSON.parse(exploring.stdout());
  const runs = exploring.output().match(/^\d+\/\d+ /gm)?.length ?? 0;
  return { report, runs, seconds: Math.round((performance.now() - began) / 1000) };
}

const brokenIn = ({ faults }: FaultReport) =>
  faults
    .filter(({ result }) => result !== "survives")
    .map(({ call, failure, tests }) => {
      const request = call.slice(call.indexOf("/") + 1);
      return `${tests.map(({ name, result }) => `${name} ${result}`)}: ${request}=${failure}`;
    });

/** The bugs of `projects/planted.cjs`. */
const planted: readonly [customer: number, point: string][] = [
  [0, "get-or-create:acme#1=unavailable"],
  [3, "rotate:acme#1=throttled"],
  [6, "get-or-create:acme#1=reset"],
  [9, "rotate:acme#1=lost"],
  [12, "get-or-create:acme#1=silent"],
  [15, "rotate:acme#1=garbled"],
  [18, "get-or-create:acme#1=cut"],
  [21, "rotate:acme#1=unavailable"],
  [24, "get-or-create:acme#1=throttled"],
  [27, "rotate:acme#1=reset"],
];
const plantedIn = (count: number, perFile: number) =>
  planted
    .filter(([customer]) => customer < count)
    .map(([n, point]) => `file ${"abc".charAt(n / perFile)} > customer ${n} failed: ${point}`);

const suites = [
  {
    name: "vitest",
    count: 30,
    perFile: 10,
    command: ["node_modules/vitest/vitest.mjs", "run"],
    packages: ["vitest@4", "vite@7"],
  },
  {
    name: "jest",
    count: 6,
    perFile: 3,
    command: ["node_modules/jest/bin/jest.js"],
    packages: ["jest@latest"],
  },
  {
    name: "playwright",
    count: 6,
    perFile: 3,
    command: ["node_modules/@playwright/test/cli.js", "test"],
    packages: ["@playwright/test@latest"],
  },
  { name: "node-test", count: 6, perFile: 3, command: ["--test"], packages: [] },
] as const;

describe("explore --faults of a suite with planted bugs", () => {
  for (const { name, count, perFile, command, packages } of suites) {
    it(`in ${name} finds exactly these`, async () => {
      const cwd = await inUse.install(`planted-${name}`, packages);
      for (let n = 1; n <= times; n++) {
        const { report, runs, seconds } = await explore(cwd, [process.execPath, ...command]);
        expect(brokenIn(report).toSorted()).toEqual(plantedIn(count, perFile).toSorted());
        expect(report.faults).toHaveLength(count * 2 * failureNames.length);
        expect(report.influenced).toEqual([]);
        measured[`${name} ${n}`] = { points: report.faults.length, runs, seconds };
      }
    });
  }
});

describe("explore --faults of tests that influence each other", () => {
  it("reports the influenced tests, and finds what single runs find", async () => {
    const cwd = await inUse.install("entangled-vitest", ["vitest@4", "vite@7"]);
    const flags = ["--only", "unavailable,lost"];
    const { report, runs, seconds } = await explore(
      cwd,
      [process.execPath, "node_modules/vitest/vitest.mjs", "run"],
      flags,
    );
    expect(report.influenced).toEqual([{ name: "second", file: "entangled.test.js" }]);
    const broken = report.faults.filter(({ result }) => result === "breaks");
    expect(
      broken.map(({ call, failure }) => `${call.replace(/-[0-9a-f]{8}/, "")}=${failure}`).toSorted(),
    ).toEqual([
      "first/get-or-create:acme#1=lost",
      "first/get-or-create:acme#1=unavailable",
      "first/rotate:acme#1=lost",
      "first/rotate:acme#1=unavailable",
    ]);
    for (const { tests } of broken) {
      expect(tests.filter(({ result }) => result !== "passed")).toEqual([
        { name: "second", file: "entangled.test.js", result: "failed" },
      ]);
    }
    measured.entangled = { points: report.faults.length, runs, seconds };
  });
});
