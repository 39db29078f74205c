import { mkdtempSync } from "node:fs";
import Module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { followJestTests } from "../../src/frameworks/jest-hooks.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { variables } from "../../src/options/names.js";
import { create, getOrCreate } from "../call.js";
import { recordedBy } from "./recorded-run.js";

type Hook = () => unknown;
const stateSymbol = Symbol("JEST_STATE_SYMBOL");
beforeEach(() => {
  vi.stubEnv(variables.testReports, mkdtempSync(join(tmpdir(), "usergroup-mock-jest-")));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Reflect.deleteProperty(globalThis, stateSymbol);
});

interface FakeTest {
  name: string;
  parent?: object;
  concurrent?: boolean;
  mode?: string;
  timeout?: number;
  invocations?: number;
  errors: unknown[];
}

const outermost = { name: "ROOT" };
const testCalled = (name: string, more: Partial<FakeTest> = {}): FakeTest => ({
  ...{ name, parent: outermost, concurrent: false, invocations: 1, errors: [] },
  ...more,
});

/** Jest with a file of these tests, which `server` follows. */
function jestWith(server: TestServer, tests: readonly FakeTest[], globals: object = {}) {
  const hooks = new Map<string, Hook>();
  const names = ["beforeAll", "beforeEach", "afterEach", "afterAll"];
  const known = {
    ...Object.fromEntries(names.map((name) => [name, (hook: Hook) => void hooks.set(name, hook)])),
    expect: { getState: () => ({ testPath: import.meta.filename, ...globals }) },
  };
  const load = Module.prototype.require;
  vi.spyOn(Module.prototype, "require").mockImplementation(function (this: Module, id) {
    return id === "@jest/globals" ? known : load.call(this, id);
  });
  const state = { rootDescribeBlock: { ...outermost, children: tests }, testTimeout: 5_000 };
  Reflect.set(globalThis, stateSymbol, state);
  followJestTests(server);
  const call = async (name: string) => hooks.get(name)?.();
  const begin = async (test: FakeTest) => {
    Object.assign(state, { currentlyRunningTest: test });
    await call("beforeEach");
  };
  return {
    begin,
    beforeAll: () => call("beforeAll"),
    afterAll: () => call("afterAll"),
    /** Runs a test, of which all is over but its errors and the hooks of others. */
    run: async (test: FakeTest, body: Hook = () => {}) => {
      await begin(test);
      await body();
      await call("afterEach");
    },
  };
}

describe("the set-up of Jest", () => {
  it.each([
    ["accepts a test that runs alone", { concurrent: false }, "started"],
    ["accepts a concurrent test that is skipped", { concurrent: true, mode: "skip" }, "started"],
    [
      "rejects a concurrent test",
      { concurrent: true },
      expect.stringContaining("Tests of this worker overlap"),
    ],
  ])("%s", async (_, test, expected) => {
    await using mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    const result = await jestWith(server, [testCalled("a test", test)])
      .beforeAll()
      .then(
        () => "started",
        ({ message }: Error) => message,
      );
    expect(result).toEqual(expected);
  });
});

