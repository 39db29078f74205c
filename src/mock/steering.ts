import { setTimeout as sleep } from "node:timers/promises";
import type {
  AssumptionEntry,
  AssumptionList,
  Fault,
  FaultList,
  FaultRequest,
  Fixture,
  Health,
  JournalEntry,
  JournalFilter,
  JournalPage,
  Snapshot,
  WaitRequest,
  WorldList,
  WorldSummary,
} from "../contract/types.js";
import { MockError } from "../foundation/mock-error.js";
import type { AssumptionChoice } from "../service/assumptions.js";
import { checkWorldName } from "../world/worlds.js";
import { describeEntry } from "./describe-entry.js";

/**
 * A world, and what a test can do to it. The same whether the fake runs in this process (`startMock`) or in
 * another (`connectMock`).
 */
export interface World {
  readonly name: string;
  /** The base URL of the service in this world, without a slash at the end. */
  readonly url: string;
  /** The first API token that the fixtures list. */
  readonly apiToken: string;
  /** Whether it is alive, and how much is in it. */
  health(): Promise<Health>;
  /** Back to the seed. Once it resolves, nothing of an earlier call shows any more. */
  reset(): Promise<void>;
  /** The teams and groups as they are now, in the shape of a fixture. */
  state(): Promise<Fixture>;
  /** Replaces teams and groups, or rejects and changes nothing. A later reset still goes back to the seed. */
  load(fixture: Fixture): Promise<void>;
  /**
   * What the world was asked and what it answered, oldest first.
   * @example expect(await mock.requests({ operation: "rotate" })).toHaveLength(1);
   */
  requests(filter?: JournalFilter): Promise<JournalEntry[]>;
  /** Forgets the journal; ids go on counting. */
  clearRequests(): Promise<void>;
  /**
   * The call that was waited for, once it has been answered; the last one where `count` asks for several. Rejects
   * when time is up, with the calls that came closest and in what they differed.
   * @example await mock.waitForRequest({ match: { user_group_id: "a" } });
   */
  waitForRequest(wait?: WaitRequest): Promise<JournalEntry>;
  /** The journal as HTTP Archive 1.2. */
  har(): Promise<object>;
  /**
   * Arms a fault.
   * @example const outage = await mock.fault({ operation: "rotate", status: 503, times: 2 });
   */
  fault(fault: FaultRequest): Promise<ArmedFault>;
  /**
   * Holds matching calls until they are released, so that a test can make calls overlap.
   * @example
   * const held = await mock.hold({ operation: "rotate", times: 2 });
   * const calls = [rotate(token), rotate(token)];
   * await held.arrived;
   * await held.release();
   */
  hold(fault?: Omit<FaultRequest, "hold">): Promise<Hold>;
  /** Every fault that was armed, with how often it fired. */
  faults(): Promise<Fault[]>;
  clearFaults(): Promise<void>;
  /** Rejects when an armed fault never fired: a test that arms it and does not meet it is broken. */
  assertFaultsFired(): Promise<void>;
  /** Rejects when the journal holds anything but successes, and tells what. */
  assertNoFailures(): Promise<void>;
  /**
   * Decides open questions about the service otherwise, in this world, until its next reset.
   * @example await mock.assume({ "existing-group": "updated" });
   */
  assume(choice: AssumptionChoice): Promise<void>;
  /** The ledger of open questions, with the values of this world. */
  assumptions(): Promise<AssumptionEntry[]>;
  /** Keeps groups, faults and assumptions as they are now. It stays over a reset. */
  snapshot(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;
  forget(snapshot: Snapshot): Promise<void>;
  /** Another world of the same server; it comes to life on first use. */
  world(name: string): World;
  /** The worlds that are alive. */
  worlds(): Promise<WorldSummary[]>;
  /** Forgets this world with all that is in it, if it is alive. */
  drop(): Promise<void>;
}

/** A fake that runs in this process. */
export interface Mock extends World, AsyncDisposable {
  /** Ends it within a second; calls in flight get their answer. Calling it again does nothing more. */
  stop(): Promise<void>;
}

export interface ArmedFault {
  readonly id: number;
  /** How often it has fired by now. */
  readonly fired: Promise<number>;
  /** Takes it away; calls that wait in it go on. */
  remove(): Promise<void>;
}

export interface Hold extends ArmedFault {
  /** Resolves once as many calls are held as `times` says; rejects when they do not come within 5 s. */
  readonly arrived: Promise<void>;
  /** Lets the calls go on, and holds no more. */
  release(): Promise<void>;
}

/** What a world can be told: once within this process, once over the admin API. */
export interface Controls {
  health(): Promise<Health>;
  reset(): Promise<void>;
  state(): Promise<Fixture>;
  load(fixture: Fixture): Promise<void>;
  requests(filter: JournalFilter): Promise<JournalPage>;
  clearRequests(): Promise<void>;
  wait(wait: WaitRequest): Promise<JournalEntry[]>;
  har(): Promise<object>;
  arm(fault: FaultRequest): Promise<Fault>;
  faults(): Promise<FaultList>;
  removeFault(id: number): Promise<void>;
  clearFaults(): Promise<void>;
  release(id: number): Promise<Fault>;
  assume(choice: AssumptionChoice): Promise<AssumptionList>;
  assumptions(): Promise<AssumptionList>;
  snapshot(): Promise<Snapshot>;
  restore(id: number): Promise<void>;
  forget(id: number): Promise<void>;
  worlds(): Promise<WorldList>;
  drop(): Promise<void>;
}

/** A server, as `steer` sees it. */
export interface Server {
  readonly url: string;
  readonly apiToken: string;
  /** The controls of the world of that name. */
  readonly controls: (world: string) => Controls;
}

/** The world of that name, with all that is made of its controls. */
export function steer(server: Server, name: string): World {
  const controls = server.controls(name);
  return {
    ...controls,
    name,
    url: worldUrl(server.url, name),
    apiToken: server.apiToken,
    requests: async (filter) => (await controls.requests(filter ?? {})).requests,
    waitForRequest: async (wait) => nth(await controls.wait(wait ?? {}), wait?.count ?? 1),
    fault: async (fault) => armed(controls, (await controls.arm(fault)).id),
    hold: async (fault = {}) => hold(controls, await controls.arm({ ...fault, hold: true })),
    faults: async () => (await controls.faults()).faults,
    assertFaultsFired: () => assertFaultsFired(controls),
    assertNoFailures: () => assertNoFailures(controls),
    assume: async (choice) => void (await controls.assume(choice)),
    assumptions: async () => (await controls.assumptions()).assumptions,
    restore: async ({ id }) => controls.restore(id),
    forget: async ({ id }) => controls.forget(id),
    world: (other) => {
      checkWorldName(other);
      return steer(server, other);
    },
    worlds: async () => (await controls.worlds()).worlds,
    drop: async () => {
      try {
        await controls.drop();
      } catch (error) {
        // A test that made no call has brought none to life: there is nothing to forget.
        if (!(error instanceof MockError) || error.code !== "unknown_world") throw error;
      }
    },
  };
}

/** The base URL of a world of a server. */
export function worldUrl(serverUrl: string, name: string): string {
  return name === "default" ? serverUrl : `${serverUrl}/worlds/${name}`;
}

function nth(entries: readonly JournalEntry[], count: number): JournalEntry {
  const entry = entries[count - 1];
  if (entry === undefined) throw new Error(`waited for ${count} calls and got ${entries.length}`);
  return entry;
}

function armed(controls: Controls, id: number): ArmedFault {
  return {
    id,
    get fired() {
      return ignoreUnhandled(find(controls, id).then(({ fired }) => fired));
    },
    remove: () => controls.removeFault(id),
  };
}

/** For what a getter gives: whoever only looks at its object has asked too, and waits for nothing. */
function ignoreUnhandled<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}

