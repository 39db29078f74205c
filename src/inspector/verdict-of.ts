import type { TestSummary } from "../generated/types.js";
import type { FailureVerdict } from "../report/report-data.js";
import { findVerdict } from "../report/verdict.js";
import { failedTest, findResponse, reportedWorld } from "./embedded-report.js";

/** By world and epoch: a report does not change. */
const verdicts = new Map<string, FailureVerdict>();

/** What the requests of a report show of a test. @param test undefined in a report without requests */
export function verdictOf(test: TestSummary | undefined): FailureVerdict {
  const key = `${test?.world} ${test?.epoch}`;
  const verdict = verdicts.get(key) ?? readVerdict(test);
  verdicts.set(key, verdict);
  return verdict;
}

function readVerdict(test: TestSummary | undefined): FailureVerdict {
  if (test === undefined) {
    return findVerdict({ error: undefined, mark: undefined, entries: [], faults: [], url: undefined });
  }
  const { world, epoch, state } = test;
  const { error, mark, isUnused, verdict } = failedTest(test) ?? {};
  if (isUnused) return { parts: [], faults: [], request: undefined };
  // The terminal and the report say the same.
  if (verdict !== undefined) return verdict;
  const { requests: entries = [] } = findResponse(world, "listRequests", { query: { epoch } }) ?? {};
  const { faults = [] } = (state === "current" && findResponse(world, "listFaults", {})) || {};
  return findVerdict({ error, mark, entries, faults, url: reportedWorld(world)?.url });
}
