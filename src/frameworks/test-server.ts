import { relative } from "node:path";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import type { TestChecks } from "./test-options.js";
import { type TestInFramework, TestWorld } from "./test-world.js";

const overlap =
  "Tests of this worker overlap, and your program has one base URL for all of them, so they would share one world. Run them one after the other, without concurrent or concurrency.";

/** The server of a test file or of a worker, and the tests that run now. */
export class TestServer {
  readonly #options: MockOptions;
  #starting: Promise<Mock> | undefined;
  #server: Mock | undefined;
  /** Whether a set-up has started it: then all tests use its default world, one after the other. */
  readonly #isShared: boolean;
  readonly #running = new Set<TestWorld>();
  /** Tests that ran at the same time as another one. */
  readonly #overlapping = new WeakSet<TestWorld>();
  readonly #ids = new Map<string, number>();
  /** Whether hooks are registered that call `enter` and `leave`. */
  isFollowed = false;
  /** What is checked at the end of each test. */
  checks: TestChecks = {};
  /** Whether tests overlap in a way that hooks do not see. */
  areConcurrent: () => boolean = () => false;
  /** The world of the test that runs, as one object for all tests. */
  readonly mock: World;

  /** @param shared a server that has started already */
  constructor(options: MockOptions, shared?: Mock) {
    this.#options = options;
    this.#starting = shared && Promise.resolve(shared);
    this.#server = shared;
    this.#isShared = shared !== undefined;
    this.mock = new Proxy({} as World, {
      // Printing or awaiting an object reads these.
      get: (_, member) =>
        typeof member === "symbol" || member === "then" || member === "toJSON"
          ? undefined
          : Reflect.get(this.#worldFor(member), member),
    });
  }

  async start(): Promise<void> {
    if (this.#isShared && this.areConcurrent()) throw new Error(overlap);
    this.#starting ??= startMock(this.#options);
    this.#server = await this.#starting;
  }

  /** An id that is the same in every run. Two tests may have the same titles. */
  newId({ file, titles }: TestInFramework): string {
    const id = `${relative(process.cwd(), file)} ${titles.join(" ")}`;
    const count = (this.#ids.get(id) ?? 0) + 1;
    this.#ids.set(id, count);
    return `${id} ${count}`;
  }

  async enter(test: TestInFramework, id = this.newId(test), leftMs?: number): Promise<TestWorld> {
    const entered = new TestWorld(this.#started(), id, test, this.#isShared, leftMs);
    if (this.#isShared && this.#running.size > 0) throw new Error(overlap);
    this.#running.add(entered);
    if (this.#running.size > 1) for (const one of this.#running) this.#overlapping.add(one);
    return entered.begin();
  }

  /** Returns whether `mock` was the world of this test all the time, so that its requests are those of the test. */
  leave(test: TestWorld): boolean {
    this.#running.delete(test);
    return !this.#overlapping.has(test) && !this.areConcurrent();
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
    if (another !== undefined || this.areConcurrent()) {
      // Any test may get a world by its name.
      if (member === "world") return this.#started();
      throw new Error(
        'Tests of this file overlap, so mock could be the world of another test. Use a separate world: const own = mock.world("my-test")',
      );
    }
    if (test !== undefined) return test.world;
    throw new Error(
      "mock is the world of the running test, but no test is running. Use it in a test, in beforeEach or in afterEach. For groups that exist from the start, use useMock({ fixtures }).",
    );
  }
}
