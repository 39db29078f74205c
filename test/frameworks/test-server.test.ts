import { describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { getOrCreate } from "../call.js";

const place = { framework: "node:test", root: process.cwd(), file: "some.test.ts", key: 1 } as const;
const testCalled = (name: string, attempt = 1) => ({
  ...place,
  titles: [name],
  attempt,
  hasFailed: () => false,
});

describe("the server of a test file", () => {
  it("starts one mock for tests that start it at the same time", async () => {
    const server = new TestServer(startMock);
    await Promise.all([server.start(), server.start()]);
    const [one, other] = [await server.enter(testCalled("one")), await server.enter(testCalled("other"))];
    expect(new URL(one.world.url).origin).toBe(new URL(other.world.url).origin);
    await server.stop();
    await expect(one.world.health()).rejects.toMatchObject({ code: "stopped" });
  });

  it("starts another mock after it was stopped", async () => {
    const server = new TestServer(startMock);
    await server.start();
    await server.stop();
    await server.start();
    const { world } = await server.enter(testCalled("one"));
    expect((await getOrCreate(world.url, { user_group_id: "a", name: "A" })).status).toBe(200);
    await server.stop();
  });

  it("stops without a second error if its start failed", async () => {
    const server = new TestServer(() => startMock({ fixtures: "no-such-file.json" }));
    await expect(server.start()).rejects.toThrow("no-such-file.json");
    await server.stop();
  });
});

describe("the server of a set-up", () => {
  it("resets the default world before each test, and keeps it afterwards", async () => {
    await using mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    await server.start();
    for (const name of ["earlier", "later"]) {
      const test = await server.enter(testCalled(name));
      expect([test.world.url, (await server.mock.requests()).length]).toEqual([mock.url, 0]);
      await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
      server.leave(test);
      await test.end("passed");
    }
    expect(await mock.history()).toMatchObject([{ label: "earlier", requests: 1 }]);
    expect(await mock.requests()).toHaveLength(1);
  });

  it("resets the default world before each attempt of a test that is retried", async () => {
    await using mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    await server.start();
    for (const attempt of [1, 2]) {
      const test = await server.enter(testCalled("flaky", attempt));
      expect(await mock.requests()).toEqual([]);
      await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
      server.leave(test);
      await test.end("passed");
    }
    expect(await mock.history()).toMatchObject([{ label: "flaky", requests: 1 }]);
  });

  it("rejects tests without hooks at the start, because they overlap others", async () => {
    await using mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    await expect(server.start(true)).rejects.toThrow("Tests of this worker overlap");
  });
});
