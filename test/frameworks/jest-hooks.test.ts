import Module from "node:module";
import { afterEach, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { followJestTests } from "../../src/frameworks/jest-hooks.js";
import { TestServer } from "../../src/frameworks/test-server.js";

type Hook = () => unknown;
const stateSymbol = Symbol("JEST_STATE_SYMBOL");
afterEach(() => {
  vi.restoreAllMocks();
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
