import type { AdminClient } from "../contract/admin-calls.js";
import { defaultWorld } from "../contract/world-name.js";
import { monotonicNow, sleep } from "../foundation/clock.js";
import { counted } from "../foundation/grammar.js";
import { fieldOf, isObject } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import { type Pieces, saveText } from "../foundation/save-text.js";
import { shippedSchemas } from "../generated/shipped-schemas.js";
import type { Fault, JournalEntry, ReportQuery } from "../generated/types.js";
import { checkWorldName } from "../world/worlds.js";
import { assertFaultsFired, assertNoFailures } from "./asserts.js";
import { traceRejections } from "./trace-rejections.js";
import type { ArmedFault, Hold, Requests, World, WorldOptions, WorldState } from "./world.js";

/** A server that worlds can be steered on. */
export interface Server {
  readonly url: string;
  /** The first API token of a world. */
  readonly apiToken: (world: string) => string;
  /** The report of the world of that name, as HTML. */
  readonly report: (world: string, what: ReportQuery) => Promise<Pieces>;
  /** Makes admin calls in the world of that name. */
  readonly client: (world: string) => AdminClient;
}

/** The methods of a world, on top of its admin calls. */
export function worldOf(server: Server, name: string, options: WorldOptions = {}): World {
  const call = server.client(name);
  const waitMs = defaultWait(options);
  return traceRejections({
    name,
    url: worldUrl(server.url, name),
    get apiToken() {
      return server.apiToken(name);
    },
    health: () => call("health", {}),
    reset: async (request) => void (await call("reset", request === undefined ? {} : { body: request })),
    // An export leaves nothing out.
    state: async () => (await call("exportState", {})) as WorldState,
    load: async (fixture) => void (await call("importState", { body: fixture })),
    groups: async () => (await call("listGroups", {})).groups,
    addGroup: (group) => call("addGroup", { body: group }),
    requests: async (filter) => {
      const { requests, dropped } = await call("listRequests", { query: filter ?? {} });
      // Not enumerable: two lists of the same calls are equal.
      return Object.defineProperty(requests, "dropped", { value: dropped }) as Requests;
    },
    history: async () => (await call("listHistory", {})).history,
    clearRequests: async () => void (await call("clearRequests", {})),
    waitForRequest: async (wait = {}) => {
      const body = isObject(wait) ? { timeoutMs: waitMs(), ...wait } : wait;
      const { requests } = await call("waitForRequests", { body });
      return nth(requests, wait?.count ?? 1);
    },
    saveReport: async (path, what) => {
      await saveText(path, await server.report(name, what ?? {}));
    },
    har: () => call("exportHar", {}),
    fault: async (fault) => armed(call, (await call("armFault", { body: fault })).id),
    hold: async (fault = {}, { timeoutMs } = {}) => {
      if (timeoutMs !== undefined) checkTimeout(timeoutMs);
      const waitFor = () => timeoutMs ?? waitMs();
      return hold(call, await call("armFault", { body: { ...fault, hold: true } }), waitFor);
    },
    faults: async () => (await call("listFaults", {})).faults,
    clearFaults: async () => void (await call("clearFaults", {})),
    assertFaultsFired: () => assertFaultsFired(call),
    assertNoFailures: () => assertNoFailures(call),
    assume: async (choice) => void (await call("assume", { body: choice })),
    assumptions: async () => (await call("listAssumptions", {})).assumptions,
    snapshot: () => call("takeSnapshot", {}),
    restore: async (snapshot) =>
      void (await call("restoreSnapshot", { id: snapshotId(snapshot, "restore") })),
    forget: async (snapshot) => void (await call("forgetSnapshot", { id: snapshotId(snapshot, "forget") })),
    world: (other, given) => {
      checkWorldName(other);
      return worldOf(server, other, given);
    },
    worlds: async () => (await call("listWorlds", {})).worlds,
    drop: async () => {
      try {
        await call("dropWorld", { name });
      } catch (error) {
        // A test that made no call has brought no world to life.
        if (!(error instanceof MockError) || error.code !== "unknown_world") throw error;
      }
    },
  });
}

/** Leaves time to report that a wait was in vain, before the test itself times out. */
const reportMs = 500;

const { default: usualWait, maximum: longestWait } = shippedSchemas["wait.request.json"].properties.timeoutMs;

/** JavaScript callers may pass anything. */
function checkTimeout(ms: unknown): void {
  if (typeof ms === "number" && ms >= 1 && ms <= longestWait) return;
  throw new MockError("invalid_request", `timeoutMs must be a number from 1 to ${longestWait}.`);
}

/** How long a wait of this world takes that does not say it. */
function defaultWait({ testTimeoutMs = 0 }: WorldOptions): () => number {
  const end = monotonicNow() + testTimeoutMs;
  return () => {
    const left = end - monotonicNow();
    // No timeout, or one that counts from later than was said: otherwise the test would be over.
    if (left <= 0 || !Number.isFinite(left)) return usualWait;
    return Math.min(Math.ceil(Math.max(left - reportMs, left / 2)), longestWait);
  };
}

/** JavaScript callers may pass anything. */
function snapshotId(snapshot: unknown, method: string): number {
  const id = fieldOf(snapshot, "id");
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  throw new MockError("invalid_request", `${method}() needs a snapshot, as snapshot() returns it.`);
}

/** The base URL of a world. */
export function worldUrl(serverUrl: string, name: string): string {
  return name === defaultWorld ? serverUrl : `${serverUrl}/worlds/${name}`;
}

function nth(entries: readonly JournalEntry[], count: number): JournalEntry {
  const entry = entries[count - 1];
  if (entry === undefined) throw new Error(`waited for ${counted(count, "call")} and got ${entries.length}`);
  return entry;
}

function armed(call: AdminClient, id: number): ArmedFault {
  return traceRejections({
    id,
    get fired() {
      return find(call, id).then(({ fired }) => fired);
    },
    remove: async () => void (await call("removeFault", { id })),
  });
}

function hold(call: AdminClient, { id, times }: Fault, waitMs: () => number): Hold {
  const wanted = typeof times === "number" ? times : 1;
  return traceRejections({
    id,
    get fired() {
      return find(call, id).then(({ fired }) => fired);
    },
    get arrived() {
      return arrival(call, id, wanted, waitMs());
    },
    remove: async () => void (await call("removeFault", { id })),
    release: async () => void (await call("releaseFault", { id })),
  });
}

/** Polls, because the admin API shows only how many calls are held. It is local and quick. */
async function arrival(call: AdminClient, id: number, wanted: number, waitMs: number): Promise<void> {
  const deadline = monotonicNow() + waitMs;
  for (;;) {
    const { fired, abandoned = 0, active } = await find(call, id);
    const came = fired - abandoned;
    if (came >= wanted) return;
    if (!active && abandoned > 0) {
      const message = `${came} of ${counted(wanted, "call")} came to fault ${id} and stayed, and it holds no more: ${counted(abandoned, "caller")} disconnected. Give the callers a longer timeout, or release the fault earlier.`;
      throw new MockError("fault_never_fired", message);
    }
    if (monotonicNow() > deadline) {
      const message = `${came} of ${counted(wanted, "call")} came to fault ${id} within ${waitMs} ms.`;
      throw new MockError("timeout", message);
    }
    await sleep(5);
  }
}

async function find(call: AdminClient, id: number): Promise<Fault> {
  const { faults } = await call("listFaults", {});
  const fault = faults.find((candidate) => candidate.id === id);
  if (fault === undefined)
    throw new MockError("unknown_fault", `Fault ${id} is no longer armed: it was removed or reset.`);
  return fault;
}
