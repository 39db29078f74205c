import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { TestWorld } from "../../src/frameworks/test-world.js";
import { variables } from "../../src/options/names.js";
import { readSeen } from "../../src/run/begin-run.js";
import { create, getOrCreate } from "../call.js";
import { ownRun } from "../run/own-run.js";
import { recordedBy } from "./recorded-run.js";

const fixed = { framework: "vitest", file: "some.test.ts", attempt: 1, hasFailed: () => false } as const;
const testCalled = (name: string, key = 1) => ({
  ...fixed,
  root: process.cwd(),
  titles: ["suite", name],
  key,
});

// test/consumers/frameworks.ts and set-ups.ts have what a failed test prints.
describe("the world of a test", () => {
  let cwd: string;
  const before = process.cwd();
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "usergroup-mock-test-world-"));
    process.chdir(cwd);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(cwd, { recursive: true });
  });

  it("has the same name in every run, and a different name than that of another test with this title", async () => {
    await using mock = await startMock();
    const [one, two, again] = [
      new TestWorld(mock, testCalled("rotates: a token?")).world,
      new TestWorld(mock, testCalled("rotates: a token?", 2)).world,
      new TestWorld(mock, testCalled("rotates: a token?")).world,
    ];
    expect(one.name).toMatch(/^rotates-a-token-[0-9a-f]{16}$/);
    expect(two.name).not.toBe(one.name);
    expect(again.name).toBe(one.name);
  });

  it.each([
    ["an empty title", ""],
    ["an emoji as its title", "😀"],
    ["a title of 5,000 characters", "a".repeat(5_000)],
  ])("works for a test with %s", async (_, name) => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, testCalled(name)).begin();
    expect((await getOrCreate(world.url, { user_group_id: "a", name: "A" })).status).toBe(200);
  });

  it("keeps earlier attempts as history when the test is retried", async () => {
    await using mock = await startMock();
    const { world } = await new TestWorld(mock, testCalled("flaky")).begin();
    await getOrCreate(world.url, { user_group_id: "a", name: "A" });
    await new TestWorld(mock, testCalled("flaky")).begin();
    expect(await world.requests()).toEqual([]);
    expect(await world.history()).toMatchObject([{ label: "flaky", requests: 1 }]);
  });

  it("reports its first error to a run, although an error in a hook follows", async () => {
    using run = ownRun();
    vi.stubEnv(variables.run, run.folder);
    await using mock = await startMock();
    const test = await new TestWorld(mock, testCalled("fails")).begin();
    vi.unstubAllEnvs();
    writeFileSync("some.test.ts", 'describe("suite", () => {\n  test("fails", () => {});\n');
    await test.explain("first");
    await test.end("failed", new Error("in a hook"), { titles: ["suite", "fails", "in a part"] });
    const failure = { title: "suite > fails", line: 2, error: { message: "first" }, isUnused: true };
    expect(readSeen(run).tests).toMatchObject([
      { result: "failed", failure: { ...failure, mark: { lastRequest: 0 } } },
    ]);
  });

  it("reports which part of it has failed to a run, if that is a subtest", async () => {
    const [result] = await recordedBy(async () => {
      await using mock = await startMock();
      const test = await new TestWorld(mock, testCalled("fails")).begin();
      await test.end("failed", new Error("no"), { titles: ["suite", "fails", "in a part"] });
    });
    expect(result?.failure?.title).toBe("suite > fails > in a part");
  });

  it("is removed when the test has passed, and nothing asks the test about later requests", async () => {
    await using mock = await startMock();
    const hasFailed = vi.fn(() => false);
    const test = await new TestWorld(mock, { ...testCalled("passes"), hasFailed }).begin();
    await create(test.world.url);
    expect([hasFailed.mock.calls.length, (await mock.worlds()).length]).toEqual([1, 2]);
    await test.end("passed");
    expect(await mock.worlds()).toHaveLength(1);
    await create(test.world.url);
    expect(hasFailed).toHaveBeenCalledTimes(1);
  });

  it("keeps the mock's view of the next attempt, if the earlier one ends later", async () => {
    await using mock = await startMock();
    const earlier = await new TestWorld(mock, testCalled("flaky")).begin();
    const hasFailed = vi.fn(() => false);
    const next = await new TestWorld(mock, { ...testCalled("flaky"), hasFailed }).begin();
    earlier.record("failed");
    await create(next.world.url);
    expect(hasFailed).toHaveBeenCalled();
  });

  it("removes the report of an earlier run when the test passes", async () => {
    await using mock = await startMock();
    const test = new TestWorld(mock, testCalled("passes"));
    mkdirSync("usergroup-mock-report", { recursive: true });
    writeFileSync(test.report, "of an earlier run");
    await (await test.begin()).end("passed");
    expect(existsSync(test.report)).toBe(false);
  });

  it("prints the requests of a failed test even if the report cannot be saved, and the reason", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, testCalled("fails")).begin();
    await getOrCreate(test.world.url, { user_group_id: "a", name: "A" });
    rmSync(join(cwd, "usergroup-mock-report"), { recursive: true, force: true });
    writeFileSync(join(cwd, "usergroup-mock-report"), "a file in the place of the folder");
    expect(await test.end("failed", new Error("on purpose"))).toMatch(
      /^\n\nThe requests of this test \(no report: .*usergroup-mock-report.*\):\n {2}#1 GET \/api\/user/,
    );
  });

  const failedTest = async (server: Mock) => {
    const test = await new TestWorld(server, testCalled("fails")).begin();
    test.use();
    return test;
  };
  /** What jsdom and happy-dom send before a request of a page. */
  const preflight = (url: string) =>
    fetch(`${url}/api/user?x=1`, { method: "OPTIONS", headers: { Origin: "http://localhost:3000" } });

  it("explains that fetch cannot send a GET with a body, also if the program wraps the error", async () => {
    await using mock = await startMock();
    const test = await failedTest(mock);
    const wrapped = await fetch(test.world.url, { method: "GET", body: "{}" }).catch(
      (cause: unknown) => new Error("no group", { cause }),
    );
    expect(await test.end("failed", wrapped)).toBe(
      `\n\nNo request of this test reached the mock at ${test.world.url}: fetch cannot send a GET with a body, and get-or-create needs one. Use undici.request, axios, got or node:http instead.`,
    );
  });

  it("names the requests of the test that the guard rejected, and the way out", async () => {
    await using mock = await startMock();
    const [test, other] = [await failedTest(mock), mock.world("other")];
    for (const { url } of [test.world, other]) expect((await preflight(url)).status).toBe(403);
    const { error } = JSON.parse(await (await preflight(test.world.url)).text());
    const request = `OPTIONS ${new URL(test.world.url).pathname}/api/user`;
    const text = await test.explain(new Error("Network Error"));
    expect(text).toBe(
      `\n\nThe mock rejected requests of this test:\n  ${request} → forbidden_origin: ${error.message}`,
    );
    const another = await failedTest(mock);
    await preflight(another.world.url);
    await getOrCreate(another.world.url, { user_group_id: "a", name: "A" });
    const withRequest = await another.explain(new Error("Network Error"));
    expect(withRequest).toMatch(/^\n\nThe requests of this/);
    expect(withRequest).toContain(text);
    // The test itself has printed it.
    expect(await another.end("failed", new Error("Network Error"))).toBe("");
  });

  it("names 20 requests that the guard rejected, counts others but no repetitions, and masks tokens", async () => {
    await using mock = await startMock();
    const test = await failedTest(mock);
    const { token } = await test.world.addGroup({ provided_id: "a", name: "A" });
    const headers = { Origin: "https://example.com" };
    const paths = [`${token}/a`, `${mock.apiToken}/b`, "user:password@host", "x".repeat(5_000)];
    for (const n of [...Array(40).keys(), 10, 10]) {
      const url = `${test.world.url}/${paths[n] ?? n}?api_key=secret`;
      expect((await fetch(url, { headers })).status).toBe(403);
    }
    const text = await test.explain(new Error("Network Error"));
    const [, ...lines] = text.trim().split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([21, "  … and 20 more requests"]);
    expect(lines.slice(0, 3).join()).toMatch(/^ {2}GET \S+\/…\/a → .*\/…\/b → .*\/…@host → /);
    expect(text.length).toBeLessThan(10_000);
    for (const secret of [token, mock.apiToken, "password", "api_key"]) expect(text).not.toContain(secret);
  });

  it("marks a failure at the first request after it, or when a hook sees it", async () => {
    await using mock = await startMock();
    let hasFailed = false;
    const test = await new TestWorld(mock, { ...testCalled("fails"), hasFailed: () => hasFailed }).begin();
    const { token } = (await create(test.world.url, "a")).body.user_group;
    hasFailed = true;
    await getOrCreate(mock.world("other").url, {});
    await getOrCreate(test.world.url, {});
    expect(await test.markFailure()).toMatchObject({ lastRequest: 1, waiting: [] });
    const text = await test.end("failed", new Error("HTTP 400"));
    expect(text).not.toContain(token);
    expect(text).toMatch(
      /After the failure: #2 .*\n.* #1 GET .*\n *─── the test failed here ───\n *#2 GET .* \(after the failure\)$/s,
    );
  });

  it("prints requests as they were at the failure, and below a line how they ended", async () => {
    await using mock = await startMock();
    const test = await failedTest(mock);
    const held = await test.world.hold();
    const waiting = getOrCreate(test.world.url, { user_group_id: "a", name: "A" });
    await held.arrived();
    expect(await test.markFailure()).toMatchObject({ lastRequest: 1, waiting: [1] });
    await held.release();
    await waiting;
    expect(await test.end("failed", new Error("Test timed out in 5000ms."))).toMatch(
      /\nLikely cause: #1 waits in the hold of any request; .*\n *#1 GET .* → no response yet: .*\n *─── the test failed here ───\n *#1: its response was sent \d+ ms after the failure$/s,
    );
  });

  it("asks for the URL and an await before nock and msw if nothing else is known", async () => {
    await using mock = await startMock();
    const text = await (await failedTest(mock)).end("failed", new Error("expected 1"));
    expect(text).toMatch(
      /reached the mock at http:\S+\. Does your program use this URL, and was the request awaited\? If nock or msw is active/,
    );
  });

  it("names the variables of a set-up below the first failed test only", async () => {
    await using mock = await startMock();
    const shared = { variables: { API_URL: mock.url } };
    const texts = [];
    for (const name of ["first", "second"]) {
      const test = await new TestWorld(mock, testCalled(name), shared).begin();
      texts.push(await test.end("failed", new Error("expected 1")));
    }
    expect(texts).toEqual([expect.stringContaining(`The set-up has set API_URL=${mock.url}:`), ""]);
  });

  it("does not name the variables of a set-up once a request of another test has reached the mock", async () => {
    await using mock = await startMock();
    const shared = { variables: { API_URL: mock.url } };
    const passing = await new TestWorld(mock, testCalled("passes"), shared).begin();
    await create(mock.url);
    await passing.end("passed");
    const failing = await new TestWorld(mock, testCalled("fails"), shared).begin();
    expect(await failing.end("failed", new Error("expected 1"))).toBe("");
  });

  it("prints nothing for a test that has not used its mock", async () => {
    await using mock = await startMock();
    const test = await new TestWorld(mock, testCalled("fails")).begin();
    expect(await test.end("failed", new Error("expected 1"))).toBe("");
  });

  it("saves the report in the root of its project, as saveReport() does", async () => {
    await using mock = await startMock();
    const root = mkdtempSync(join(cwd, "project-"));
    const test = await new TestWorld(mock, { ...testCalled("fails"), root }).begin();
    await getOrCreate(test.world.url, { user_group_id: "a", name: "A" });
    const text = await test.end("failed", new Error("on purpose"));
    const saved = [test.report, await test.world.saveReport()];
    expect(saved.map((path) => dirname(path))).toEqual(Array(2).fill(join(root, "usergroup-mock-report")));
    expect(text).toContain(`(report: ${relative(cwd, test.report)})`);
  });

  it("has the package of a monorepo in its label, and a report that is found and removed from anywhere", async () => {
    await using mock = await startMock();
    const repository = mkdtempSync(join(cwd, "repository-"));
    const root = join(repository, "packages/shop");
    for (const folder of [join(repository, ".git"), root]) mkdirSync(folder, { recursive: true });
    const start = async (from: string) => {
      process.chdir(from);
      const server = new TestServer(async () => mock, { variables: {} });
      await server.start();
      return server.enter({ ...testCalled("creates"), root, file: join(root, "some.test.js") });
    };
    const failing = await start(root);
    await create(mock.url, "a");
    const { report } = failing;
    expect(await failing.end("failed", new Error("on purpose"))).toContain(`(report: ${report})`);
    expect(existsSync(report)).toBe(true);
    await (await start(repository)).end("passed");
    process.chdir(cwd);
    expect(existsSync(report)).toBe(false);
    expect(await mock.history()).toMatchObject([{ label: "creates (packages/shop)" }]);
  });
});
