import type { FaultOfOneKind, FaultSelection } from "../fake/contract/fault-kinds.js";
import type {
  AssumptionChoice,
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
  NewGroup,
  ReportQuery,
  ResetRequest,
  WaitRequest,
  WorldSummary,
} from "../generated/types.js";

/**
 * A world, and what a test can do with it, for a mock in this process (`startMock`) or in another one (`connectMock`).
 * @example
 * const world: World = mock.world("w3");
 * await callMyProgram({ baseUrl: world.url, apiToken: world.apiToken });
 */
export interface World {
  /**
   * The name of the world: `default`, or the argument of `world(name)`.
   * @example "default"
   */
  readonly name: string;
  /**
   * The base URL of the service in this world, without a slash at the end.
   * @example "http://127.0.0.1:4010/worlds/w3"
   */
  readonly url: string;
  /**
   * The first API token of this world: from the fixtures, or from the state that `load()` replaced them with.
   * @example headers: { Authorization: `Token ${mock.apiToken}` }
   */
  readonly apiToken: string;
  /**
   * The status of the mock, and how many groups this world has.
   * @example const { groups } = await mock.health();
   */
  health(): Promise<Health>;
  /**
   * Resets the world to the seed. Once it resolves, earlier requests have no effect, and only the history shows them.
   * @example await mock.reset({ label: "rotates a stale token" });
   */
  reset(request?: ResetRequest): Promise<void>;
  /**
   * The current teams and groups, in the shape of a fixture: `load()` and `--fixtures` accept it.
   * @example const [first] = (await mock.state()).user_groups;
   */
  state(): Promise<WorldState>;
  /**
   * Replaces teams and groups, or rejects and changes nothing. A later reset still restores the seed.
   * @example await mock.load({ teams: [{ team_id: 9, api_tokens: ["t9"] }] });
   */
  load(fixture: Fixture): Promise<void>;
  /**
   * The current groups, with their tokens, mappings and properties.
   * @example const [acme] = (await mock.groups()).filter(({ name }) => name === "Acme");
   */
  groups(): Promise<GroupDetail[]>;
  /**
   * Adds a group and returns it with its token. Default team: the first one. Rejects if the group exists.
   * @example const { token } = await mock.addGroup({ provided_id: "acme", name: "Acme" });
   */
  addGroup(group: NewGroup): Promise<GroupDetail>;
  /**
   * The requests to this world and their responses, oldest first.
   * @example expect(await mock.requests({ operation: "rotate" })).toHaveLength(1);
   */
  requests(filter?: JournalFilter): Promise<Requests>;
  /**
   * The journals of earlier tests in this world, newest first, each with its number `n` and how many requests failed.
   * @example
   * const [latest] = await mock.history();
   * const requests = latest && (await mock.requests({ epoch: latest.n }));
   */
  history(): Promise<HistoryItem[]>;
  /**
   * Clears the journal. Ids are not reused.
   * @example await mock.clearRequests();
   */
  clearRequests(): Promise<void>;
  /**
   * Resolves with the matching request once it has its response; with the last one if `count` is given. Rejects at the
   * timeout, with the near misses and how they differ. Default timeout: 4 s; with a framework import, 500 ms before the
   * test times out.
   * @example await mock.waitForRequest({ match: { user_group_id: "a" } });
   */
  waitForRequest(wait?: WaitRequest): Promise<JournalEntry>;
  /**
   * Writes the report of this world: one HTML file that shows its journal, history, groups, faults and assumptions
   * without a server. With a failed test, it opens on the error. Resolves to the absolute path.
   * @example
   * const path = await mock.saveReport({ test: { title, file, error } });
   * await mock.saveReport("report.html");
   */
  saveReport(what?: string | ReportRequest): Promise<string>;
  /**
   * What the framework imports print below the error of a failed test, as text: what is known of its failure, its faults,
   * and its requests with their causes. Without an error, no request is named as a likely cause.
   * @example console.error(await mock.describe({ title, file, error }));
   */
  describe(test?: Partial<FailedTest>): Promise<string>;
  /**
   * Arms a fault.
   * @example const outage = await mock.fault({ operation: "rotate", status: 503, times: 2 });
   */
  fault(fault: FaultOfOneKind): Promise<ArmedFault>;
  /**
   * Holds matching requests until they are released, so that a test can make requests overlap.
   * @example
   * const held = await mock.hold({ operation: "rotate", times: 2 });
   * const rotations = [rotate(token), rotate(token)];
   * await held.arrived();
   * await held.release();
   * // Wait longer for them:
   * await mock.hold({ operation: "rotate" }, { timeoutMs: 10_000 });
   */
  hold(fault?: HoldRequest, arrival?: Pick<WaitRequest, "timeoutMs">): Promise<Hold>;
  /**
   * All armed faults, with how often each has fired.
   * @example const fired = (await mock.faults()).map(({ fired }) => fired);
   */
  faults(): Promise<Fault[]>;
  /**
   * Removes all faults; waiting requests continue.
   * @example await mock.clearFaults();
   */
  clearFaults(): Promise<void>;
  /**
   * Rejects if a fault did not fire as often as its `times` (`"always"`: at least once): such a test does not test what
   * it claims. The message lists the near misses.
   * @example afterEach(() => mock.assertFaultsFired());
   */
  assertFaultsFired(): Promise<void>;
  /**
   * Rejects if requests failed, and lists them. Responses that a fault replaced do not count.
   * @example afterEach(() => mock.assertNoFailures());
   */
  assertNoFailures(): Promise<void>;
  /**
   * Changes assumptions about the service in this world, until its next reset.
   * @example await mock.assume({ "existing-group": "updated" });
   */
  assume(choice: AssumptionChoice): Promise<void>;
  /**
   * All assumptions, with their values in this world.
   * @example const changed = (await mock.assumptions()).filter((one) => one.value !== one.default);
   */
  assumptions(): Promise<AssumptionEntry[]>;
  /**
   * Another world of this server, by its name, or by any text such as the title of a test: then its name is derived from
   * the text, and the text is the label of its resets. Equal texts are one world. The first request to it creates it.
   * @example
   * const world = mock.world("w3");
   * const own = mock.world("groups.test.ts: creates a group");
   */
  world(name: string, options?: WorldOptions): World;
  /**
   * The worlds that exist now.
   * @example const names = (await mock.worlds()).map(({ name }) => name);
   */
  worlds(): Promise<WorldSummary[]>;
  /**
   * Removes this world, if it exists.
   * @example afterEach(() => world.drop());
   */
  drop(): Promise<void>;
}

