import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { getOrCreate } from "../call.js";

const testCalled = (name: string) =>
  ({ framework: "node:test", file: "some.test.ts", titles: [name] }) as const;

describe("the server of a test file", () => {
  let file: TestServer;
  beforeEach(async () => {
    file = new TestServer({});
    await file.start();
  });
  afterEach(() => file.stop());

  it("gives two tests of the same name different worlds, and the same worlds in the next run", async () => {
    const groupByWorld = async (run: TestServer) => {
      const [first, second] = [
        await run.enter(testCalled("rotates")),
        await run.enter(testCalled("rotates")),
      ];
      return [first.world.name, second.world.name];
    };
    const [first, second] = await groupByWorld(file);
    expect(second).not.toBe(first);
    const nextRun = new TestServer({});
    await nextRun.start();
    expect(await groupByWorld(nextRun)).toEqual([first, second]);
    await nextRun.stop();
  });

  it("starts one mock for tests that start it at the same time", async () => {
    const server = new TestServer({});
    await Promise.all([server.start(), server.start()]);
    const [one, other] = [await server.enter(testCalled("one")), await server.enter(testCalled("other"))];
    expect(new URL(one.world.url).origin).toBe(new URL(other.world.url).origin);
    await server.stop();
    await expect(one.world.health()).rejects.toMatchObject({ code: "stopped" });
  });

  it("stops without a second error if its start failed", async () => {
    const server = new TestServer({ fixtures: "no-such-file.json" });
    await expect(server.start()).rejects.toThrow("no-such-file.json");
    await server.stop();
  });

  it("marks both of two tests that overlap", async () => {
    const earlier = await file.enter(testCalled("earlier"));
    const later = await file.enter(testCalled("later"));
    expect(() => file.mock.url).toThrow("Tests of this file overlap");
    expect(file.leave(later)).toBe(false);
    expect(file.leave(earlier)).toBe(false);
  });

  it("does not mark tests that run one after the other", async () => {
    for (const name of ["earlier", "later"]) {
      const test = await file.enter(testCalled(name));
      expect(file.mock.url).toBe(test.world.url);
      expect(file.leave(test)).toBe(true);
    }
  });
});

describe("the server of a set-up", () => {
  it("resets the default world before each test, and keeps it afterwards", async () => {
    await using mock = await startMock();
    const server = new TestServer({}, mock);
    for (const name of ["earlier", "later"]) {
      const test = await server.enter(testCalled(name));
      expect([test.world.url, (await server.mock.requests()).length]).toEqual([mock.url, 0]);
      await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
      server.leave(test);
      await test.drop();
    }
    expect(await mock.history()).toMatchObject([{ label: "earlier", requests: 1 }]);
    expect(await mock.requests()).toHaveLength(1);
  });

  it("rejects a test that begins while another one runs, and leaves the world of the other one as it is", async () => {
    await using mock = await startMock();
    const server = new TestServer({}, mock);
    const test = await server.enter(testCalled("earlier"));
    await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    await expect(server.enter(testCalled("later"))).rejects.toThrow("Tests of this worker overlap");
    expect(await server.mock.requests()).toHaveLength(1);
    expect(server.leave(test)).toBe(true);
  });
});
