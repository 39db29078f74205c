import Module from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { followJestTests } from "../../src/frameworks/jest-hooks.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { variables } from "../../src/options/names.js";
import { readSeen } from "../../src/run/begin-run.js";
import { ownRun } from "../run/own-run.js";

type Hook = () => unknown;
const stateSymbol = Symbol("JEST_STATE_SYMBOL");
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Reflect.deleteProperty(globalThis, stateSymbol);
});

/** The hooks that are registered in a file with one test. */
function hooksFor(server: TestServer, test: object): ReadonlyMap<string, Hook> {
  const hooks = new Map<string, Hook>();
  const names = ["beforeAll", "beforeEach", "afterEach", "afterAll"];
  const globals = {
    ...Object.fromEntries(names.map((name) => [name, (hook: Hook) => void hooks.set(name, hook)])),
    expect: { getState: () => ({ testPath: import.meta.filename }) },
  };
  const load = Module.prototype.require;
  vi.spyOn(Module.prototype, "require").mockImplementation(function (this: Module, id) {
    return id === "@jest/globals" ? globals : load.call(this, id);
  });
  const rootDescribeBlock = { name: "ROOT", children: [{ name: "a test", ...test }] };
  Reflect.set(globalThis, stateSymbol, { rootDescribeBlock, testTimeout: 5_000 });
  followJestTests(server);
  return hooks;
}

it.each([
  ["accepts a test that runs alone", { concurrent: false }, "started"],
  ["accepts a concurrent test that is skipped", { concurrent: true, mode: "skip" }, "started"],
  [
    "rejects a concurrent test",
    { concurrent: true },
    expect.stringContaining("Tests of this worker overlap"),
  ],
])("the set-up of Jest %s", async (_, test, expected) => {
  await using mock = await startMock();
  const begin = hooksFor(new TestServer(async () => mock, { variables: {} }), test).get("beforeAll");
  const result = await Promise.resolve(begin?.()).then(
    () => "started",
    ({ message }: Error) => message,
  );
  expect(result).toEqual(expected);
});

it("the entry of Jest records that a test was retried at once, whose errors Jest has removed", async () => {
  using run = ownRun();
  vi.stubEnv(variables.run, run.folder);
  await using mock = await startMock();
  const test = { concurrent: false, invocations: 1, errors: [] };
  const hooks = hooksFor(new TestServer(async () => mock, { variables: {} }), test);
  const runner = Reflect.get(globalThis, stateSymbol);
  [runner.currentlyRunningTest] = runner.rootDescribeBlock.children;
  for (const name of ["beforeAll", "beforeEach", "beforeEach", "afterAll"]) await hooks.get(name)?.();
  expect(readSeen(run).tests.map(({ result }) => result)).toEqual(["retried"]);
});
