import { createRequire } from "node:module";
import { relative } from "node:path";
import type { MockOptions, World } from "../index.js";
import { recordTest } from "./record-test.js";
import { refuseOtherVersions } from "./supported-version.js";
import { TestFile } from "./test-file.js";
import { addToError, recordFailure } from "./test-world.js";

/**
 * One server for this file, and a world of its own for every test: `mock` is the world of the test that runs. If a test
 * fails, its calls stand under its error, and its report is saved in `usergroup-mock-report`. Call it once, at the top
 * of the file.
 *
 * @example
 * const { useMock } = require("usergroup-mock/jest");
 *
 * const mock = useMock();
 *
 * test("creates a group", async () => {
 *   await createUserGroup({ baseUrl: mock.url, apiToken: mock.apiToken });
 *   await mock.assertNoFailures();
 * });
 */
export function useMock(options: MockOptions = {}): World {
  const { beforeAll, beforeEach, afterAll, expect } = jestGlobals();
  const { testPath } = expect.getState();
  refuseOtherVersions({ framework: "Jest", range, from: [29, 0], to: 30 }, jestVersion(testPath));
  const runner = runnerState();
  const file = new TestFile(testPath, () => hasConcurrentTest(runner.rootDescribeBlock));
  const ids = new Map<RunnerTest, string>();
  let latest:
    | { readonly test: RunnerTest; readonly world: World; readonly tell: ReturnType<typeof recordTest> }
    | undefined;

  /** Not in afterEach: those of the test file come after ours. They may use the world, and they may fail. */
  const finishLatest = async (next?: RunnerTest) => {
    if (latest === undefined) return;
    const { test, world, tell } = latest;
    latest = undefined;
    // Before a retry, Jest has removed the errors already.
    tell(test.errors.length === 0 && test !== next ? "passed" : "failed");
    const isItsOwn = file.leave(world);
    // A retry: the world is reset, and what happened so far becomes its history.
    if (test === next) return;
    if (test.errors.length === 0 || !isItsOwn) return world.drop();
    addToErrors(test.errors, (await recordFailure(world)).text);
  };

  beforeAll(() => file.start(options));
  beforeEach(async () => {
    const { currentlyRunningTest: test } = runner;
    await finishLatest(test);
    const id =
      ids.get(test) ??
      file.newId(
        titlesOf(test)
          .map((title) => ` ${title}`)
          .join(""),
      );
    ids.set(test, id);
    const world = await file.enter(test.name, id);
    const tell = recordTest({
      id: world.name,
      framework: "Jest",
      file: relative(process.cwd(), testPath),
      titles: titlesOf(test),
      world: world.name,
      timeoutMs: test.timeout ?? runner.testTimeout,
    });
    latest = { test, world, tell };
  });
  afterAll(async () => {
    await finishLatest();
    await file.stop();
  });
  return file.mock;
}

const range = "29 and 30";

type Hook = (hook: () => Promise<void>) => void;

interface JestGlobals {
  readonly beforeAll: Hook;
  readonly beforeEach: Hook;
  readonly afterAll: Hook;
  readonly expect: { getState(): { readonly testPath: string } };
}

/** This entry is built as CommonJS, and the `require` of Jest has this module, with or without `injectGlobals`. */
function jestGlobals(): JestGlobals {
  try {
    return require("@jest/globals");
  } catch {
    throw new Error("usergroup-mock/jest is for test files that Jest runs. Elsewhere, use startMock().");
  }
}

/** From the test file: its project has Jest. Undefined when another package brings Jest along. */
function jestVersion(testPath: string): string | undefined {
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
  readonly errors: unknown[];
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
  readonly testTimeout: number;
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
  throw new Error(`usergroup-mock works with Jest ${range} and their own test runner, jest-circus.`);
}

/** Jest starts these before the hooks of any test. */
function hasConcurrentTest({ children }: RunnerBlock): boolean {
  return children.some((child) =>
    child.type === "test" ? child.concurrent && child.mode !== "skip" : hasConcurrentTest(child),
  );
}

/** Without that of the root. */
function titlesOf({ name, parent }: RunnerTest | RunnerBlock): string[] {
  return parent === undefined ? [] : [...titlesOf(parent), name];
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
