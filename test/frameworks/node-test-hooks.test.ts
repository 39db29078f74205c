import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { followNodeTests } from "../../src/frameworks/node-test-hooks.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { variables } from "../../src/options/names.js";
import { create, getOrCreate } from "../call.js";

type Hook = (context?: object) => unknown;
const hooks = vi.hoisted(() => new Map<string, Hook>());
vi.mock("node:test", () => {
  const names = ["before", "beforeEach", "afterEach", "after"];
  return Object.fromEntries(names.map((name) => [name, (hook: Hook) => void hooks.set(name, hook)]));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it("a test that is cancelled with its suite has its requests on standard error, and not in its error", async () => {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.stubEnv(variables.testReports, mkdtempSync(join(tmpdir(), "usergroup-mock-node-test-")));
  const server = new TestServer(startMock);
  followNodeTests(server);
  const error = { message: "was cancelled", cause: "cancelled", failureType: "cancelledByParent" };
  const last: Hook[] = [];
  const context = {
    ...{ fullName: "a suite > is cancelled", passed: false, error, signal: AbortSignal.abort() },
    after: (hook: Hook) => void last.push(hook),
  };
  await hooks.get("before")?.();
  await hooks.get("beforeEach")?.(context);
  await create(server.mock.url, "a");
  for (const hook of last) await hook();
  expect(error).toMatchObject({ message: "was cancelled", cause: "cancelled" });
  await hooks.get("after")?.();
  const text = printed.mock.calls.join("");
  expect(text).toContain("a suite > is cancelled: was cancelled");
  expect(text).toContain("The requests of this test");
});

/** A test of node:test that runs. */
function testCalled(fullName: string) {
  const end = new AbortController();
  const last: Hook[] = [];
  const context = {
    ...{ fullName, passed: true, error: null as object | null, signal: end.signal },
    after: (hook: Hook) => void last.push(hook),
  };
  const runLast = async () => {
    for (const hook of last) await hook();
  };
  return { context, end: () => end.abort(), runLast };
}

it("a subtest uses the world of its test, which has failed with it, until the next test begins", async () => {
  const server = new TestServer(startMock);
  followNodeTests(server);
  server.checks = { assertNoFailures: true };
  const [test, subtest, next] = [testCalled("a"), testCalled("a > b"), testCalled("c")];
  await hooks.get("before")?.();
  await hooks.get("beforeEach")?.(test.context);
  const { url } = server.mock;
  await getOrCreate(url, {});
  await expect(hooks.get("afterEach")?.(test.context)).rejects.toThrow("1 of 1 request failed");
  await hooks.get("beforeEach")?.(subtest.context);
  expect(server.mock.url).toBe(url);
  subtest.context.error = {};
  await hooks.get("afterEach")?.(test.context);
  test.end();
  await hooks.get("beforeEach")?.(next.context);
  expect(server.mock.url).not.toBe(url);
  await hooks.get("after")?.();
});

it("a time limit, which is text, has the requests in the message that TAP prints, and becomes an error", async () => {
  vi.stubEnv(variables.testReports, mkdtempSync(join(tmpdir(), "usergroup-mock-node-test-")));
  const server = new TestServer(startMock);
  followNodeTests(server);
  const { context, runLast } = testCalled("takes long");
  await hooks.get("before")?.();
  await hooks.get("beforeEach")?.(context);
  await create(server.mock.url, "a");
  const text = "test timed out after 500ms";
  const error = { message: text, cause: text as unknown, failureType: "testTimeoutFailure" };
  Object.assign(context, { passed: false, error });
  await runLast();
  const shown = /^test timed out after 500ms\n\n.*The requests of this test/s;
  expect([error.message, error.cause]).toEqual([
    expect.stringMatching(shown),
    expect.objectContaining({ message: expect.stringMatching(shown) }),
  ]);
  await hooks.get("after")?.();
});
