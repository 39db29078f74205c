/**
 * The part of `@jest/globals` that the entry uses. Declared here: the types of Jest would bring 200 packages into the
 * node_modules of this repository. `npm run test:package -- smoke` runs the entry in Jest itself.
 */
export interface JestGlobals {
  readonly beforeAll: JestHook;
  readonly beforeEach: JestHook;
  readonly afterEach: JestHook;
  readonly afterAll: JestHook;
  readonly expect: {
    getState(): {
      readonly testPath?: string;
      /** Only in a concurrent test, from Jest 30. */
      readonly currentConcurrentTestName?: () => string | undefined;
    };
  };
}

type JestHook = (hook: () => Promise<void>) => void;

/** The part of the state of jest-circus, Jest's runner, that the entry uses. */
export interface JestRunner {
  readonly currentlyRunningTest?: JestTest | null;
  readonly rootDescribeBlock: JestBlock;
  readonly testTimeout: number;
}

export interface JestTest {
  readonly type: "test";
  readonly name: string;
  readonly parent: JestBlock;
  readonly concurrent: boolean;
  readonly mode?: string | null;
  readonly timeout?: number;
  readonly startedAt?: number | null;
  /** Set when it has ended. */
  readonly status?: string | null;
  /** How often Jest has started it: more than once if it is retried. */
  readonly invocations: number;
  /** What was thrown, or pairs of that and an error that has the place of the test. */
  readonly errors: unknown[];
}

export interface JestBlock {
  readonly type: "describeBlock";
  readonly name: string;
  readonly parent?: JestBlock;
  readonly children: readonly (JestBlock | JestTest)[];
}
