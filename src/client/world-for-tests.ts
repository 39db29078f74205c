import { resolve } from "node:path";
import { type AdminClient, adminTarget } from "../fake/contract/admin-calls.js";
import { defaultWorld } from "../fake/contract/world-name.js";
import type { RejectedRequest } from "../fake/server/guard.js";
import { dateNow } from "../foundation/clock.js";
import { printable } from "../foundation/printable.js";
import { saveText } from "../foundation/save-text.js";
import type { FaultList, JournalPage, ReportQuery, TestList } from "../generated/types.js";
import { describeFailure } from "../report/describe-requests.js";
import { splitAt } from "../report/moment.js";
import type { ElsewhereRequest } from "../report/no-request.js";
import {
  type FailureMark,
  type FailureVerdict,
  type ReportedTest,
  readReport,
} from "../report/report-data.js";
import { dataOf, withTest } from "../report/report-page.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { findVerdict, verdictLines } from "../report/verdict.js";
import type { TestAtWorld, TestsInWorlds } from "../run/joined-run.js";
import type { World } from "./world.js";

/**
 * The one name under which the entries of the frameworks find what is not public: in a `World`, what a test needs of it,
 * and in `globalThis`, the server that a set-up has started. A property with a global symbol, because entries, set-ups
 * and the rest are separate bundles, and a framework may load each of them more than once.
 */
export const hidden = Symbol.for("usergroup-mock");

/** The test of a framework that uses a world, for its mock. */
export interface TestInWorld extends TestAtWorld {
  /** Called with the number of a request when it has arrived in the world. */
  readonly onRequest: (id: number) => void;
  /** Called with a request to any world that the guard rejected: no journal has it. */
  readonly onRejected: (request: RejectedRequest) => void;
}

/** What the test of a framework needs of its world. */
interface WorldForTests {
  /** The test uses the world from now on. A mock in another process does not know it. */
  begin(test: TestInWorld): void;
  end(test: TestInWorld): void;
  /**
   * The moment at which it is called.
   * @param before the request that has just arrived, if it is the first one after the failure
   */
  mark(before?: number): Promise<FailureMark>;
  /** Reads the world once, for the output of a failed test and its report. */
  explain(test: ReportedTest): Promise<ExplainedFailure>;
}

interface ExplainedFailure {
  readonly verdict: FailureVerdict;
  /** Its lines. Empty if there is nothing to say beside the error. */
  readonly text: string;
  /** Empty if there were none. */
  readonly requests: string;
  /** Saves the report. Resolves to its absolute path. */
  save(path: string): Promise<string>;
}

export function forTests(world: World): WorldForTests {
  return Reflect.get(world, hidden);
}

/** What this needs of the mock. */
interface MockOfWorld {
  /** Makes admin calls in a world. */
  readonly client: (world: string) => AdminClient;
  /** Reads the report of a world, as HTML. */
  readonly report: (world: string, what: ReportQuery) => Promise<Iterable<string>>;
  readonly tests: TestsInWorlds<TestInWorld>;
}

/** Adds to a world what tests need of it. */
export function addForTests(world: World, { client, report, tests }: MockOfWorld): World {
  const { name } = world;
  const call = client(name);
  const added: WorldForTests = {
    begin: (test) => void tests.set(name, test),
    end: (test) => {
      // The next one may have begun.
      if (tests.get(name) === test) tests.set(name, "ended");
    },
    async mark(before = Number.POSITIVE_INFINITY) {
      const now = new Date(dateNow()).toISOString();
      const { requests: listed, epoch } = await call("listRequests", { query: {} });
      const at = listed.find(({ id }) => id === before)?.at ?? now;
      const requests = listed.filter(({ id }) => id < before);
      const waiting = requests.filter(({ outcome }) => outcome === "pending").map(({ id }) => id);
      return { at, epoch, lastRequest: requests.at(-1)?.id ?? 0, waiting };
    },
    async explain(test) {
      const page = [...(await report(name, {}))].join("");
      const ended = [...tests].filter(([, one]) => one === "ended").map(([other]) => other);
      return readFailure(world, page, test, (since) => findElsewhere(client, ended, since));
    },
  };
  return Object.defineProperty(world, hidden, { value: added });
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
      await saveText(file, withTest([page], name, { ...test, verdict }));
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
