import { resolve } from "node:path";
import { type AdminClient, adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import { dateNow } from "../foundation/clock.js";
import { printable } from "../foundation/printable.js";
import { saveText } from "../foundation/save-text.js";
import type { FaultList, JournalPage, TestList } from "../generated/types.js";
import { splitAt } from "../report/moment.js";
import { type ReportedTest, readReport } from "../report/report-data.js";
import { dataOf, withTest } from "../report/report-page.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { findVerdict, verdictText } from "../report/verdict.js";
import { describeFailure } from "./describe-requests.js";
import type { World } from "./world.js";
import { type ExplainedFailure, type WorldFailures, worldFailures } from "./world-failures.js";

/**
 * Adds what the entries need to a world.
 * @param report reads the report of the world, as HTML
 */
export function addFailures(world: World, call: AdminClient, report: () => Promise<Iterable<string>>): World {
  const added: WorldFailures = {
    async mark(before = Number.POSITIVE_INFINITY) {
      const at = new Date(dateNow()).toISOString();
      const { requests: listed, epoch } = await call("listRequests", { query: {} });
      const requests = listed.filter(({ id }) => id < before);
      const waiting = requests.filter(({ outcome }) => outcome === "pending").map(({ id }) => id);
      return { at, epoch, lastRequest: requests.at(-1)?.id ?? 0, waiting };
    },
    explain: async (test) => readFailure(world, [...(await report())].join(""), test),
  };
  return Object.defineProperty(world, worldFailures, { value: added });
}

function readFailure({ name, url }: World, page: string, test: ReportedTest): ExplainedFailure {
  const find = readReport(dataOf(page));
  // The mock has written these responses itself.
  const { tests } = find(defaultWorld, adminTarget("listTests", {})) as TestList;
  const epoch = tests.find(({ world, state }) => world === name && state === "current")?.epoch ?? 0;
  const recorded = find(name, adminTarget("listRequests", { query: { epoch } })) as JournalPage | undefined;
  const { faults } = find(name, adminTarget("listFaults", {})) as FaultList;
  const requests = recorded?.requests ?? [];
  const { error, mark } = test;
  const verdict = findVerdict({ error, mark, entries: requests, faults, url });
  // Its error lists all rejected requests.
  const isInError = verdict.repeatsError || error?.code === "failures";
  const text = isInError ? "" : verdictText(verdict);
  return {
    verdict: requests.length === 0 ? "" : printable(shortenTokens(text)),
    requests: describeFailure(splitAt(requests, mark, error), verdict),
    async save(path) {
      const file = resolve(path);
      await saveText(file, withTest([page], test));
      return file;
    },
  };
}
