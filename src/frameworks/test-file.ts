import { relative } from "node:path";
import { type Mock, type MockOptions, startMock, type World } from "../index.js";
import { beginWorld } from "./test-world.js";

/** The server of a test file, for frameworks with hooks instead of fixtures. */
export class TestFile {
  #server: Mock | undefined;
  readonly #path: string;
  readonly #areConcurrent: () => boolean;
  /** The worlds of the tests that run now. */
  readonly #running = new Set<World>();
  /** Those whose test ran at the same time as another one. */
  readonly #overlapping = new WeakSet<World>();
  readonly #ids = new Map<string, number>();
  /** The world of the test that runs, as one object for the whole file. */
  readonly mock: World;

  /** @param areConcurrent whether tests of this file overlap in a way that hooks do not see */
  constructor(path: string, areConcurrent: () => boolean = () => false) {
    this.#path = relative(process.cwd(), path);
    this.#areConcurrent = areConcurrent;
    this.mock = new Proxy({} as World, {
      // What prints or awaits an object looks for these.
      get: (_, member) =>
        typeof member === "symbol" || member === "then" || member === "toJSON"
          ? undefined
          : Reflect.get(this.#worldFor(member), member),
    });
  }

  async start(options: MockOptions): Promise<void> {
    this.#server = await startMock(options);
  }

  /** The same in every run. Two tests may have the same name. */
  newId(fullName: string): string {
    const count = (this.#ids.get(fullName) ?? 0) + 1;
    this.#ids.set(fullName, count);
    return `${this.#path} ${fullName} ${count}`;
  }

  async enter(name: string, id: string, testTimeoutMs?: number): Promise<World> {
    const world = await beginWorld(this.#started(), name, id, testTimeoutMs);
    this.#running.add(world);
    if (this.#running.size > 1) for (const one of this.#running) this.#overlapping.add(one);
    return world;
  }

  /** Whether `mock` was this world all the time, so that its calls are those of the test. */
  leave(world: World): boolean {
    this.#running.delete(world);
    return !this.#overlapping.has(world) && !this.#areConcurrent();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #started(): Mock {
    if (this.#server !== undefined) return this.#server;
    throw new Error("The server of this file has not started. Call useMock() outside of tests and hooks.");
  }

  #worldFor(member: string): World {
    const [world, another] = this.#running;
    if (another !== undefined || this.#areConcurrent()) {
      // Any test may ask for a world by its name.
      if (member === "world") return this.#started();
      throw new Error(
        'Tests of this file overlap, so mock could be the world of another test. Take one of your own: const own = mock.world("my-test")',
      );
    }
    if (world !== undefined) return world;
    throw new Error(
      "mock is the world of the test that runs, and no test runs now. Use it in a test, in beforeEach or in afterEach. For groups that are there from the start, use useMock({ fixtures }).",
    );
  }
}
