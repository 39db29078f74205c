import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, type TaskMeta, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { followTask } from "../../src/frameworks/vitest-task.js";
import { variables } from "../../src/options/names.js";
import { create, getOrCreate } from "../call.js";

it("a retry that fails has its requests below its own error, and its report in its meta data", async (context) => {
  vi.stubEnv(variables.testReports, mkdtempSync(join(tmpdir(), "usergroup-mock-vitest-task-")));
  const errors = [{ message: "first", stack: "first" }];
  const meta: TaskMeta = {};
  const task = {
    ...context.task,
    meta,
    result: { state: "fail", startTime: 0, retryCount: 1, errors },
  } as const;
  const finished: Parameters<typeof context.onTestFinished>[0][] = [];
  const onTestFinished: typeof context.onTestFinished = (listener) => void finished.push(listener);
  const server = new TestServer(startMock);
  const { world } = await followTask(server, { task: { ...task }, onTestFinished });
  await create(world.url, "a");
  errors.push({ message: "second", stack: "second" });
  for (const listener of finished) await listener(context);
  await server.stop();
  vi.unstubAllEnvs();
  expect(readFileSync(meta.usergroupMockReport ?? "", "utf8")).toContain('id="report"');
  expect(errors.map(({ stack }) => stack.includes("The requests of this test"))).toEqual([false, true]);
});

it("a retry is checked, although the attempt before it has failed", async ({ task, onTestFinished }) => {
  const result = { state: "run", startTime: 0, retryCount: 1, errors: [{ message: "first" }] } as const;
  const server = new TestServer(startMock);
  onTestFinished(() => server.stop());
  const retried = { ...task, result: { ...result, errors: [...result.errors] } };
  const ofTest = await followTask(server, { task: retried, onTestFinished: () => {} });
  await getOrCreate(ofTest.world.url, {});
  await expect(ofTest.check({ assertNoFailures: true })).rejects.toThrow("1 of 1 request failed");
});
