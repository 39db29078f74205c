import { after, afterEach, before, beforeEach, type TestContext } from "node:test";
import { checkWorld } from "./test-options.js";
import type { TestServer } from "./test-server.js";
import type { TestWorld } from "./test-world.js";

/** What Node passes to a hook; its types lack the error. */
interface RunningTest extends TestContext {
  /** The cause is what the test threw. */
  readonly error: { cause?: unknown } | null;
}

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followNodeTests(server: TestServer): TestServer {
  if (server.isFollowed) return server;
  server.isFollowed = true;
  const running = new Map<string, TestWorld>();

  before(() => server.start());
  beforeEach(async (context) => {
    const test = context as RunningTest;
    const { name, fullName } = test;
    // Subtests use the world of their test.
    const [, parent] = [...running].find(([title]) => fullName.startsWith(`${title} > `)) ?? [];
    const blocks = fullName.slice(0, -name.length).split(" > ").slice(0, -1);
    const file = process.argv[1] ?? "";
    const ofTest =
      parent ?? (await server.enter({ framework: "node:test", file, titles: [...blocks, name] }));
    if (parent === undefined) running.set(fullName, ofTest);
    // After all afterEach hooks: they may use the world, and they may fail.
    test.after(async () => {
      const { error } = test;
      if (parent === undefined) {
        running.delete(fullName);
        const isItsOwn = server.leave(ofTest);
        ofTest.record(error === null ? "passed" : "failed");
        if (error === null || !isItsOwn) return ofTest.drop();
      }
      if (error !== null) error.cause = (await ofTest.explain(error.cause, 1)).error;
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
