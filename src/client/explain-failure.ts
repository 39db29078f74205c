import { resolve } from "node:path";
import { type AdminClient, adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import { dateNow } from "../foundation/clock.js";
import { printable } from "../foundation/printable.js";
import { saveText } from "../foundation/save-text.js";
import type { FaultList, JournalPage, TestList } from "../generated/types.js";
import { describeFailure } from "../report/describe-requests.js";
import { splitAt } from "../report/moment.js";
import type { ElsewhereRequest } from "../report/no-request.js";
import { type ReportedTest, readReport } from "../report/report-data.js";
import { dataOf, withTest } from "../report/report-page.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { findVerdict, verdictLines } from "../report/verdict.js";
import type { World } from "./world.js";
import { type ExplainedFailure, type WorldFailures, worldFailures } from "./world-failures.js";

/** What a world needs of its mock to explain a failure. */
interface FailureSource {
  /** Makes admin calls in a world. */
  readonly client: (world: string) => AdminClient;
  /** Reads the report of the world, as HTML. */
  readonly report: () => Promise<Iterable<string>>;
}

/** Adds what the entries need to a world. */
export function addFailures(world: World, { client, report }: FailureSource): World {
  const call = client(world.name);
  const added: WorldFailures = {
    async mark(before = Number.POSITIVE_INFINITY) {
      const now = new Date(dateNow()).toISOString();
      const { requests: listed, epoch } = await call("listRequests", { query: {} });
      const at = listed.find(({ id }) => id === before)?.at ?? now;
      const requests = listed.filter(({ id }) => id < before);
      const waiting = requests.filter(({ outcome }) => outcome === "pending").map(({ id }) => id);
      return { at, epoch, lastRequest: requests.at(-1)?.id ?? 0, waiting };
    },
    async explain(test, ended = []) {
      const page = [...(await report())].join("");
      return readFailure(world, page, test, (since) => findElsewhere(client, ended, since));
    },
  };
  return Object.defineProperty(world, worldFailures, { value: added });
}

async function readFailure(
  { name, url }: World,
  page: string,
  test: ReportedTest,
  findOutside: (since: string) => Promise<ElsewhereRequest | undefined>,
): Promise<ExplainedFailure> {
  const find = readReport(dataOf(page));
  // The mock has written these responses itself.
  const { tests } = find(defaultWorld, adminTarget("listTests", {})) as TestList;
  const { epoch = 0, startedAt = "" } =
    tests.find(({ world, state }) => world === name && state === "current") ?? {};
  const recorded = find(name, adminTarget("listRequests", { query: { epoch } })) as JournalPage | undefined;
  const { faults } = find(name, adminTarget("listFaults", {})) as FaultList;
  const entries = recorded?.requests ?? [];
  const { error, mark } = test;
  const elsewhere = entries.length === 0 ? await findOutside(startedAt) : undefined;
  const verdict = findVerdict({ error, mark, entries, faults, url, elsewhere });
  // Its error lists all rejected requests.
  const isInError = verdict.repeatsError || error?.code === "failures";
  const lines = verdictLines(isInError ? { ...verdict, parts: [] } : verdict);
  return {
    verdict,
    text: lines.map((line) => printable(shortenTokens(line))).join("\n"),
    requests: describeFailure(splitAt(entries, mark, error), faults, verdict),
    async save(path) {
      const file = resolve(path);
      await saveText(file, withTest([page], { ...test, verdict }));
      return file;
    },
  };
}

/**
 * The first request that arrived in the world of an earlier test since this test began.
 * @param ended the worlds of tests that have ended
 */
async function findElsewhere(
  client: (world: string) => AdminClient,
  ended: readonly string[],
  since: string,
): Promise<ElsewhereRequest | undefined> {
  if (ended.length === 0) return undefined;
  const { tests } = await client(defaultWorld)("listTests", {});
  const isUsed = (world: string) =>
    tests.some((test) => test.world === world && test.state === "current" && test.requests > 0);
  for (const world of ended.filter(isUsed)) {
    const { requests } = await client(world)("listRequests", { query: {} });
    const request = requests.find(({ at }) => at >= since);
    if (request === undefined) continue;
    // The world of a test that has passed was dropped, and has begun again without a label.
    const test = tests.find((one) => one.world === world && one.label !== undefined)?.label ?? world;
    return { test, request };
  }
  return undefined;
}