describe("in Jest", () => {
  const requests = /\n\nThe requests of this test \(report: \S+\):\n {2}#1 GET .*$/;

  it("a failed test has its requests below its error once the next test begins or the file ends", async () => {
    const server = new TestServer(startMock);
    const tests = [testCalled("first"), testCalled("second")] as const;
    const jest = jestWith(server, tests);
    await jest.beforeAll();
    for (const test of tests) {
      await jest.run(test, async () => void (await create(server.mock.url, test.name)));
      // Jest has the error of a hook only then.
      test.errors.push(new Error(`of ${test.name}`));
    }
    const messages = () => tests.map(({ errors: [error] }) => (error as Error).message);
    expect(messages()).toEqual([expect.stringMatching(requests), "of second"]);
    await jest.afterAll();
    expect(messages()[1]).toMatch(requests);
    expect(messages()[1]).toMatch(/^of second\n\n.*second/s);
  });

  it("a time limit, which Jest throws as text, has the place of its test", async () => {
    const test = testCalled("takes long");
    const stack = `Error\n    at ${import.meta.filename}:7:1`;
    const [result] = await recordedBy(async () => {
      const server = new TestServer(startMock);
      const jest = jestWith(server, [test]);
      await jest.beforeAll();
      await jest.run(test, async () => {
        await create(server.mock.url);
        test.errors.push(["Exceeded timeout of 5000 ms", { message: "", stack }]);
      });
      await jest.afterAll();
    });
    const [error] = test.errors as Error[];
    expect(error?.message).toMatch(/^Exceeded timeout of 5000 ms\n\n.*The requests of this test/s);
    expect(error?.stack?.endsWith(stack.replace("Error", ""))).toBe(true);
    expect(result?.failure).toMatchObject({ line: 7 });
  });

  it("each test, and each with an equal title, reports its own world, titles and result to a run", async () => {
    const block = { name: "a block", parent: outermost };
    const tests = [
      testCalled("same", { parent: block, timeout: 70 }),
      testCalled("same", { parent: block }),
      testCalled("is retried"),
    ] as const;
    const [, failing, retried] = tests;
    const results = await recordedBy(async () => {
      const jest = jestWith(new TestServer(startMock), tests);
      await jest.beforeAll();
      await jest.run(tests[0]);
      await jest.run(failing, () => failing.errors.push(new Error("on purpose")));
      await jest.run(retried, () => retried.errors.push(new Error("once")));
      Object.assign(retried, { errors: [], invocations: 2 });
      await jest.run(retried);
      await jest.afterAll();
    });
    const titles = ["a block", "same"];
    expect(results).toMatchObject([
      { framework: "Jest", titles, timeoutMs: 70, result: "passed" },
      { titles, timeoutMs: 5_000, result: "failed", failure: { error: { message: "on purpose" } } },
      { titles: ["is retried"], result: "retried" },
    ]);
    expect(new Set(results.map(({ world }) => world)).size).toBe(3);
  });

  it("the second attempt of a test is reported as such", async () => {
    const server = new TestServer(startMock);
    const test = testCalled("is retried", { invocations: 2 });
    const [result] = await recordedBy(async () => {
      const jest = jestWith(server, [test]);
      await jest.beforeAll();
      await jest.run(test, () => test.errors.push(new Error("again")));
      await jest.afterAll();
    });
    expect(result?.failure).toMatchObject({ attempt: 2 });
  });

  it("a test is checked after its own hooks, unless it has failed", async () => {
    const server = new TestServer(startMock);
    server.checks = { assertNoFailures: true };
    const test = testCalled("ignores a failure");
    const jest = jestWith(server, [test]);
    await jest.beforeAll();
    const rejected = async () => void (await getOrCreate(server.mock.url, {}));
    await expect(jest.run(test, rejected)).rejects.toThrow("1 of 1 request failed");
    test.errors.push(new Error("its own"));
    await jest.run(test, rejected);
    await jest.afterAll();
  });

  it("a mock has no world between the tests, and stops after the last one", async () => {
    const mock = await startMock();
    const server = new TestServer(async () => mock);
    const test = testCalled("a test");
    const jest = jestWith(server, [test]);
    await jest.beforeAll();
    await jest.run(test);
    await jest.afterAll();
    expect(() => server.mock.url).toThrow("no test is running");
    await expect(mock.health()).rejects.toMatchObject({ code: "stopped" });
  });

  it("a concurrent test, which has no hooks, cannot use the world of another test", async () => {
    const server = new TestServer(startMock);
    let name: string | undefined;
    const tests = [testCalled("runs alone"), testCalled("overlaps", { concurrent: true })] as const;
    const jest = jestWith(server, tests, { currentConcurrentTestName: () => name });
    await jest.beforeAll();
    await jest.run(tests[0], () => {
      expect(server.mock.url).toContain("/worlds/");
      name = "overlaps";
      expect(() => server.mock.url).toThrow("Tests of this file overlap");
    });
    await jest.afterAll();
  });
});

describe("usergroup-mock/jest", () => {
  it("rejects another runner of Jest", () => {
    const server = new TestServer(startMock);
    const withoutState = () => {
      vi.spyOn(Object, "getOwnPropertySymbols").mockReturnValue([]);
      jestWith(server, []);
    };
    expect(withoutState).toThrow("their default test runner, jest-circus");
  });

  it("rejects a file that Jest does not run", () => {
    expect(() => followJestTests(new TestServer(startMock))).toThrow("is for test files that Jest runs");
  });
});

it("the entry of Jest records that a test was retried at once, whose errors Jest has removed", async () => {
  await using mock = await startMock();
  const test = testCalled("flaky");
  const jest = jestWith(new TestServer(async () => mock, { variables: {} }), [test]);
  const results = await recordedBy(async () => {
    await jest.beforeAll();
    await jest.begin(test);
    await jest.begin(test);
    await jest.afterAll();
  });
  expect(results.map(({ result }) => result)).toEqual(["retried"]);
});
