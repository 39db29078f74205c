import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type PackageInUse, usePackage } from "../consumers/package-in-use.js";
import { start } from "../consumers/processes.js";

/** How often each suite is explored. */
const times = Number(process.env.EXPLORE_RUNS ?? "1");

vi.setConfig({ testTimeout: times * 1_200_000 });

let inUse: PackageInUse;
let cwd: string;
const measured: Record<string, object> = {};
beforeAll(async () => {
  inUse = await usePackage();
  cwd = await inUse.install("truths", ["vitest@4", "vite@7", "jest@latest", "@playwright/test@latest"]);
});
afterAll(async () => {
  await inUse?.remove();
  console.table(measured);
});

interface FaultReport {
  readonly faults: readonly { readonly call: string; readonly failure: string; readonly result: string }[];
  readonly leftOut: number;
}

const suites: readonly [framework: string, ...command: string[]][] = [
  ["vitest", "node_modules/vitest/vitest.mjs", "run", "vitest.test.mjs"],
  ["Jest", "node_modules/jest/bin/jest.js", "jest.test.js"],
  ["Playwright", "node_modules/@playwright/test/cli.js", "test", "playwright.spec.js"],
  ["node:test", "--test", "node.test.cjs"],
];

/** The truth about a cell is the last word of its test's title. Requests of the hook that cleans up survive or are absent. */
function truthOf(call: string): string | undefined {
  const [test = "", request = ""] = call.split("/");
  const word = /-(survives|recovers|breaks|absent|flaky)-[0-9a-f]{8}$/.exec(test)?.[1];
  return word === "flaky" || request.endsWith("#1") ? word : "of the hook";
}

describe.each([0.1, 0.3])("explore --faults of tests of which one fails with probability %f", (flakiness) => {
  it.each(suites)("in %s knows the truth about the others", async (framework, ...command) => {
    let [flaky, flakyBreaks, runs, seconds] = [0, 0, 0, 0];
    for (let n = 1; n <= times; n++) {
      const bin = "node_modules/usergroup-mock/dist/cjs/bin.js";
      const flags = ["--faults", "--json", "--only", "reset,lost,garbled", "--logs", "logs"];
      const args = [bin, "explore", ...flags, "--", process.execPath, ...command];
      const began = performance.now();
      let exploring = start(process.execPath, args, { cwd, env: { FLAKINESS: `${flakiness}` } });
      // The flaky test may fail in the first run too.
      for (let code = await exploring.ended(1_200_000); code === 1; code = await exploring.ended(1_200_000)) {
        exploring = start(process.execPath, args, { cwd, env: { FLAKINESS: `${flakiness}` } });
      }
      const report: FaultReport = JSON.parse(exploring.stdout());
      seconds += Math.round((performance.now() - began) / 1000);
      runs += exploring.output().match(/^\d+\/about \d+ /gm)?.length ?? 0;
      expect(report.leftOut).toBeGreaterThanOrEqual(2);
      for (const { call, failure, result } of report.faults) {
        const truth = truthOf(call);
        if (truth === "flaky") {
          flaky++;
          if (result === "breaks") flakyBreaks++;
        } else if (truth === "of the hook") expect(result, `${call}=${failure}`).not.toBe("hangs");
        else expect(result, `${call}=${failure}`).toBe(truth);
      }
    }
    measured[`${framework} ${flakiness}`] = {
      flaky,
      flakyBreaks,
      runs: runs / times,
      seconds: seconds / times,
    };
  });
});
