import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { failureNames } from "../../src/mock/injection.js";
import { assumptionIds, valuesOf } from "../../src/service/assumptions.js";
import { type ExploredSuite, expectedOutcomes, exploredSuites } from "./explored-suites.js";
import { type PackageInUse, pack } from "./package-in-use.js";
import { start } from "./processes.js";

/** Set by `npm run test:explore`: how often each suite is explored, with every assumption and every failure. */
const runs = Number(process.env.EXPLORE_RUNS ?? "0");
const isQuick = runs === 0;
const times = Math.max(1, runs);

vi.setConfig({ testTimeout: times * 1_200_000 });

/** Ends a run that waits for ever. Others end by themselves, as late as a busy machine lets them. */
const hangsAfter = ["--run-timeout", isQuick ? "12" : "30"];

let inUse: PackageInUse;
const results: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  inUse = await pack();
  const left = exploredSuites.filter(({ quickFailures }) => isQuick && quickFailures.length === 0);
  const names = left.map(({ name }) => name).join(", ");
  if (names !== "") console.warn(`Not explored here, but by npm run test:explore: the suites ${names}`);
});
afterAll(async () => {
  await inUse?.remove();
  if (!isQuick) console.table(results);
});

/** The JSON that `explore` prints, as often as it is run. */
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

/** Expects the same of every run, and keeps it for the table. */
function expectOf(suite: ExploredSuite, what: string, found: readonly object[], expected: object): void {
  const good = found.filter((one) => {
    const same = (value: object) => JSON.stringify(Object.entries(value).sort());
    return same(one) === same(expected);
  });
  results[suite.name] = { ...results[suite.name], [what]: `${good.length} of ${found.length}` };
  for (const one of found) expect(one).toEqual(expected);
}

const explored = exploredSuites.filter(({ quickFailures }) => !isQuick || quickFailures.length > 0);

describe.each(explored.map((suite) => [suite.name, suite] as const))(
  "explore of a suite in %s",
  (name, suite) => {
    const { command, dependsOn, meets, quickFailures } = suite;
    const [program = ""] = command;
    const isMissing = spawnSync(program, ["--version"]).error !== undefined;
    if (isMissing) console.warn(`The suite ${name} is not explored: there is no ${program}`);

    let cwd: string;
    beforeAll(async () => {
      if (!isMissing) cwd = await inUse.install(`explored-${name}`);
    });

    it.skipIf(isMissing)("finds the three assumptions that it depends on, and no other", async () => {
      // Neither is planted anywhere.
      const others = ["old-token", "group-scope"];
      const ids = assumptionIds.filter(
        (id) => !isQuick || [...dependsOn, ...meets.slice(0, 1), ...others].includes(id),
      );
      const found = await explore(cwd, suite, isQuick ? ["--only", ids.join(",")] : []);
      const resultOf = (id: string) =>
        dependsOn.includes(id) ? "breaks" : meets.includes(id) ? "passes" : "not exercised";
      const expected = ids.flatMap((id) =>
        valuesOf(id)
          .slice(1)
          .map((value) => [`${id}=${value}`, resultOf(id)]),
      );
      const shown = found.map((one) => {
        const { findings, dependsOn: ids } = one as AssumptionReport;
        expect(ids.toSorted()).toEqual(dependsOn.toSorted());
        return Object.fromEntries(findings.map(({ id, value, result }) => [`${id}=${value}`, result]));
      });
      expectOf(suite, "assumptions", shown, Object.fromEntries(expected));
    });

    it.skipIf(isMissing)("finds which client survives which failure", async () => {
      const failures = isQuick ? quickFailures : failureNames;
      const hangs = suite.withoutTimeout === "hangs" ? hangsAfter : [];
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
