import { relative } from "node:path";
import { after, before, beforeEach, type TestContext } from "node:test";
import type { MockOptions, World } from "../index.js";
import { recordTest } from "./record-test.js";
import { TestFile } from "./test-file.js";
import { addToError, recordFailure } from "./test-world.js";

/** What Node passes to a hook; its types say less. */
interface RunningTest extends TestContext {
  /** What the test threw is the cause. */
  readonly error: { cause?: unknown } | null;
}

/**
 * One server for this file, and a world of its own for every test: `mock` is the world of the test that runs. Subtests
 * share the world of their test. If a test fails, its calls stand under its error, and its report is saved in
 * `usergroup-mock-report`. Call it once, at the top of the file.
 *
 * @example
 * import { useMock } from "usergroup-mock/node-test";
 *
 * const mock = useMock();
 *
 * test("creates a group", async () => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export function useMock(options: MockOptions = {}): World {
  const [, path = ""] = process.argv;
  const file = new TestFile(path);
  const running = new Map<string, World>();

  before(() => file.start(options));
  beforeEach(async (context) => {
    const test = context as RunningTest;
    const { fullName } = test;
    const [, ofParent] = [...running].find(([parent]) => fullName.startsWith(`${parent} > `)) ?? [];
    const world = ofParent ?? (await file.enter(test.name, file.newId(fullName)));
    if (ofParent === undefined) running.set(fullName, world);
    // Subtests belong to their test.
    const tell =
      ofParent === undefined
        ? recordTest({
            id: world.name,
            framework: "node:test",
            file: relative(process.cwd(), path),
            titles: fullName.split(" > "),
            world: world.name,
          })
        : undefined;
    // After all afterEach hooks: they may use the world, and they may fail.
    test.after(async () => {
      const { error } = test;
      tell?.(error === null ? "passed" : "failed");
      if (ofParent !== undefined) {
        if (error !== null) await tellCalls(error, world);
        return;
      }
      running.delete(fullName);
      const isItsOwn = file.leave(world);
      if (error === null || !isItsOwn) return world.drop();
      await tellCalls(error, world);
    });
  });
  after(() => file.stop());
  return file.mock;
}

async function tellCalls(error: { cause?: unknown }, world: World): Promise<void> {
  const { text } = await recordFailure(world);
  // At a timeout, the cause is text. Node would print its line ends as \n.
  if (typeof error.cause !== "object" || error.cause === null) {
    const message = String(error.cause);
    error.cause = Object.assign(new Error(message), { stack: message });
  }
  addToError(error.cause as Error, text);
}
