import { MockError } from "../../fake/contract/mock-error.js";
import type { FailureName } from "../../run/injection.js";
import { type EndedRun, failureChanges } from "./changes.js";
import { describeFaults, layOutRequests, type TriedFailures } from "./describe-faults.js";
import type { Exploration } from "./exploration.js";
import { confirmingText, type Found, tableLines } from "./findings.js";
import type { Plan } from "./plan-runs.js";

/** `usergroup-mock explore --faults -- <command>`: which single failures of the service does this code survive? */
export async function exploreFaults(
  exploration: Exploration,
  first: EndedRun,
  failures: readonly FailureName[],
): Promise<Found> {
  const { requests: made, withOwnFault, tests } = first.seen;
  const requests = made.filter((request) => exploration.flags.all || !withOwnFault.has(request));
  if (requests.length === 0)
    throw new MockError("nothing_found", made.length === 0 ? allRejected : allWithOwnFaults);
  const changes = failureChanges(requests, failures, tests);
  const tried: TriedFailures = { titles: ["request", ...failures], requests, failures, changes, first };
  const showSeen = ({ findings, next }: Plan) => {
    const results = new Map(findings.map(({ change, result }) => [change, { result }]));
    const sections = layOutRequests(requests, changes, (change) => results.get(change));
    return ["", ...tableLines(tried.titles, sections), "", confirmingText(next)];
  };
  const plan = await exploration.carryOut(changes, first, showSeen);
  return describeFaults(tried, plan, exploration);
}

const allRejected =
  "Requests reached a mock, but all of them were rejected, so no failure was tried. Make a test send a request that succeeds.";
const allWithOwnFaults =
  "All requests are those of tests that arm a fault or a hold themselves, so they were left out. Add --all to try them.";
