import { after, afterEach, before, beforeEach, type TestContext } from "node:test";
import { checkWorld } from "./test-options.js";
import type { TestServer } from "./test-server.js";
import { addToError, type TestWorld } from "./test-world.js";

/** What Node passes to a hook; its types say less. */
interface RunningTest extends TestContext {
  /** What the test threw is the cause. */
  readonly error: { cause?: unknown } | null;
}

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followNodeTests(server: TestServer): TestServer {
  const running = new Map<string, TestWorld>();

  before(() => server.start());
  beforeEach(async (context) => {
    const test = context as RunningTest;
    const { fullName } = test;
    const [, ofParent] = [...running].find(([parent]) => fullName.startsWith(`${parent} > `)) ?? [];
    const ofTest = ofParent ?? (await server.enter(test.name, server.newId(process.argv[1] ?? "", fullName)));
    if (ofParent === undefined) running.set(fullName, ofTest);
    const recorded = {
      framework: "node:test",
      file: process.argv[1] ?? "",
      titles: fullName.split(" > "),
    } as const;
    // Subtests belong to their test.
    const tell = ofParent === undefined ? ofTest.record(recorded) : undefined;
    // After all afterEach hooks: they may use the world, and they may fail.
    test.after(async () => {
      const { error } = test;
      tell?.(error === null ? "passed" : "failed");
      if (ofParent !== undefined) {
        if (error !== null) await tellRequests(error, ofTest, fullName);
        return;
      }
      running.delete(fullName);
      const isItsOwn = server.leave(ofTest);
      if (error === null || !isItsOwn) return ofTest.drop();
      await tellRequests(error, ofTest, fullName);
    });
  });
  afterEach(async (context) => {
    const { fullName, error } = context as RunningTest;
    const ofTest = running.get(fullName);
    if (ofTest !== undefined && error === null) await checkWorld(ofTest.world, server.checks);
  });
  after(() => server.stop());
  return server;
}

async function tellRequests(error: { cause?: unknown }, test: TestWorld, title: string): Promise<void> {
  const { text } = await test.recordFailure({
    framework: "node:test",
    title,
    file: process.argv[1] ?? "",
    // node:test has no retries.
    attempt: 1,
    error: error.cause,
  });
  // At a timeout, the cause is text. Node would print its line ends as \n.
  if (typeof error.cause !== "object" || error.cause === null) {
    const message = String(error.cause);
    error.cause = Object.assign(new Error(message), { stack: message });
  }
  addToError(error.cause as Error, text);
}
