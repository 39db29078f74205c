import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isLong, itInLongRun, smoke } from "../long.js";
import type { Line } from "../stacks/versions.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { start } from "./processes.js";

/** How often each suite is explored. */
const times = Number(process.env.EXPLORE_RUNS ?? "1");

vi.setConfig({ testTimeout: times * 1_200_000 });

/** Tests that share nothing and do not fail at random, in one process: few runs, which take little time. */
const someTests = ["--test-name-pattern=gets through|counts|no retries|arms|a subtest", "node.test.cjs"];

/** In `projects/truths`. The first one takes nothing from the registry, so `npm test` explores some of it. */
const suites: readonly [framework: string, packages: readonly Line[], ...command: string[]][] = [
  ["node:test", [], ...(isLong ? ["--test", "node.test.cjs"] : someTests)],
  ["vitest", ["vitest@4", "vite@7"], "node_modules/vitest/vitest.mjs", "run", "vitest.test.mjs"],
  ["Jest", ["jest@latest"], "node_modules/jest/bin/jest.js", "jest.test.js"],
  [
    "Playwright",
    ["@playwright/test@latest"],
    "node_modules/@playwright/test/cli.js",
    "test",
    "playwright.spec.js",
  ],
];

let inUse: PackageInUse;
let cwd: string;
const measured: Record<string, object> = {};
beforeAll(async () => {
  inUse = await usePackage();
  const packages = smoke(suites).flatMap(([, wanted]) => wanted);
  cwd = await (isLong ? inUse.install("truths", packages) : inUse.link("truths"));
});
afterAll(async () => {
  await inUse?.remove();
  if (isLong) console.table(measured);
});

/** The JSON that `explore` prints, and how many runs it made. */
async function explore(flags: readonly string[], command: readonly string[], flakiness: number) {
  const bin = "node_modules/usergroup-mock/dist/cjs/bin.js";
  const args = [bin, "explore", "--json", "--logs", "logs", ...flags, "--", process.execPath, ...command];
  for (let attempt = 1; ; attempt++) {
    await using exploring = start(process.execPath, args, { cwd, env: { FLAKINESS: `${flakiness}` } });
    const code = await exploring.ended(1_200_000);
    // The flaky test may fail in the first run too.
    if (code === 1 && flakiness > 0 && attempt < 10) continue;
    if (code !== 0) throw new Error(`explore ended with ${code}:\n${exploring.output()}`);
    const report = JSON.parse(exploring.stdout());
    return { report, runs: report.runs };
  }
}

/** The truth about a cell is the last word of its test's title. Requests of the hook that cleans up survive or are absent. */
function truthOf(call: string): string | undefined {
  const [test = "", request = ""] = call.split("/");
  const word = /-(survives|recovers|breaks|absent|flaky)-[0-9a-f]{16}$/.exec(test)?.[1];
  if (request.includes(":fragile")) return "flaky that breaks";
  return word === "flaky" || request.endsWith("#1") ? word : "of the hook";
}

describe.each(smoke(suites))("explore of a suite in %s", (framework, _, ...command) => {
  itInLongRun("finds the assumption that it depends on, and no other", async () => {
    const { report } = await explore([], command, 0);
    expect(report.dependsOn).toEqual(["created-status"]);
  });

  it.each(isLong ? [0.1, 0.3] : [0])(
    "finds the known results if a test fails with probability %f",
    async (flakiness) => {
      let [flaky, flakyBreaks, fragile, found, runs] = [0, 0, 0, 0, 0];
      const failures = isLong ? "reset,lost,garbled" : "lost";
      for (let n = 1; n <= times; n++) {
        const explored = await explore(["--faults", "--only", failures], command, flakiness);
        runs += explored.runs;
        expect(explored.report.sum.leftOut).toBeGreaterThanOrEqual(2 * failures.split(",").length);
        expect(explored.report.faults.length).toBeGreaterThanOrEqual(9);
        for (const { call, failure, result } of explored.report.faults) {
          const truth = truthOf(call);
          if (truth === "flaky") {
            flaky++;
            if (result === "breaks") flakyBreaks++;
          } else if (truth === "flaky that breaks") {
            fragile++;
            if (result === "breaks") found++;
          } else if (truth === "of the hook") expect(result, `${call}=${failure}`).not.toBe("hangs");
          else expect(result, `${call}=${failure}`).toBe(truth);
        }
      }
      measured[`${framework} ${flakiness}`] = { flaky, flakyBreaks, fragile, found, runs: runs / times };
      // Too few cells for a rate.
      if (times < 10) return;
      expect(flakyBreaks / flaky).toBeLessThanOrEqual(flakiness / 10);
      if (flakiness <= 0.1) expect(found / fragile).toBeGreaterThanOrEqual(0.8);
    },
  );
});
