import type * as vitest from "vitest";
import { addToError } from "./add-to-error.js";
import { requireVersion, rootOf } from "./project.js";
import type { TestServer } from "./test-server.js";
import type { TestWorld } from "./test-world.js";

// The parts of Jest that this entry uses. Its own types would bring 200 packages into the node_modules of this
// repository. `npm run test:package -- smoke` runs the entry in Jest itself.

/** Of `@jest/globals`. vitest has the same hooks. */
interface JestGlobals extends Pick<typeof vitest, "beforeAll" | "beforeEach" | "afterEach" | "afterAll"> {
  readonly expect: {
    getState(): { testPath?: string; currentConcurrentTestName?: () => string | undefined };
  };
}

/** The state of jest-circus, Jest's runner. */
interface JestRunner {
  readonly currentlyRunningTest?: JestTest | null;
  readonly rootDescribeBlock: JestTest;
  readonly testTimeout: number;
}

/** A test, or a block of tests. */
interface JestTest {
  readonly name: string;
  /** Undefined: it is the outermost block. */
  readonly parent?: JestTest;
  /** Undefined: it is a test. */
  readonly children?: readonly JestTest[];
  readonly concurrent: boolean;
  readonly mode?: string | null;
  readonly timeout?: number;
  /** How often Jest has started it: more than once if it is retried. */
  readonly invocations: number;
  /** What was thrown, or pairs of that and an error that has the place of the test. */
  readonly errors: unknown[];
}

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followJestTests(server: TestServer): void {
  server.isFollowed = true;
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = jestGlobals();
  const { testPath = "" } = expect.getState();
  // From the test file: its project has Jest.
  requireVersion("jest", "29", testPath);
  const root = rootOf(testPath);
  const runner = runnerState();
  const tests = () => testsOf(runner.rootDescribeBlock);
  // Jest calls no hooks for these, and some versions run them at the same time as others.
  const concurrent = () => tests().filter((test) => test.concurrent && test.mode !== "skip");
  server.isInUnknownTest = () => {
    const name = expect.getState().currentConcurrentTestName?.();
    return concurrent().some((test) => titlesOfTest(test).join(" ") === name);
  };
  let latest: { readonly test: JestTest; readonly ofTest: TestWorld } | undefined;

  /** Not in afterEach: that of the test file runs after ours. It may use the world, and it may fail. */
  const finishLatest = async (next?: JestTest) => {
    if (latest === undefined) return;
    const { test, ofTest } = latest;
    latest = undefined;
    server.leave(ofTest);
    // A retry, for which Jest has removed the errors.
    if (test === next) return ofTest.record("failed");
    const { errors } = test;
    const [thrown, place] = [errors[0]].flat();
    const text = await ofTest.end(errors.length === 0 ? "passed" : "failed", thrown, { place });
    if (text !== "") errors[0] = addToError(thrown, text, place);
  };

  beforeAll(() => server.start(concurrent().length > 0));
  beforeEach(async () => {
    const { currentlyRunningTest: test } = runner;
    if (!test) return;
    await finishLatest(test);
    const { timeout, invocations: attempt } = test;
    const timeoutMs = timeout || runner.testTimeout;
    const titles = titlesOfTest(test);
    const sameName = tests().filter(({ name }) => name === test.name);
    const place = { framework: "Jest", root, file: testPath, titles, key: sameName.indexOf(test) } as const;
    const hasFailed = () => test.errors.length > 0;
    latest = { test, ofTest: await server.enter({ ...place, attempt, timeoutMs, hasFailed }) };
  });
  afterEach(() => latest?.ofTest.check(server.checks));
  afterAll(async () => {
    await finishLatest();
    await server.stop();
  });
}

/** This entry is built as CommonJS, and the `require` of Jest has this module, with or without `injectGlobals`. */
export function jestGlobals(): JestGlobals {
  try {
    return require("@jest/globals");
  } catch {
    throw new Error("usergroup-mock/jest is for test files that Jest runs. Elsewhere, use startMock().");
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
  throw new Error("usergroup-mock works with Jest 29 and 30 and their default test runner, jest-circus.");
}

function testsOf(block: JestTest): readonly JestTest[] {
  return block.children?.flatMap(testsOf) ?? [block];
}

/** The names of the blocks and of the test, without the outermost block. */
function titlesOfTest({ name, parent }: JestTest): readonly string[] {
  return parent === undefined ? [] : [...titlesOfTest(parent), name];
}
