import { relative } from "node:path";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import { repositoryOf } from "./project-root.js";
import type { TestChecks } from "./test-options.js";
import { type SharedMock, type TestInFramework, TestWorld } from "./test-world.js";

const overlap =
  "Tests of this worker overlap, and your program has one base URL for all of them, so they would share one world. Run them one after the other, without concurrent or concurrency.";

/** The server of a test file or of a worker, and the tests that run now. */
export class TestServer {
  readonly #options: MockOptions;
  #starting: Promise<Mock> | undefined;
  #server: Mock | undefined;
  /** Set if a set-up has started the server. */
  readonly #shared: SharedMock | undefined;
  readonly #running = new Set<TestWorld>();
  readonly #ids = new Map<string, number>();
  /** Whether hooks are registered that call `enter` and `leave`. */
  isFollowed = false;
  /** What is checked at the end of each test. */
  checks: TestChecks = {};
  /** Whether the code that runs now is that of a test for which the framework calls no hooks. */
  isInUnknownTest: () => boolean = () => false;
  /** The world of the test that runs, as one object for all tests. */
  readonly mock: World;

  /** @param started a server that a set-up has started */
  constructor(options: MockOptions, started?: { readonly server: Mock; readonly shared: SharedMock }) {
    this.#options = options;
    this.#starting = started && Promise.resolve(started.server);
    this.#server = started?.server;
    this.#shared = started?.shared;
    this.mock = new Proxy({} as World, {
      // Printing or awaiting an object reads these.
      get: (_, member) =>
        typeof member === "symbol" || member === "then" || member === "toJSON"
          ? undefined
          : Reflect.get(this.#worldFor(member), member),
    });
  }

  /** @param hasUnknownTests whether the framework calls no hooks for some tests, which overlap others */
  async start(hasUnknownTests = false): Promise<void> {
    if (this.#shared !== undefined && hasUnknownTests) throw new Error(overlap);
    this.#starting ??= startMock(this.#options);
    this.#server = await this.#starting;
  }

  /** An id that is the same in every run, wherever it was started. Two tests may have the same titles. */
  newId({ root, file, titles }: Pick<TestInFramework, "root" | "file" | "titles">): string {
    const id = `${relative(repositoryOf(root), file)} ${titles.join(" ")}`;
    const count = (this.#ids.get(id) ?? 0) + 1;
    this.#ids.set(id, count);
    return `${id} ${count}`;
  }

  async enter(test: TestInFramework, id = this.newId(test)): Promise<TestWorld> {
    const entered = new TestWorld(this.#started(), id, test, this.#shared);
    if (this.#shared !== undefined && this.#running.size > 0) throw new Error(overlap);
    this.#running.add(entered);
    return entered.begin();
  }

  leave(test: TestWorld): void {
    this.#running.delete(test);
  }

  async stop(): Promise<void> {
    // A start that failed was reported by start().
    await (await this.#starting?.catch(() => undefined))?.stop();
  }

  #started(): Mock {
    if (this.#server !== undefined) return this.#server;
    throw new Error("The server of this file has not started. Call useMock() outside of tests and hooks.");
  }

  #worldFor(member: string): World {
    const [test, another] = this.#running;
    if (another !== undefined || this.isInUnknownTest()) {
      // Any test may get a world by its name.
      if (member === "world") return this.#started();
      throw new Error(
        'Tests of this file overlap, so mock could be the world of another test. Use a separate world: const own = mock.world("my-test")',
      );
    }
    if (test === undefined) {
      throw new Error(
        "mock is the world of the running test, but no test is running. Use it in a test, in beforeEach or in afterEach. For groups that exist from the start, use useMock({ fixtures }).",
      );
    }
    test.isUsed = true;
    return test.world;
  }
}
