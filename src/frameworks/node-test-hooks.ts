import { after, afterEach, before, beforeEach, type TestContext } from "node:test";
import { addToError } from "./add-to-error.js";
import { rootOf } from "./project.js";
import type { TestServer } from "./test-server.js";
import type { TestWorld } from "./test-world.js";

/** What Node passes to a hook; its types lack these members. */
interface RunningTest extends TestContext {
  readonly passed: boolean;
  /** The cause is what the test threw. */
  readonly error: { message: string; cause?: unknown; readonly failureType?: string } | null;
}

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followNodeTests(server: TestServer): void {
  server.isFollowed = true;
  const [, file = ""] = process.argv;
  const root = rootOf(file);
  /** How many tests of a name have begun. */
  const counts = new Map<string, number>();
  /** With the subtests that have begun. */
  const running = new Map<RunningTest, { readonly ofTest: TestWorld; readonly tests: RunningTest[] }>();

  /**
   * Ends the tests that are over: Node aborts the signal of a test after its last hook, and of a test that is cancelled
   * with its suite. Only then is it known whether a subtest or a later `t.after` failed. Node has reported the error
   * by now, so the requests are printed on standard error.
   */
  const endTests = async () => {
    for (const [test, { ofTest }] of running) {
      if (!test.signal.aborted) continue;
      running.delete(test);
      server.leave(ofTest);
      const { passed, fullName, error } = test;
      const text = await ofTest.end(passed ? "passed" : "failed", error?.cause);
      if (text !== "") process.stderr.write(`${fullName}: ${error?.message}${text}\n\n`);
    }
  };

  before(() => server.start());
  beforeEach(async (context) => {
    const test = context as RunningTest;
    const { fullName } = test;
    await endTests();
    // Subtests use the world of their test.
    const [, parent] = [...running].find(([one]) => fullName.startsWith(`${one.fullName} > `)) ?? [];
    const titles = fullName.split(" > ");
    const tests = parent?.tests ?? [];
    tests.push(test);
    // A test has failed when a subtest has.
    const hasFailed = () => tests.some(({ error }) => error !== null);
    const key = (counts.get(fullName) ?? 0) + 1;
    counts.set(fullName, key);
    const described = { framework: "node:test", root, file, titles, key, attempt: 1, hasFailed } as const;
    const ofTest = parent?.ofTest ?? (await server.enter(described));
    if (parent === undefined) running.set(test, { ofTest, tests });
    // After all afterEach hooks: they may use the world, and they may fail.
    test.after(async () => {
      const { passed, error } = test;
      // Node has already reported the error of a test that is cancelled with its suite.
      if (passed || error === null || error.failureType === "cancelledByParent") return;
      const { cause } = error;
      const text = await ofTest.explain(cause, { titles });
      if (text === "") return;
      error.cause = addToError(cause, text);
      // The TAP reporter prints the message of a timeout, the others the cause.
      if (typeof cause === "string") error.message += text;
    });
  });
  afterEach((context) => running.get(context as RunningTest)?.ofTest.check(server.checks));
  after(async () => {
    await endTests();
    await server.stop();
  });
}
