import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { World } from "../../src/client/world.js";
import { test, testWith } from "../../src/frameworks/playwright.js";
import { workersVariable } from "../../src/frameworks/playwright-setup.js";
import { create } from "../call.js";
import { recordedBy } from "./recorded-run.js";

type Fixture<Value> = (
  others: object,
  use: (value: Value) => Promise<void>,
  testInfo: object,
) => Promise<void>;

/** What Playwright receives from the entry. */
interface Fixtures {
  readonly mockServer: readonly [Fixture<object>, object];
  readonly mock: readonly [Fixture<World>, object];
}

vi.mock("@playwright/test", () => ({ test: { extend: (fixtures: Fixtures) => fixtures } }));

let rootDir: string;
beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), "usergroup-mock-playwright-"));
});
afterEach(() => vi.unstubAllEnvs());

const worker = { parallelIndex: 0, config: { workers: 1 } };

const infoOf = (title: string, more: object = {}) => ({
  ...{ file: join(rootDir, "some.spec.ts"), line: 7, titlePath: ["some.spec.ts", "a block", title] },
  ...{ testId: title, retry: 0, timeout: 30_000, config: { rootDir }, errors: [] as Error[] },
  ...{ status: "passed", expectedStatus: "passed", attach: vi.fn() },
  ...more,
});

/** Runs a test in Playwright. Returns what the fixture throws after it. */
async function runTest(
  entry: unknown,
  testInfo: ReturnType<typeof infoOf>,
  body: (world: World) => Promise<unknown> = async () => {},
): Promise<Error | undefined> {
  const { mockServer, mock } = entry as Fixtures;
  const errors: Error[] = [];
  const useWorld = async (world: World) => void (await body(world));
  const useServer = (server: object) =>
    mock[0]({ mockServer: server }, useWorld, testInfo).catch((error: Error) => void errors.push(error));
  await mockServer[0]({}, useServer, worker);
  return errors[0];
}

describe("a test in Playwright", () => {
  it("is not checked at its end, unless it has options for that", async () => {
    const arm = (world: World) => world.fault({ status: 503 });
    expect(await runTest(test, infoOf("arms a fault"), arm)).toBeUndefined();
    const send = async (world: World) => {
      await arm(world);
      await world.hold({ operation: "rotate" });
      await create(world.url);
    };
    const checked = await runTest(testWith({ assertFaultsFired: true }), infoOf("arms two"), send);
    expect(checked?.message).toMatch(/^1 of 2 faults did not fire.*The requests of this test/s);
  });

  it("has its requests below its error, and its report attached, if it fails", async () => {
    const error = new Error("on purpose");
    const testInfo = infoOf("fails", { status: "failed" });
    await runTest(test, testInfo, async ({ url }) => {
      await create(url, "acme");
      testInfo.errors.push(error);
    });
    expect(error.message).toMatch(/^on purpose\n\nThe requests of this test .*\n {2}#1 .*acme/);
    const [, attached] = testInfo.attach.mock.calls[0] ?? [];
    expect(attached).toMatchObject({ contentType: "text/html" });
    expect([dirname(attached.path), existsSync(attached.path)]).toEqual([
      join(rootDir, "usergroup-mock-report"),
      true,
    ]);
  });

  it("is not checked if it has failed: a second error would hide the first", async () => {
    const error = new Error("on purpose");
    const testInfo = infoOf("fails", { status: "failed", errors: [error] });
    const checking = testWith({ assertFaultsFired: true });
    expect(await runTest(checking, testInfo, (world) => world.fault({ status: 503 }))).toBeUndefined();
  });

  it("has nothing attached if it passes, or fails as expected", async () => {
    const passes = infoOf("passes");
    const fails = infoOf("fails as expected", { status: "failed", expectedStatus: "failed" });
    for (const testInfo of [passes, fails]) {
      await runTest(test, testInfo, ({ url }) => create(url));
      expect(testInfo.attach).not.toHaveBeenCalled();
    }
  });

  it("is reported to a run with its titles, time limit, attempt and result", async () => {
    const of = (title: string, status: string, expectedStatus = "passed") =>
      infoOf(title, {
        status,
        expectedStatus,
        retry: 1,
        errors: status === "failed" ? [new Error("no")] : [],
      });
    const results = await recordedBy(async () => {
      await runTest(test, of("fails", "failed"));
      await runTest(test, of("is skipped", "skipped", "skipped"));
      await runTest(test, of("fails as expected", "failed", "failed"));
    });
    const place = { framework: "Playwright", timeoutMs: 30_000 };
    expect(results).toMatchObject([
      { ...place, titles: ["a block", "fails"], result: "failed", failure: { attempt: 2, line: 7 } },
      { titles: ["a block", "is skipped"], result: "skipped" },
      { titles: ["a block", "fails as expected"], result: "passed" },
    ]);
  });

  it("saves its report beside the config file of Playwright", async () => {
    const folder = mkdtempSync(join(rootDir, "project-"));
    const config = { rootDir, configFile: join(folder, "playwright.config.js") };
    const testInfo = infoOf("fails", { status: "failed", errors: [new Error("no")], config });
    await runTest(test, testInfo, ({ url }) => create(url));
    const [, attached] = testInfo.attach.mock.calls[0] ?? [];
    expect(dirname(attached.path)).toBe(join(folder, "usergroup-mock-report"));
  });

  it("has a mock that stops with its worker", async () => {
    let world: World | undefined;
    await runTest(test, infoOf("passes"), async (given) => {
      world = given;
    });
    await expect(world?.health()).rejects.toMatchObject({ code: "stopped" });
  });
});

describe("with mockServers(), a test in Playwright", () => {
  const asUsed = (...urls: string[]) =>
    vi.stubEnv(workersVariable, JSON.stringify(urls.map((url) => ({ USERGROUP_MOCK_URL: url }))));

  it("uses the default world of the mock of its worker, also if it does not use `mock`", async () => {
    await using own = await startMock();
    asUsed("http://127.0.0.1:1", own.url);
    const { mockServer, mock } = testWith() as unknown as Fixtures;
    const isAutomatic = [test, testWith()].map((entry) => (entry as unknown as Fixtures).mock[1]);
    expect(isAutomatic).toEqual([{ auto: false }, { auto: true }]);
    const urls: string[] = [];
    const useWorld = async ({ url }: World) => void urls.push(url);
    await mockServer[0]({}, (server) => mock[0]({ mockServer: server }, useWorld, infoOf("passes")), {
      parallelIndex: 1,
      config: { workers: 2 },
    });
    expect(urls).toEqual([own.url]);
    expect(await own.health()).toMatchObject({ status: "ok" });
  });

  it("rejects more workers than mocks", async () => {
    asUsed("http://127.0.0.1:1");
    const { mockServer } = testWith() as unknown as Fixtures;
    await expect(
      mockServer[0]({}, async () => {}, { parallelIndex: 0, config: { workers: 3 } }),
    ).rejects.toThrow("Playwright uses 3 workers, but mockServers() starts mocks for 1.");
  });

  it("rejects options of a server, but no checks", async () => {
    await using own = await startMock();
    asUsed(own.url);
    await expect(runTest(testWith({ seed: "a" }), infoOf("passes"))).rejects.toThrow(
      "Move seed to usergroup-mock.config.json",
    );
    expect(await runTest(testWith({ assertNoFailures: true }), infoOf("passes"))).toBeUndefined();
  });
});
