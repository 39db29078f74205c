import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from "vitest";
import { assumptionIds, valuesOf } from "../../src/contract/assumptions.js";
import { failureNames } from "../../src/run/injection.js";
import { isLong, itInLongRun, smoke } from "../long.js";
import { needs } from "../needs.js";
import { type ExploredSuite, expectedOutcomes, exploredSuites } from "./explored-suites.js";
import { type PackageInUse, usePackage } from "./package-in-use.js";
import { start } from "./processes.js";

/** How often each suite is explored. */
const times = Number(process.env.EXPLORE_RUNS ?? "1");

vi.setConfig({ testTimeout: times * 1_200_000 });

let inUse: PackageInUse;
const results: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  inUse = await usePackage();
});
afterAll(async () => {
  await inUse?.remove();
  if (isLong) console.table(results);
});

/** The JSON that each run of `explore` prints. */
async function explore(cwd: string, { command, name }: ExploredSuite, flags: readonly string[]) {
  const bin = "node_modules/usergroup-mock/dist/cjs/bin.js";
  const found: unknown[] = [];
  for (let n = 1; n <= times; n++) {
    const logs = await inUse.folder(
      `logs-${name}-${flags.includes("--faults") ? "faults" : "assumptions"}-${n}`,
    );
    const all = ["--json", "--concurrency", "2", "--logs", logs, ...flags, "--", ...command];
    await using exploring = start(process.execPath, [bin, "explore", ...all], { cwd });
    const code = await exploring.ended(1_200_000);
    if (code !== 0) throw new Error(`explore ended with ${code}:\n${exploring.output()}`);
    found.push(JSON.parse(exploring.stdout()));
  }
  return found;
}

/** Expects this of every run, and keeps the counts for the table. */
function expectOf(suite: ExploredSuite, what: string, found: readonly object[], expected: object): void {
  const good = found.filter((one) => {
    const same = (value: object) => JSON.stringify(Object.entries(value).sort());
    return same(one) === same(expected);
  });
  results[suite.name] = { ...results[suite.name], [what]: `${good.length} of ${found.length}` };
  for (const one of found) expect(one).toEqual(expected);
}

// npm test explores one suite, which needs no registry, with one failure. test/lab/explore/explore.test.ts explores assumptions.
describe.each(smoke(exploredSuites).map((suite) => [suite.name, suite] as const))(
  "explore of a suite in %s",
  (name, suite) => {
    const { dependsOn, exercises, packages } = suite;
    let cwd: string;
    beforeAll(async () => {
      cwd = await inUse.install(`explored-${name}`, packages);
    });
    const needsLanguage = (context: TestContext) => {
      if (name === "python") needs(context, "python3");
    };

    itInLongRun("finds the assumptions that it depends on, and no other", async (context) => {
      needsLanguage(context);
      const found = await explore(cwd, suite, []);
      const judgeAttempts = (id: string) =>
        dependsOn.includes(id) ? "breaks" : exercises.includes(id) ? "passes" : "not exercised";
      const expected = assumptionIds.flatMap((id) =>
        valuesOf(id)
          .slice(1)
          .map((value) => [`${id}=${value}`, judgeAttempts(id)]),
      );
      const shown = found.map((one) => {
        const { findings, dependsOn: found } = one as AssumptionReport;
        expect(found.toSorted()).toEqual(dependsOn.toSorted());
        return Object.fromEntries(findings.map(({ id, value, result }) => [`${id}=${value}`, result]));
      });
      expectOf(suite, "assumptions", shown, Object.fromEntries(expected));
    });

    it("finds which client survives which failure", async (context) => {
      needsLanguage(context);
      const failures = isLong ? failureNames : ["lost"];
      // Ends a run that hangs. Other runs have no time limit: this machine may be busy.
      const hangs = suite.withoutTimeout === "hangs" ? ["--run-timeout", "30"] : [];
      const found = await explore(cwd, suite, ["--faults", "--only", failures.join(","), ...hangs]);
      const shown = found.map((one) =>
        Object.fromEntries(
          (one as FaultReport).faults.map(({ call, failure, result }) => [
            // The fixture for vitest appends a hash to the name of the test.
            `${call.replace(/-[0-9a-f]{8}\//, "/")}=${failure}`,
            result,
          ]),
        ),
      );
      expectOf(suite, "failures", shown, expectedOutcomes(suite, failures));
    });
  },
);

interface AssumptionReport {
  readonly dependsOn: readonly string[];
  readonly findings: readonly { readonly id: string; readonly value: string; readonly result: string }[];
}

interface FaultReport {
  readonly faults: readonly { readonly call: string; readonly failure: string; readonly result: string }[];
}