/**
 * What a report is about, and where it is saved.
 * @example { path: "report.html", worlds: "all" }
 */
export interface ReportRequest extends ReportQuery {
  /** Default: named after the label, where the framework imports save, in `usergroup-mock-report`. */
  path?: string;
  /** The failed test that it is about. */
  test?: FailedTest;
}

/**
 * A failed test, as its framework describes it.
 * @example { title: "rotates a token", file: "test/rotate.js", error }
 */
export interface FailedTest {
  title: string;
  file?: string;
  /** What was thrown. */
  error?: unknown;
  framework?: string;
  /** From 1. */
  attempt?: number;
}

/**
 * Options of a `World` object.
 * @example const world = mock.world("w3", { testTimeoutMs: 30_000 });
 */
export interface WorldOptions {
  /**
   * In how many milliseconds from now the test times out. Waits without `timeoutMs` then end 500 ms earlier, so that you
   * see their message; by default, they end after 4 s. The framework imports set this option.
   * @example 30_000
   */
  testTimeoutMs?: number;
  /**
   * Where `saveReport()` saves without a path. Default: `usergroup-mock-report` in the working directory; with a
   * framework import, in the root of the project.
   * @example "packages/shop/usergroup-mock-report"
   */
  reportDirectory?: string;
}

/**
 * Which requests to hold.
 * @example { operation: "rotate", times: 2 }
 */
export type HoldRequest = FaultSelection & Pick<Fault, "delayMs">;

/**
 * The teams and groups of a world. Unlike in a fixture, no field is missing: every group has its token.
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
  /** How many older requests are missing, because the journal is bounded (`journalSize`). */
  readonly dropped: number;
}

/**
 * A mock that runs in this process, and its default world.
 * @example const mock: Mock = await startMock();
 */
export interface Mock extends World, AsyncDisposable {
  /**
   * Stops the mock within a second; requests in flight get their response. You can call it twice.
   * @example afterAll(() => mock.stop());
   */
  stop(): Promise<void>;
  /**
   * Lets this process exit while the mock runs, like `server.unref()` of Node.
   * @example (await startMock()).unref();
   */
  unref(): void;
}

/**
 * An armed fault.
 * @example
 * const outage = await mock.fault({ operation: "rotate", status: 503 });
 * expect(await outage.fired()).toBe(1);
 */
export interface ArmedFault {
  readonly id: number;
  /** How often it has fired so far. */
  fired(): Promise<number>;
  /** Removes the fault; waiting requests continue. */
  remove(): Promise<void>;
}

/**
 * A fault that holds requests until they are released.
 * @example
 * const held = await mock.hold({ operation: "rotate" });
 * await held.arrived();
 * await held.release();
 */
export interface Hold extends ArmedFault {
  /**
   * Resolves once the fault holds as many requests as its `times`. A request whose client has disconnected does not
   * count. Rejects after 4 s; with a framework import, 500 ms before the test times out.
   * @example
   * const held = await mock.hold({ times: 2 }, { timeoutMs: 10_000 });
   * await held.arrived();
   */
  arrived(): Promise<void>;
  /** Releases the held requests. Later requests are not held. */
  release(): Promise<void>;
}
