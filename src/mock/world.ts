import type { HoldRequest, OneFault } from "../contract/fault-request.js";
import type {
  AssumptionEntry,
  Fault,
  Fixture,
  FixtureGroup,
  FixtureTeam,
  GroupDetail,
  Health,
  HistoryItem,
  JournalEntry,
  JournalFilter,
  MockOptions,
  NewGroup,
  ReportQuery,
  ResetRequest,
  Snapshot,
  WaitRequest,
  WorldSummary,
} from "../generated/types.js";
import type { AssumptionChoice } from "../service/assumptions.js";

/**
 * How requests are logged.
 * @example "pretty"
 */
export type LogStyle = NonNullable<MockOptions["log"]>;

/**
 * A world, and what a test can do to it. The same whether the fake runs in this process (`startMock`) or in
 * another (`connectMock`).
 * @example
 * const world: World = mock.world("w3");
 * await callMyProgram({ baseUrl: world.url, apiToken: world.apiToken });
 */
export interface World {
  /**
   * Of the world: `default`, or what `world(name)` was called with.
   * @example "default"
   */
  readonly name: string;
  /**
   * The base URL of the service in this world, without a slash at the end.
   * @example "http://127.0.0.1:4010/worlds/w3"
   */
  readonly url: string;
  /**
   * The first API token of this world: of the fixtures, or of what `load()` put in their place.
   * @example headers: { Authorization: `Token ${mock.apiToken}` }
   */
  readonly apiToken: string;
  /**
   * Whether it is alive, and how much is in it.
   * @example const { groups } = await mock.health();
   */
  health(): Promise<Health>;
  /**
   * Back to the seed. Once it resolves, nothing of an earlier call shows any more, except in the history.
   * @example await mock.reset({ label: "rotates a stale token" });
   */
  reset(request?: ResetRequest): Promise<void>;
  /**
   * The teams and groups as they are now, in the shape of a fixture: `load()` and `--fixtures` take it.
   * @example const [first] = (await mock.state()).user_groups;
   */
  state(): Promise<WorldState>;
  /**
   * Replaces teams and groups, or rejects and changes nothing. A later reset still goes back to the seed.
   * @example await mock.load({ teams: [{ team_id: 9, api_tokens: ["t9"] }] });
   */
  load(fixture: Fixture): Promise<void>;
  /**
   * The groups as they are now, with what is kept of each.
   * @example const [acme] = (await mock.groups()).filter(({ name }) => name === "Acme");
   */
  groups(): Promise<GroupDetail[]>;
  /**
   * Adds a group, and gives it back with its token. The team is the first one by default. Rejects when it exists.
   * @example const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
   */
  addGroup(group: NewGroup): Promise<GroupDetail>;
  /**
   * What the world was asked and what it answered, oldest first.
   * @example expect(await mock.requests({ operation: "rotate" })).toHaveLength(1);
   */
  requests(filter?: JournalFilter): Promise<Requests>;
  /**
   * The journals before earlier resets of this world, newest first: how many calls, how many failures.
   * @example const [latest] = await mock.history();
   */
  history(): Promise<HistoryItem[]>;
  /**
   * Clears the journal. Ids go on counting.
   * @example await mock.clearRequests();
   */
  clearRequests(): Promise<void>;
  /**
   * Resolves with the matching call once it is answered; with the last one when `count` asks for several. Rejects at
   * the timeout, with the calls that came closest and how they differed. The timeout is 4 s by default; in the framework
   * entries, it is 500 ms before the test times out.
   * @example await mock.waitForRequest({ match: { user_group_id: "a" } });
   */
  waitForRequest(wait?: WaitRequest): Promise<JournalEntry>;
  /**
   * Writes the report of this world: one HTML file that shows its journal, history, groups, faults and assumptions
   * without a server. With `{ worlds: "all" }` that of every world, also of those that were dropped.
   * @example afterAll(() => mock.saveReport("report.html", { worlds: "all" }));
   */
  saveReport(path: string, what?: ReportQuery): Promise<void>;
  /**
   * The journal as HTTP Archive 1.2.
   * @example await writeFile("calls.har", JSON.stringify(await mock.har()));
   */
  har(): Promise<object>;
  /**
   * Arms a fault.
   * @example const outage = await mock.fault({ operation: "rotate", status: 503, times: 2 });
   */
  fault(fault: OneFault): Promise<ArmedFault>;
  /**
   * Holds matching calls until they are released, so that a test can make calls overlap.
   * @example
   * const held = await mock.hold({ operation: "rotate", times: 2 });
   * const calls = [rotate(token), rotate(token)];
   * await held.arrived;
   * await held.release();
   * // Waits longer for them:
   * await mock.hold({ operation: "rotate" }, { timeoutMs: 10_000 });
   */
  hold(fault?: HoldRequest, arrival?: Pick<WaitRequest, "timeoutMs">): Promise<Hold>;
  /**
   * Every fault that was armed, with how often it fired.
   * @example const fired = (await mock.faults()).map(({ fired }) => fired);
   */
  faults(): Promise<Fault[]>;
  /**
   * Removes all faults; calls that wait in them go on.
   * @example await mock.clearFaults();
   */
  clearFaults(): Promise<void>;
  /**
   * Rejects when an armed fault did not fire as often as its `times` says (`"always"`: at least once): a test that
   * arms a fault and does not meet it is broken. The message shows the calls that came closest.
   * @example afterEach(() => mock.assertFaultsFired());
   */
  assertFaultsFired(): Promise<void>;
  /**
   * Rejects when a call failed, and lists them. Answers that a fault broke on purpose do not count.
   * @example afterEach(() => mock.assertNoFailures());
   */
  assertNoFailures(): Promise<void>;
  /**
   * Changes assumptions about the service in this world, until its next reset.
   * @example await mock.assume({ "existing-group": "updated" });
   */
  assume(choice: AssumptionChoice): Promise<void>;
  /**
   * The ledger of open questions, with the values of this world.
   * @example const changed = (await mock.assumptions()).filter((one) => one.value !== one.default);
   */
  assumptions(): Promise<AssumptionEntry[]>;
  /**
   * Keeps groups, faults and assumptions as they are now. A reset does not remove it.
   * @example const kept = await mock.snapshot();
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Goes back to what a snapshot kept.
   * @example await mock.restore(kept);
   */
  restore(snapshot: Snapshot): Promise<void>;
  /**
   * Frees what a snapshot kept.
   * @example await mock.forget(kept);
   */
  forget(snapshot: Snapshot): Promise<void>;
  /**
   * Another world of the same server. It comes to life on first use.
   * @example const world = mock.world("w3");
   */
  world(name: string, options?: WorldOptions): World;
  /**
   * The worlds that are alive.
   * @example const names = (await mock.worlds()).map(({ name }) => name);
   */
  worlds(): Promise<WorldSummary[]>;
  /**
   * Removes this world with all that is in it, if it is alive.
   * @example afterEach(() => world.drop());
   */
  drop(): Promise<void>;
}

