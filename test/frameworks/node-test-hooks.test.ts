import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { followNodeTests } from "../../src/frameworks/node-test-hooks.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { variables } from "../../src/options/names.js";
import { create } from "../call.js";

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
