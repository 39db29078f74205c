import { type FailureName, failureNames } from "../../run/injection.js";
import { doesBreak } from "../../run/test-results.js";
import type { EndedRun, Exploration, ExploreFlags } from "./exploration.js";
import type { FaultRun } from "./fault-runs.js";
import { describeFindings, resultMeanings } from "./fault-words.js";
import { type Cell, checkOnly, type Found, shownTests } from "./findings.js";
import { type PointFinding, planFaults } from "./plan-faults.js";
import { pointsOf } from "./points.js";

const defaultMaxRuns = 200;

/**
 * `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive?
 * Undefined, with a message on standard error, if there is nothing to try.
 */
export async function exploreFaults(
  exploration: Exploration,
  first: EndedRun,
  failures: readonly FailureName[],
  { all = false, maxRuns = defaultMaxRuns }: ExploreFlags,
): Promise<Found | undefined> {
  const { requests: made, withOwnFault, tests: known } = first.seen;
  const tried = made.filter((request) => all || !withOwnFault.has(request));
  if (tried.length === 0) return exploration.giveUp(made.length === 0 ? allRejected : allWithOwnFaults);
  const points = pointsOf(tried, failures, known);
  const suite = { points, first, maxRuns };
  const ended = await exploration.carryOut<FaultRun>((shown, running) => planFaults(suite, shown, running));
  const plan = planFaults(suite, ended, []);
  const found = new Map(plan.findings.map((finding) => [finding.point.name, finding]));
  const rows = tried
    .map((request) => ({ request, cells: failures.map((failure) => found.get(`${request}=${failure}`)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== undefined));
  const findings = rows.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? []));
  const evidenceOf = ({ point, shown: run }: PointFinding) =>
    run && exploration.evidence(run, { inject: [point.injection] });
  const cellOf = (finding: PointFinding): Cell => {
    const { point, result } = finding;
    const world = point.test?.world ?? point.injection.request.world ?? "default";
    return { result, evidence: evidenceOf(finding), world };
  };
  const { isInterrupted } = exploration;
  const [tests, requests, leftOut] = [known.length, tried.length, made.length - tried.length];
  return {
    titles: ["request", ...failures],
    rows: rows.map(({ request, cells }) => ({
      heads: [request],
      cells: cells.map((cell) => (cell === undefined ? { result: "-" } : cellOf(cell))),
    })),
    ...describeFindings(findings, plan, { tests, requests, leftOut, isInterrupted, kinds: failures.length }),
    legend: resultMeanings,
    json: {
      faults: findings.map((finding) => ({
        call: finding.point.request,
        failure: finding.point.injection.failure,
        result: finding.result,
        ...evidenceOf(finding),
        tests: shownTests(testsInFinding(finding)),
      })),
      leftOut,
      flaky: [...plan.flaky.values()].flatMap(({ test, shown: { run, log } }) =>
        shownTests([test]).map((one) => ({ ...one, run: run.name, log })),
      ),
      influenced: shownTests(plan.influenced.values()),
    },
  };
}

const allRejected =
  "Requests reached a mock, but all of them were rejected, so no failure was tried. Make a test send a request that succeeds.";
const allWithOwnFaults =
  "All requests are those of tests that arm a fault or a hold themselves, so they were left out. Add --all to try them.";

/** The test of the point; if it is not known, all tests that failed. */
function testsInFinding({ point, shown }: PointFinding) {
  const tests = shown?.seen.tests ?? [];
  return tests.filter((test) => (point.test === undefined ? doesBreak(test) : test.id === point.test.id));
}

export function wantedFailures(wanted: readonly string[]): readonly FailureName[] {
  checkOnly(wanted, "failure", failureNames);
  return wanted.length === 0 ? failureNames : failureNames.filter((name) => wanted.includes(name));
}
