import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { mockOfFile, mockOfSetUp, setUp, TestServer } from "../../src/frameworks/test-server.js";
import { getOrCreate } from "../call.js";

const place = { framework: "node:test", root: process.cwd(), file: "some.test.ts", key: 1 } as const;
const testCalled = (name: string, attempt = 1) => ({
  ...place,
  titles: [name],
  attempt,
  hasFailed: () => false,
});

describe("the server of a test file", () => {
  it("starts one mock for tests that start it at the same time, or one after the other", async () => {
    const starting = vi.fn(() => startMock());
    const server = new TestServer(starting);
    await Promise.all([server.start(), server.start()]);
    await server.start();
    expect(starting).toHaveBeenCalledTimes(1);
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

describe("the mock of a test file", () => {
  it("is the world of the test that runs, if only one does", async () => {
    const server = new TestServer(startMock);
    expect(() => server.mock.url).toThrow("no test is running");
    await server.start();
    const test = await server.enter(testCalled("one"));
    expect(server.mock.url).toBe(test.world.url);
    const other = await server.enter(testCalled("other"));
    expect(() => server.mock.url).toThrow("Tests of this file overlap");
    server.leave(test);
    expect(server.mock.url).toBe(other.world.url);
    await server.stop();
  });

  it("has any world by its name while tests overlap, once the server has started", async () => {
    const server = new TestServer(startMock);
    expect(() => server.mock.world("own")).toThrow("The server of this file has not started.");
    await server.start();
    for (const name of ["one", "other"]) await server.enter(testCalled(name));
    expect(server.mock.world("own").name).toBe("own");
    await server.stop();
  });

  it("can be printed and awaited while no test runs", async () => {
    const { mock } = new TestServer(startMock);
    expect(JSON.stringify({ mock })).toBe('{"mock":{}}');
    expect(Object.prototype.toString.call(mock)).toBe("[object Object]");
    expect(await mock).toBe(mock);
  });
});

describe("the server of a set-up", () => {
  it("rejects a test that begins while another one runs, because both would use its world", async () => {
    await using mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    await server.start();
    await server.enter(testCalled("one"));
    await expect(server.enter(testCalled("other"))).rejects.toThrow("Tests of this worker overlap");
  });

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

describe("a set-up", () => {
  let root: string;
  const writeConfig = (folder: string, config: object) => {
    const file = join(folder, "usergroup-mock.config.json");
    writeFileSync(file, JSON.stringify(config));
    return file;
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "usergroup-mock-set-up-"));
    writeFileSync(join(root, "package.json"), "{}");
    for (const name of ["USERGROUP_MOCK_URL", "USERGROUP_MOCK_API_TOKEN", "USERGROUP_MOCK_CONFIG", "API_URL"])
      vi.stubEnv(name, undefined);
  });
  afterEach(async () => {
    await mockOfSetUp()?.stop();
    Reflect.deleteProperty(globalThis, Symbol.for("usergroup-mock"));
    vi.unstubAllEnvs();
  });

  it("sets the variables of the config file, and only these are named if no request comes", async () => {
    writeConfig(root, { set: { API_URL: "{url}/api" } });
    const server = await setUp(root);
    await server.start();
    const test = await server.enter(testCalled("sends nothing"));
    const { url, apiToken } = test.world;
    const set = [`API_URL=${url}/api`, `USERGROUP_MOCK_API_TOKEN=${apiToken}`, `USERGROUP_MOCK_URL=${url}`];
    const [, named = ""] = /has set (.*): does/.exec(await test.end("failed", new Error("expected 1"))) ?? [];
    expect(named.split(", ").toSorted()).toEqual(set);
    expect(process.env.API_URL).toBe(`${url}/api`);
  });

  it("starts the mock on a free port, whatever the config file says", async () => {
    await using other = await startMock();
    writeConfig(root, { port: Number(new URL(other.url).port) });
    await setUp(root);
    expect(process.env.USERGROUP_MOCK_URL).not.toBe(other.url);
  });

  it("uses the config file that USERGROUP_MOCK_CONFIG names", async () => {
    writeConfig(root, { set: { API_URL: "of the project" } });
    const folder = mkdtempSync(join(root, "other-"));
    vi.stubEnv("USERGROUP_MOCK_CONFIG", writeConfig(folder, { set: { API_URL: "of the environment" } }));
    await setUp(root);
    expect(process.env.API_URL).toBe("of the environment");
  });

  it("rejects a missing or an invalid config file, with an example of one", async () => {
    const example = /\nThe set-up of usergroup-mock reads .*{ "set": /;
    await expect(setUp(root)).rejects.toThrow(`There is no usergroup-mock.config.json in\n  ${root}\n`);
    await expect(setUp(root)).rejects.toThrow(example);
    writeConfig(root, { sets: {} });
    await expect(setUp(root)).rejects.toThrow("did you mean set?");
    await expect(setUp(root)).rejects.toThrow(example);
  });

  it("has the mock of every test file, whose checks apply, but which has no options of its own", async () => {
    writeConfig(root, {});
    const server = await setUp(root);
    const follow = vi.fn();
    const checks = { assertNoFailures: true };
    expect(mockOfFile(checks, follow)).toBe(server.mock);
    expect([follow.mock.calls, server.checks]).toEqual([[[server]], checks]);
    server.isFollowed = true;
    mockOfFile({}, follow);
    expect(follow).toHaveBeenCalledTimes(1);
    expect(() => mockOfFile({ seed: "a" }, follow)).toThrow("Move seed to usergroup-mock.config.json");
  });
});

it("a test file without a set-up has a server with its own options", async () => {
  const followed: TestServer[] = [];
  mockOfFile({ seed: "a", assertNoFailures: true }, (server) => void followed.push(server));
  const [server] = followed;
  await server?.start();
  const world = server?.mock.world("w");
  await using other = await startMock({ seed: "a" });
  const group = { provided_id: "a", name: "A" };
  expect(await world?.addGroup(group)).toEqual(await other.world("w").addGroup(group));
  expect(server?.checks).toMatchObject({ assertNoFailures: true });
  await server?.stop();
});
