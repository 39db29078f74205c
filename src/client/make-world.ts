import { join, resolve } from "node:path";
import { type AdminClient, type AnyAdminInput, maxAdminDepth } from "../fake/contract/admin-calls.js";
import { MockError } from "../fake/contract/mock-error.js";
import { checkWorldName, worldUrl } from "../fake/contract/world-name.js";
import { monotonicNow, sleep } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { isObject, parseBody } from "../foundation/json.js";
import { asError } from "../foundation/located-problem.js";
import { saveText } from "../foundation/save-text.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { Fault, JournalEntry, ReportQuery } from "../generated/types.js";
import { describeExchange, describeTest } from "../report/describe-requests.js";
import { withTest } from "../report/report-page.js";
import type { TestsInWorlds } from "../run/joined-run.js";
import { nameFor } from "../run/name-for.js";
import { reportDirectory, showFailedTest } from "./reported-test.js";
import { traceRejections } from "./trace-rejections.js";
import type { Hold, Requests, World, WorldOptions, WorldState } from "./world.js";
import { addForTests, type TestInWorld } from "./world-for-tests.js";

/** How the worlds of a server are controlled: in this process, or over HTTP. */
export interface Transport {
  readonly url: string;
  /** The first API token of a world. */
  readonly apiToken: (world: string) => string;
  /** The report of the world of that name, as HTML. */
  readonly report: (world: string, what: ReportQuery) => Promise<Iterable<string>>;
  /** Makes admin calls in the world of that name. */
  readonly client: (world: string) => AdminClient;
  /** The tests of frameworks that use its worlds, in this process. */
  readonly tests: TestsInWorlds<TestInWorld>;
}

/**
 * The methods of a world, on top of its admin calls.
 * @param title the label of its resets, unless they have another one
 */
export function makeWorld(
  server: Transport,
  name: string,
  options: WorldOptions = {},
  title?: string,
): World {
  const client = server.client(name);
  const call: AdminClient = async (id, input) => {
    const { query, body }: AnyAdminInput = input;
    return client(id, { ...input, query: asSent(query), body: asSent(body) });
  };
  const waitMs = defaultWait(options);
  const world: World = traceRejections({
    name,
    url: worldUrl(server.url, name),
    get apiToken() {
      return server.apiToken(name);
    },
    health: () => call("health", {}),
    reset: async (request = {}) => {
      const isPlain = isObject(request) && title !== undefined;
      await call("reset", { body: isPlain ? { label: title.slice(0, 1_000), ...request } : request });
    },
    // An export leaves nothing out.
    state: async () => (await call("exportState", {})) as WorldState,
    load: async (fixture) => void (await call("importState", { body: fixture })),
    groups: async () => (await call("listGroups", {})).groups,
    addGroup: (group) => call("addGroup", { body: group }),
    requests: async (filter) => {
      const { requests, dropped } = await call("listRequests", { query: filter ?? {} });
      // Not enumerable: two lists of the same requests are equal.
      return Object.defineProperty(requests, "dropped", { value: dropped }) as Requests;
    },
    history: async () => (await call("listHistory", {})).history,
    clearRequests: async () => void (await call("clearRequests", {})),
    waitForRequest: async (wait = {}) => {
      const body = isObject(wait) ? { timeoutMs: waitMs(), ...wait } : wait;
      const { requests } = await call("waitForRequests", { body });
      // The server returns at least `count` of them.
      return requests[(wait?.count ?? 1) - 1] as JournalEntry;
    },
    describe: async (test = {}) => {
      const [{ requests }, { faults }] = await Promise.all([
        call("listRequests", { query: {} }),
        call("listFaults", {}),
      ]);
      return describeTest(requests, faults, showFailedTest({ title: "", ...test }).error);
    },
    saveReport: async (given = {}) => {
      const { path, test, ...query } = typeof given === "string" ? { path: given } : given;
      const page = await server.report(name, query);
      const { label = name } = path === undefined ? await call("listRequests", { query: { limit: 1 } }) : {};
      const file = resolve(
        path ?? join(options.reportDirectory ?? reportDirectory(), `${nameFor(label)}.html`),
      );
      await saveText(file, test === undefined ? page : withTest(page, name, showFailedTest(test)));
      return file;
    },
    fault: async (fault) => armedFault(call, await call("armFault", { body: fault }), waitMs),
    hold: async (fault = {}, { timeoutMs } = {}) => {
      if (timeoutMs !== undefined) checkTimeout(timeoutMs);
      const waitFor = () => timeoutMs ?? waitMs();
      return armedFault(call, await call("armFault", { body: { ...fault, hold: true } }), waitFor);
    },
    faults: async () => (await call("listFaults", {})).faults,
    clearFaults: async () => void (await call("clearFaults", {})),
    assertFaultsFired: () => assertFaultsFired(call),
    assertNoFailures: () => assertNoFailures(call),
    assume: async (choice) => void (await call("assume", { body: choice })),
    assumptions: async () => (await call("listAssumptions", {})).assumptions,
    world: (text, given) => {
      if (typeof text !== "string" || text === "") checkWorldName(text);
      const other = nameFor(text);
      return makeWorld(server, other, given, text === other ? undefined : text);
    },
    worlds: async () => (await call("listWorlds", {})).worlds,
    drop: async () => {
      await call("dropWorld", { name }).catch((error: MockError) => {
        // A test that sent no request has not created its world.
        if (error.code !== "unknown_world") throw error;
      });
    },
  });
  return addForTests(world, server);
}