/**
 * What a `World` object knows of the test that uses it.
 * @example const world = mock.world("w3", { testTimeoutMs: 30_000 });
 */
export interface WorldOptions {
  /**
   * After how many milliseconds from now the test times out. A wait without a `timeoutMs` of its own then ends 500 ms
   * earlier, so that you see its message. The framework entries set it. Default: such a wait takes 4 s.
   * @example 30_000
   */
  testTimeoutMs?: number;
}

/**
 * The teams and groups of a world. Unlike in a fixture, nothing is left out: every group has its token.
 * @example const { user_groups } = await mock.state();
 */
export interface WorldState {
  teams: FixtureTeam[];
  user_groups: Required<FixtureGroup>[];
}

/**
 * Entries of a journal, oldest first.
 * @example const { length, dropped } = await mock.requests();
 */
export interface Requests extends Array<JournalEntry> {
  /** How many older calls are missing, because the journal is bounded (`journalSize`). */
  readonly dropped: number;
}

/**
 * A fake that runs in this process, and its default world.
 * @example const mock: Mock = await startMock();
 */
export interface Mock extends World, AsyncDisposable {
  /**
   * Ends within a second; calls in flight get their answer. Calling it again is harmless.
   * @example afterAll(() => mock.stop());
   */
  stop(): Promise<void>;
  /**
   * Lets this process end while the mock runs, as `unref()` of a server of Node does.
   * @example (await startMock()).unref();
   */
  unref(): void;
}

/**
 * A fault that this test armed.
 * @example
 * const outage = await mock.fault({ operation: "rotate", status: 503 });
 * expect(await outage.fired).toBe(1);
 */
export interface ArmedFault {
  readonly id: number;
  /** How often it has fired by now. */
  readonly fired: Promise<number>;
  /** Removes it; calls that wait in it go on. */
  remove(): Promise<void>;
}

/**
 * A fault that holds calls until they are released.
 * @example
 * const held = await mock.hold({ operation: "rotate" });
 * await held.arrived;
 * await held.release();
 */
export interface Hold extends ArmedFault {
  /**
   * Resolves once as many calls are held as `times` says. A call whose caller has disconnected does not count. Rejects
   * when they do not come in time: within 4 s, or 500 ms before the test times out in the framework entries.
   * @example
   * const held = await mock.hold({ times: 2 }, { timeoutMs: 10_000 });
   * await held.arrived;
   */
  readonly arrived: Promise<void>;
  /** Lets the held calls go on, and holds no more. */
  release(): Promise<void>;
}