const arriveWithinMs = 5_000;

function hold(controls: Controls, { id, times }: Fault): Hold {
  const wanted = typeof times === "number" ? times : 1;
  return {
    id,
    get fired() {
      return ignoreUnhandled(find(controls, id).then(({ fired }) => fired));
    },
    get arrived() {
      return ignoreUnhandled(arrival(controls, id, wanted));
    },
    remove: () => controls.removeFault(id),
    release: async () => void (await controls.release(id)),
  };
}

/** Asks again and again, because the admin API tells how many are held and no more; it is local and quick. */
async function arrival(controls: Controls, id: number, wanted: number): Promise<void> {
  const deadline = performance.now() + arriveWithinMs;
  for (;;) {
    const { fired } = await find(controls, id);
    if (fired >= wanted) return;
    if (performance.now() > deadline) {
      throw new MockError(
        "timeout",
        `${fired} of ${wanted} calls came to fault ${id} within ${arriveWithinMs} ms.`,
      );
    }
    await sleep(5);
  }
}

async function find(controls: Controls, id: number): Promise<Fault> {
  const { faults } = await controls.faults();
  const fault = faults.find((candidate) => candidate.id === id);
  if (fault === undefined)
    throw new MockError("unknown_fault", `Fault ${id} is no longer armed: it was removed or reset.`);
  return fault;
}

async function assertFaultsFired(controls: Controls): Promise<void> {
  const { faults } = await controls.faults();
  const unfired = faults.filter(({ fired }) => fired === 0);
  if (unfired.length === 0) return;
  const details = unfired.map(({ id, fired, holding, active, ...fault }) => ({
    path: `/faults/${id}`,
    message: JSON.stringify(fault),
  }));
  throw new MockError("fault_never_fired", "These faults were armed and no call ever met them:", details);
}

async function assertNoFailures(controls: Controls): Promise<void> {
  const { requests } = await controls.requests({});
  const failed = requests.filter(({ outcome }) => outcome === "failure" || outcome === "fault");
  if (failed.length === 0) return;
  const details = failed.map((entry) => ({ path: `/requests/${entry.id}`, message: describeEntry(entry) }));
  throw new MockError("failures", `${failed.length} of ${requests.length} calls did not succeed:`, details);
}