/** What a test passed to a method, as JSON: a Date becomes text, and undefined is left out. */
function asSent<Value>(value: Value): Value | undefined;
function asSent(value: unknown): unknown {
  if (value === undefined) return undefined;
  let text: string;
  try {
    text = JSON.stringify(value) ?? "null";
  } catch (error) {
    throw new MockError("invalid_json", `This value is not JSON: ${asError(error).message}.`);
  }
  const parsed = parseBody(text, maxAdminDepth);
  if ("json" in parsed) return parsed.json;
  throw new MockError("invalid_json", parsed.problem);
}

const { timeoutMs: waitSchema } = shippedSchemas["wait.request.json"].properties;

/** The longest wait that a mock accepts, in milliseconds. */
export const longestWait = waitSchema.maximum;

/** JavaScript clients may pass anything. */
function checkTimeout(ms: unknown): void {
  if (typeof ms === "number" && ms >= 1 && ms <= longestWait) return;
  throw new MockError("invalid_request", `timeoutMs must be a number from 1 to ${longestWait}.`);
}

/** How long a wait without a timeout takes. */
function defaultWait({ testTimeoutMs = 0 }: WorldOptions): () => number {
  const end = monotonicNow() + testTimeoutMs;
  return () => {
    const left = end - monotonicNow();
    // The timeout is not known, or it counts from later: otherwise the test would be over.
    if (left <= 0 || !Number.isFinite(left)) return waitSchema.default;
    // Leaves 500 ms to report that the wait failed, before the test itself times out.
    return Math.min(Math.ceil(Math.max(left - 500, left / 2)), longestWait);
  };
}

/** A fault or a hold. `arrived()` and `release()` are public for a hold only. */
function armedFault(call: AdminClient, { id, times }: Fault, waitMs: () => number): Hold {
  return traceRejections({
    id,
    fired: async () => (await findFault(call, id)).fired,
    arrived: () => waitForArrival(call, id, typeof times === "number" ? times : 1, waitMs()),
    remove: async () => void (await call("removeFault", { id })),
    release: async () => void (await call("releaseFault", { id })),
  });
}

/** Polls, because the admin API shows only how many requests are held. It is local and quick. */
async function waitForArrival(call: AdminClient, id: number, wanted: number, waitMs: number): Promise<void> {
  const deadline = monotonicNow() + waitMs;
  for (;;) {
    const { fired, abandoned = 0, active } = await findFault(call, id);
    const held = fired - abandoned;
    if (held >= wanted) return;
    if (!active || monotonicNow() > deadline) {
      const when = active ? ` within ${waitMs} ms` : ", and is no longer active";
      const message = `Fault ${id} held ${held} of ${counted(wanted, "request")}${when}.`;
      const why = abandoned > 0 ? ` ${whyAbandoned(fired, abandoned, wanted)}` : "";
      throw new MockError(active ? "timeout" : "fault_never_fired", message + why);
    }
    await sleep(5);
  }
}

function whyAbandoned(fired: number, abandoned: number, wanted: number): string {
  const gone = `${counted(abandoned, "client")} disconnected`;
  // More time would not have helped.
  if (fired < wanted) return `Only ${counted(fired, "request")} arrived, and ${gone}.`;
  return `${gone}: use a longer timeout in the client, or release the fault earlier.`;
}

async function findFault(call: AdminClient, id: number): Promise<Fault> {
  const { faults } = await call("listFaults", {});
  const fault = faults.find((candidate) => candidate.id === id);
  if (fault === undefined)
    throw new MockError("unknown_fault", `Fault ${id} is no longer armed: it was removed or reset.`);
  return fault;
}

async function assertFaultsFired(call: AdminClient): Promise<void> {
  const { faults } = await call("listFaults", {});
  const unmet = faults.filter((fault) => fault.fired < expectedTimes(fault));
  if (unmet.length === 0) return;
  const details = unmet.flatMap((fault) => {
    const { id, fired, holding, abandoned, active, nearMisses = [], ...rule } = fault;
    const misses = nearMisses.map(({ request, reason }) => ({
      path: `/requests/${request}`,
      message: reason,
    }));
    const found = `fired ${fired} of ${expectedTimes(fault)} times: ${JSON.stringify(rule)}`;
    return [
      { path: `/faults/${id}`, message: found },
      ...(misses.length > 0 ? misses : [{ path: "", message: "there was no other request" }]),
    ];
  });
  const message = `${unmet.length} of ${counted(faults.length, "fault")} did not fire as often as expected. Faults and near misses:`;
  throw new MockError("fault_never_fired", message, details);
}

function expectedTimes({ times = 1 }: Fault): number {
  return times === "always" ? 1 : times;
}

async function assertNoFailures(call: AdminClient): Promise<void> {
  const { requests, dropped } = await call("listRequests", { query: {} });
  const all = counted(requests.length + dropped, "request");
  const failed = requests.filter(({ outcome }) => outcome === "failure");
  if (failed.length > 0) {
    const details = failed.map((entry) => ({
      path: `/requests/${entry.id}`,
      message: describeExchange(entry),
    }));
    throw new MockError("failures", `${failed.length} of ${all} failed:`, details);
  }
  if (dropped === 0) return;
  const message = `The journal has dropped ${dropped} of ${all}, so it is unknown whether all of them succeeded. Start with a larger journalSize, or call clearRequests() between tests.`;
  throw new MockError("journal_incomplete", message);
}
