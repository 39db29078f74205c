import { createRequire } from "node:module";
import type { JestBlock, JestGlobals, JestRunner, JestTest } from "./jest-types.js";
import { checkWorld } from "./test-options.js";
import type { TestServer } from "./test-server.js";
import { rejectOtherVersions, type TestWorld } from "./test-world.js";

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followJestTests(server: TestServer): TestServer {
  if (server.isFollowed) return server;
  server.isFollowed = true;
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = jestGlobals();
  const { testPath = "" } = expect.getState();
  rejectOtherVersions(supported, /^(29|30)\./, jestVersion(testPath));
  const runner = runnerState();
  server.areConcurrent = () => hasConcurrentTest(runner.rootDescribeBlock);
  const ids = new Map<JestTest, string>();
  let latest: { readonly test: JestTest; readonly ofTest: TestWorld } | undefined;

  /** Not in afterEach: that of the test file runs after ours. It may use the world, and it may fail. */
  const finishLatest = async (next?: JestTest) => {
    if (latest === undefined) return;
    const { test, ofTest } = latest;
    latest = undefined;
    const isItsOwn = server.leave(ofTest);
    // A retry, for which Jest has removed the errors.
    if (test === next) return ofTest.record("failed");
    const { errors, invocations: attempt } = test;
    ofTest.record(errors.length === 0 ? "passed" : "failed");
    if (errors.length === 0 || !isItsOwn) return ofTest.drop();
    // What was thrown, or a pair of it and an error that has the place of the test.
    const [thrown, place] = [errors[0]].flat();
    errors[0] = (await ofTest.explain(thrown, attempt, place)).error;
  };

  beforeAll(() => server.start());
  beforeEach(async () => {
    const { currentlyRunningTest: test } = runner;
    if (!test) return;
    await finishLatest(test);
    const timeoutMs = test.timeout || runner.testTimeout;
    const described = { framework: "Jest", file: testPath, titles: titlesOfTest(test), timeoutMs } as const;
    const id = ids.get(test) ?? server.newId(described);
    ids.set(test, id);
    latest = { test, ofTest: await server.enter(described, id) };
  });
  afterEach(async () => {
    if (latest?.test.errors.length === 0) await checkWorld(latest.ofTest.world, server.checks);
  });
  afterAll(async () => {
    await finishLatest();
    await server.stop();
  });
  return server;
}

const supported = "Jest 29 and 30";

/** This entry is built as CommonJS, and the `require` of Jest has this module, with or without `injectGlobals`. */
export function jestGlobals(): JestGlobals {
  try {
    return require("@jest/globals");
  } catch {
    throw new Error("usergroup-mock/jest is for test files that Jest runs. Elsewhere, use startMock().");
  }
}

/** From the test file: its project has Jest. Undefined if Jest comes with another package. */
export function jestVersion(testPath = ""): string | undefined {
  try {
    return createRequire(testPath)("jest/package.json").version;
  } catch {
    return undefined;
  }
}

/**
 * The state of Jest's runner, jest-circus: hooks do not receive the errors of their test. It is not documented, but it
 * has been stored under this symbol since Jest 26.
 */
function runnerState(): JestRunner {
  const symbols = Object.getOwnPropertySymbols(globalThis);
  const symbol = symbols.find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state: JestRunner | undefined = symbol && Reflect.get(globalThis, symbol);
  if (state?.rootDescribeBlock !== undefined) return state;
  throw new Error(`usergroup-mock works with ${supported} and their default test runner, jest-circus.`);
}

/** Jest starts concurrent tests before the hooks of any test. */
function hasConcurrentTest({ children }: JestBlock): boolean {
  return children.some((child) =>
    child.type === "test" ? child.concurrent && child.mode !== "skip" : hasConcurrentTest(child),
  );
}

/** The names of the blocks and of the test, without the outermost block. */
function titlesOfTest({ name, parent }: JestTest | JestBlock): readonly string[] {
  return parent === undefined ? [] : [...titlesOfTest(parent), name];
}
