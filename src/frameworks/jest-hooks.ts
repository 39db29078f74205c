import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import type { RunPart } from "../mock/test-report-file.js";
import { checkWorld } from "./test-options.js";
import type { TestServer } from "./test-server.js";
import { addToError, refuseOtherVersions, type TestWorld } from "./test-world.js";

/** Gives each test of this file its world, and prints the requests of those that fail. */
export function followJestTests(server: TestServer): TestServer {
  if (server.isFollowed) return server;
  server.isFollowed = true;
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = jestGlobals();
  const { testPath } = expect.getState();
  refuseOtherVersions(supported, /^(29|30)\./, jestVersion(testPath));
  const runner = runnerState();
  server.areConcurrent = () => hasConcurrentTest(runner.rootDescribeBlock);
  server.part = partOf(runner);
  const ids = new Map<RunnerTest, string>();
  let latest:
    | {
        readonly test: RunnerTest;
        readonly ofTest: TestWorld;
        readonly tell: ReturnType<TestWorld["record"]>;
      }
    | undefined;

  /** Not in afterEach: those of the test file come after ours. They may use the world, and they may fail. */
  const finishLatest = async (next?: RunnerTest) => {
    if (latest === undefined) return;
    const { test, ofTest, tell } = latest;
    latest = undefined;
    // Before a retry, Jest has removed the errors already.
    tell(test.errors.length === 0 && test !== next ? "passed" : "failed");
    const isItsOwn = server.leave(ofTest);
    // A retry: the world is reset, and what happened so far becomes its history.
    if (test === next) return;
    if (test.errors.length === 0 || !isItsOwn) return ofTest.drop();
    const { text } = await ofTest.recordFailure({
      framework: "Jest",
      title: namesOf(test).join(" > "),
      file: testPath,
      attempt: test.invocations,
      error: [test.errors[0]].flat()[0],
    });
    addToErrors(test.errors, text);
  };

  beforeAll(() => server.start());
  beforeEach(async () => {
    const { currentlyRunningTest: test } = runner;
    await finishLatest(test);
    const id = ids.get(test) ?? server.newId(testPath, fullNameOf(test));
    ids.set(test, id);
    const timeoutMs = test.timeout || runner.testTimeout;
    const ofTest = await server.enter(test.name, id, timeoutMs);
    const tell = ofTest.record({ framework: "Jest", file: testPath, titles: namesOf(test), timeoutMs });
    latest = { test, ofTest, tell };
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

type Hook = (hook: () => Promise<void>) => void;

interface JestGlobals {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  readonly afterAll: Hook;
  readonly expect: { getState(): { readonly testPath: string } };
}

/** This entry is built as CommonJS, and the `require` of Jest has this module, with or without `injectGlobals`. */
export function jestGlobals(): JestGlobals {
  try {
    return require("@jest/globals");
  } catch {
    throw new Error("usergroup-mock/jest is for test files that Jest runs. Elsewhere, use startMock().");
  }
}

/** From the test file: its project has Jest. Undefined when another package brings Jest along. */
export function jestVersion(testPath: string): string | undefined {
  try {
    return createRequire(testPath)("jest/package.json").version;
  } catch {
    return undefined;
  }
}

/** A test, as Jest's runner keeps it. */
interface RunnerTest {
  readonly type: "test";
  readonly name: string;
  readonly parent: RunnerBlock;
  readonly mode?: string | null;
  readonly concurrent: boolean;
  /** How often it was run: retries count. */
  readonly invocations: number;
  readonly errors: unknown[];
  /** Its own, if it has one. */
  readonly timeout?: number;
}

interface RunnerBlock {
  readonly type: "describeBlock";
  readonly name: string;
  readonly parent?: RunnerBlock;
  readonly children: readonly (RunnerBlock | RunnerTest)[];
}

interface RunnerState {
  readonly rootDescribeBlock: RunnerBlock;
  readonly currentlyRunningTest: RunnerTest;
  /** Of all tests: 5,000 by default. */
  readonly testTimeout: number;
  /** The same for all workers and projects of a run. Early versions of Jest 29 have none. */
  readonly seed?: number;
}

/** Jest runs test files in itself or in worker processes. */
function partOf({ seed }: RunnerState): RunPart | undefined {
  const main = process.send === undefined ? process.pid : process.ppid;
  if (seed === undefined) return undefined;
  return { run: `${main} ${seed}`, part: randomBytes(4).toString("hex") };
}

/**
 * Jest does not tell a hook whether its test failed, but its runner, jest-circus, keeps its state under a symbol. No
 * document promises it; it has been so since Jest 26.
 */
function runnerState(): RunnerState {
  const symbols = Object.getOwnPropertySymbols(globalThis);
  const symbol = symbols.find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state: RunnerState | undefined = symbol && Reflect.get(globalThis, symbol);
  if (state?.rootDescribeBlock !== undefined) return state;
  throw new Error(`usergroup-mock works with ${supported} and their own test runner, jest-circus.`);
}

/** Jest starts these before the hooks of any test. */
function hasConcurrentTest({ children }: RunnerBlock): boolean {
  return children.some((child) =>
    child.type === "test" ? child.concurrent && child.mode !== "skip" : hasConcurrentTest(child),
  );
}

function fullNameOf(test: RunnerTest): string {
  return ["", ...namesOf(test)].join(" ");
}

/** The names of its blocks and its own; the outermost block has none. */
function namesOf({ name, parent }: RunnerTest | RunnerBlock): readonly string[] {
  return parent === undefined ? [] : [...namesOf(parent), name];
}

/** Each is an error, or what was thrown and an error that has the place of the test. */
function addToErrors(errors: unknown[], text: string): void {
  const [thrown, place] = [errors[0]].flat();
  if (isError(thrown)) {
    addToError(thrown, text);
  } else if (isError(place)) {
    // A timeout is text. Jest would quote it, with all that stands under it.
    place.message = String(thrown);
    place.stack = `${thrown}${framesOf(place.stack)}`;
    addToError(place, text);
    errors[0] = place;
  }
}

function isError(value: unknown): value is { message?: string; stack?: string } {
  return typeof value === "object" && value !== null;
}

function framesOf(stack = ""): string {
  return /\n +at .*$/s.exec(stack)?.[0] ?? "";
}
