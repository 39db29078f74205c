import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, type TaskMeta, type TestContext, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { followTask, vitestRoot } from "../../src/frameworks/vitest-task.js";
import { variables } from "../../src/options/names.js";
import { create, getOrCreate } from "../call.js";
import { recordedBy } from "./recorded-run.js";

afterEach(() => vi.unstubAllEnvs());

type Listener = Parameters<TestContext["onTestFinished"]>[0];

/** Begins a test as vitest does, and returns what ends it. */
async function follow(server: TestServer, context: TestContext, more: object) {
  const finished: Listener[] = [];
  const onTestFinished: TestContext["onTestFinished"] = (listener) => void finished.push(listener);
  const task = { ...context.task, ...more };
  const ofTest = await followTask(server, { task, onTestFinished });
  const end = async () => {
    for (const listener of finished) await listener(context);
  };
  return { ofTest, end };
}

describe("a test in vitest", () => {
  it("that fails again has its requests below its own error, and its report in its meta data", async (context) => {
    vi.stubEnv(variables.testReports, mkdtempSync(join(tmpdir(), "usergroup-mock-vitest-task-")));
    const errors: { message: string; stack: string; diff?: string }[] = [
      { message: "first", stack: "first" },
    ];
    const meta: TaskMeta = {};
    const result = { state: "fail", startTime: 0, retryCount: 1, errors } as const;
    const server = new TestServer(startMock);
    const { ofTest, end } = await follow(server, context, { meta, result });
    await create(ofTest.world.url, "a");
    errors.push({ message: "second", stack: "second", diff: "- 1\n+ 2" });
    await end();
    await server.stop();
    expect(readFileSync(meta.usergroupMockReport ?? "", "utf8")).toContain('id="report"');
    expect(errors.map(({ stack }) => stack.includes("The requests of this test"))).toEqual([false, true]);
    expect(errors[1]?.diff).toMatch(/^- 1\n\+ 2\n\n.*The requests of this test/s);
  });

  it("is checked when it is retried, although the attempt before has failed", async (context) => {
    const server = new TestServer(startMock);
    const errors = [{ message: "first" }];
    const result = { state: "run", startTime: 0, retryCount: 1, errors } as const;
    const { ofTest } = await follow(server, context, { result });
    await getOrCreate(ofTest.world.url, {});
    await expect(ofTest.check({ assertNoFailures: true })).rejects.toThrow("1 of 1 request failed");
    await server.stop();
  });

  it("is reported to a run with its titles, line, time limit, attempt and result", async (context) => {
    const failing = { state: "fail", startTime: 0, retryCount: 1, errors: [] as object[] };
    const passing = { state: "pass", startTime: 0 };
    const tasks = [
      { name: "fails", timeout: 70, location: { line: 7, column: 1 }, result: failing },
      { name: "passes", result: passing },
      { name: "is skipped", result: { state: "skip", startTime: 0 } },
      { name: "fails as expected", fails: true, result: { ...failing } },
      { name: "passes unexpectedly", fails: true, result: passing },
    ];
    const results = await recordedBy(async () => {
      const server = new TestServer(startMock);
      for (const [n, task] of tasks.entries()) {
        const { end } = await follow(server, context, { id: `${context.task.file.id}_${n}`, ...task });
        if (n === 0) failing.errors.push({ message: "on purpose" });
        await end();
      }
      expect(() => server.mock.url).toThrow("no test is running");
      await server.stop();
    });
    const titles = (name: string) => ({ titles: ["a test in vitest", name] });
    const failure = { attempt: 2, line: 7, error: { message: "on purpose" } };
    expect(results).toMatchObject([
      { ...titles("fails"), framework: "vitest", timeoutMs: 70, result: "failed", failure },
      { ...titles("passes"), result: "passed" },
      { ...titles("is skipped"), result: "skipped" },
      { ...titles("fails as expected"), result: "passed" },
      { ...titles("passes unexpectedly"), result: "failed" },
    ]);
  });

  it("has a world named by its place in its file, wherever vitest was started", async (context) => {
    const server = new TestServer(startMock);
    const { task } = context;
    const nameOf = async (id: string, place: string) => {
      const file = { ...task.file, id };
      const { ofTest, end } = await follow(server, context, { file, id: `${id}${place}` });
      await end();
      return ofTest.world.name;
    };
    const name = await nameOf("1", "_0_1");
    expect(await nameOf("-27", "_0_1")).toBe(name);
    expect(await nameOf("1", "_0_2")).not.toBe(name);
    await server.stop();
  });

  it("belongs to the project of a workspace, or else to the working directory", () => {
    expect(vitestRoot()).toBe(join(import.meta.dirname, "../.."));
    const state = Reflect.get(globalThis, "__vitest_worker__");
    try {
      Reflect.set(globalThis, "__vitest_worker__", { config: { root: "/repository/packages/shop" } });
      expect(vitestRoot()).toBe("/repository/packages/shop");
    } finally {
      Reflect.set(globalThis, "__vitest_worker__", state);
    }
  });
});
