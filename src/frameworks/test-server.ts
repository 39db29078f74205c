import { resolve } from "node:path";
import { hidden } from "../client/world-for-tests.js";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import { configDirectories, findConfigFile } from "./project.js";
import { readServerOptions, type TestOptions } from "./test-options.js";
import { type SharedMock, type TestInFramework, TestWorld } from "./test-world.js";

const overlap =
  "Tests of this worker overlap, and your program has one base URL for all of them, so they would share one world. Run them one after the other, without concurrent or concurrency.";

/** The server of a test file or of a worker, and the tests that run now. */
export class TestServer {
  readonly #startMock: () => Promise<Mock>;
  #starting: Promise<Mock> | undefined;
  #server: Mock | undefined;
  readonly #shared: SharedMock | undefined;
  readonly #running = new Set<TestWorld>();
  /** Whether hooks are registered that call `enter` and `leave`. */
  isFollowed = false;
  /** What is checked at the end of each test. */
  checks: TestOptions = {};
  /** Whether the code that runs now is that of a test for which the framework calls no hooks. */
  isInUnknownTest: () => boolean = () => false;
  /** The world of the test that runs, as one object for all tests. */
  readonly mock: World;

  /** @param shared set if the mock is that of a set-up */
  constructor(startMock: () => Promise<Mock>, shared?: SharedMock) {
    this.#startMock = startMock;
    this.#shared = shared;
    this.mock = new Proxy({} as World, {
      get: (_, member) => {
        // Printing or awaiting an object reads these.
        if (typeof member === "symbol" || member === "then" || member === "toJSON") return undefined;
        // Any test may get a world by its name, also while others run.
        return Reflect.get(member === "world" ? this.#started() : this.runningTest().use(), member);
      },
    });
  }

  /** @param hasUnknownTests whether the framework calls no hooks for some tests, which overlap others */
  async start(hasUnknownTests = false): Promise<void> {
    if (this.#shared !== undefined && hasUnknownTests) throw new Error(overlap);
    this.#starting ??= this.#startMock();
    this.#server = await this.#starting;
  }

  async enter(test: TestInFramework): Promise<TestWorld> {
    const entered = new TestWorld(this.#started(), test, this.#shared);
    if (this.#shared !== undefined && this.#running.size > 0) throw new Error(overlap);
    this.#running.add(entered);
    return entered.begin();
  }

  leave(test: TestWorld): void {
    this.#running.delete(test);
  }

  /** Another test may start it again. */
  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    // A start that failed was reported by start().
    await (await starting?.catch(() => undefined))?.stop();
  }

  #started(): Mock {
    if (this.#server !== undefined) return this.#server;
    throw new Error(
      "The server of this file has not started. Call useMock() outside of tests and hooks, and use mock in them.",
    );
  }

  /** Throws if there is none, or more than one. */
  runningTest(): TestWorld {
    const [test, another] = this.#running;
    if (another !== undefined || this.isInUnknownTest()) {
      throw new Error(
        'Tests of this file overlap, so mock could be the world of another test. Use a separate world: const own = mock.world("my-test")',
      );
    }
    if (test === undefined) {
      throw new Error(
        "mock is the world of the running test, but no test is running. Use it in a test, in beforeEach or in afterEach. For groups that exist from the start, use useMock({ fixtures }).",
      );
    }
    return test;
  }
}

const advice =
  "The set-up of usergroup-mock reads the names of your environment variables from this file, for example: " +
  '{ "set": { "USER_GROUP_URL": "{url}", "USER_GROUP_TOKEN": "{apiToken}" } }';

/**
 * Starts the mock of this worker, and sets the environment variables that the config file names. Test files in
 * one process share the mock: a program that was loaded for one of them keeps its base URL for the next one.
 * @param root the directory of the framework's project
 */
export async function setUp(root: string): Promise<TestServer> {
  const { USERGROUP_MOCK_CONFIG: given } = process.env;
  const config = given === undefined ? findConfigFile(root) : resolve(given);
  if (config === undefined) {
    const searched = configDirectories(root).join("\n  ");
    throw new Error(`There is no usergroup-mock.config.json in\n  ${searched}\n${advice}`);
  }
  const before = { ...process.env };
  const set = { USERGROUP_MOCK_URL: "{url}", USERGROUP_MOCK_API_TOKEN: "{apiToken}" };
  const mock = await startMock({ config, set, port: 0, exitWithParent: false }).catch((error: Error) => {
    throw new Error(`${error.message}\n${advice}`);
  });
  // In a file without tests, no hook stops the mock.
  mock.unref();
  const changed = Object.entries(process.env).filter(([name, value]) => value !== before[name]);
  const server = new TestServer(async () => mock, { variables: Object.fromEntries(changed) });
  Reflect.set(globalThis, hidden, server);
  return server;
}

/** The mock that a set-up has started for this worker, if any. */
export function mockOfSetUp(options: MockOptions = {}): TestServer | undefined {
  const server: TestServer | undefined = Reflect.get(globalThis, hidden);
  if (server !== undefined) rejectOptions(options);
  return server;
}

/**
 * The `mock` for the tests of a file, in the world of the set-up or on a server of its own.
 * @param follow registers hooks, unless the set-up has
 */
export function mockOfFile(options: TestOptions, follow: (server: TestServer) => void): World {
  const serverOptions = readServerOptions(options);
  const server = mockOfSetUp(serverOptions) ?? new TestServer(() => startMock(serverOptions));
  server.checks = options;
  if (!server.isFollowed) follow(server);
  return server.mock;
}

/** Throws if an entry has options for a server that a set-up has started. */
export function rejectOptions(options: MockOptions): void {
  for (const name of Object.keys(options)) {
    throw new Error(`The set-up has already started the mock. Move ${name} to usergroup-mock.config.json.`);
  }
}
