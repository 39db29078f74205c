import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { version } from "../../src/client/version.js";
import { adminTarget } from "../../src/fake/contract/admin-calls.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import type { TestSummary } from "../../src/generated/types.js";
import { collectReports } from "../../src/lab/collect-reports.js";
import { variables } from "../../src/options/names.js";
import type { AboutReport, ReportLine } from "../../src/report/report-data.js";
import type { TestLine } from "../../src/run/report-test.js";
import { create } from "../call.js";
import { entry } from "../report/entries.js";
import { readPage } from "../report/read-report.js";
import { ownRun } from "../run/own-run.js";

const place = { framework: "vitest", file: "some.test.ts", attempt: 1 } as const;

const linesOf = (text: string): ReportLine[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

it("the report of a run has our version, and a failed test in its part of a shared world", async () => {
  using run = ownRun({ reports: true });
  const root = mkdtempSync(join(tmpdir(), "usergroup-mock-shared-"));
  try {
    vi.stubEnv(variables.run, run.folder);
    const mock = await startMock();
    const server = new TestServer(async () => mock, { variables: {} });
    await server.start();
    for (const [key, result] of (["passed", "failed", "passed"] as const).entries()) {
      const titles = [`${result} ${key}`];
      const test = await server.enter({ ...place, root, titles, key, hasFailed: () => result === "failed" });
      await create(mock.url, `g${key}`);
      server.leave(test);
      await test.end(result, new Error("on purpose"));
    }
    await mock.stop();
    const lines = linesOf([...collectReports(run, { command: "npm test", exitCode: 1 }, [])].join(""));
    const about = lines.at(-1)?.value as AboutReport;
    expect(about.version).toBe(version);
    // The first epoch is that before the first test.
    expect(about.run?.attempts).toMatchObject([{ title: "failed 1", world: "default", epoch: 3 }]);
    const journal = lines.filter(({ target, list }) => list === "requests" && target.includes("epoch=3"));
    expect(JSON.stringify(journal)).toContain('"g1"');
  } finally {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true });
  }
});

it("the report of a run says once what the report of a mock lacks", () => {
  using run = ownRun({ reports: true });
  const ofMock = { world: "", target: "", value: { leftOut: ["It lacks 2 journals."] } };
  writeFileSync(join(run.folder, "report-1.jsonl"), JSON.stringify(ofMock));
  const lines = linesOf([...collectReports(run, { command: "npm test", exitCode: 1 }, [])].join(""));
  expect(lines.at(-1)?.value).toMatchObject({ leftOut: ["It lacks 2 journals."] });
});

/** A mock of a run: a part of its report, or what it had recorded when it was killed. */
interface MockOfRun {
  /** Where its worlds are, by default at `http://<world>`. */
  readonly base?: string;
  readonly tests?: readonly (Pick<TestSummary, "world"> & Partial<TestSummary>)[];
  readonly leftOut?: readonly string[];
  /** The lines of its files of requests. */
  readonly killed?: readonly (readonly object[])[];
}

const secondsAgo = (seconds: number) => new Date(Date.UTC(2026, 0, 31) - seconds * 1_000).toISOString();

const testIn = (given: Pick<TestSummary, "world"> & Partial<TestSummary>): TestSummary => {
  return { epoch: 1, state: "current", startedAt: secondsAgo(0), requests: 1, failures: 0, ...given };
};

/** The report of a run with these mocks, in the order of their names, and with these lines of failed tests. */
function collect(
  mocks: readonly MockOfRun[],
  failed: readonly Omit<TestLine, "at" | "framework" | "file">[] = [],
) {
  using run = ownRun({ reports: true });
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(join(run.folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  for (const [n, { base = "http:/", tests = [], leftOut = [], killed }] of mocks.entries()) {
    for (const [file, lines] of (killed ?? []).entries()) write(`requests-${n}-a.00000${file}.jsonl`, lines);
    if (killed !== undefined) continue;
    const target = adminTarget("listTests", {});
    write(`report-${n}-a.jsonl`, [
      { world: "default", target, value: { tests: [] } },
      ...tests.map((test) => ({ world: "default", target, list: "tests", value: testIn(test) })),
      ...tests.map(({ world }) => ({ world, target: "", value: { url: `${base}/${world}` } })),
      ...tests.map(({ world, epoch = 1 }) => {
        const page = { requests: [], dropped: 0, epoch };
        return {
          world,
          target: adminTarget("listRequests", { query: { epoch } }),
          of: "requests",
          value: page,
        };
      }),
      { world: "", target: "", value: { leftOut } },
    ]);
  }
  for (const [at, line] of failed.entries()) {
    const test = { framework: "vitest", file: "a.test.ts", ...line, at };
    appendFileSync(join(run.folder, "seen-1.jsonl"), `${JSON.stringify({ test })}\n`);
  }
  const leftOut: string[] = [];
  const text = [...collectReports(run, { command: "npm test", exitCode: 1 }, leftOut)].join("");
  const lines = linesOf(text);
  const page = readPage(`<script type="application/json" id="report">${text}</script>`);
  const about = lines.at(-1)?.value as AboutReport;
  const worlds = page.tests.map(({ world, state, epoch }) => `${world} ${epoch} ${state}`);
  return { lines, page, worlds, leftOut, run: about.run, failed: about.run?.attempts ?? [] };
}

describe("the report of a run has the tests of all its mocks", () => {
  it("newest first, and worlds of the same name with the number of their mock", () => {
    const { worlds } = collect([
      { tests: [{ world: "w", startedAt: secondsAgo(3) }] },
      {
        tests: [
          { world: "w", startedAt: secondsAgo(1) },
          { world: "v", startedAt: secondsAgo(4) },
        ],
      },
      { tests: [{ world: "w", startedAt: secondsAgo(2), epoch: 5 }] },
    ]);
    expect(worlds).toEqual(["w of mock 2 1 current", "w of mock 3 5 current", "w 1 current", "v 1 current"]);
  });

  it("without those of worlds that sent no request", () => {
    const tests = [
      { world: "w", requests: 0 },
      { world: "v", requests: 0, epoch: 1, state: "past" as const },
      { world: "v", epoch: 2 },
    ];
    const { worlds, page } = collect([{ tests }]);
    expect(worlds.toSorted()).toEqual(["v 1 past", "v 2 current"]);
    expect(page.ask("w", "listRequests", { query: { epoch: 1 } })).toBeUndefined();
  });

  it("and everything of dropped worlds at the end, because it may not fit", () => {
    const { lines } = collect([
      { tests: [{ world: "dropped", state: "dropped" }, { world: "w" }] },
      { tests: [{ world: "v" }] },
    ]);
    const order = lines.filter(({ of }) => of === "requests").map(({ world }) => world);
    expect(order).toEqual(["w", "v", "dropped"]);
  });

  it("and once what each report leaves out", () => {
    const mocks = [
      {
        leftOut: ["It lacks a journal."],
        tests: [{ world: "w" }, { world: "v", state: "dropped" as const }],
      },
      { leftOut: ["It lacks a fault."] },
    ];
    expect(collect(mocks).leftOut).toEqual(["It lacks a journal.", "It lacks a fault."]);
  });
});

describe("the report of a run has a failed test", () => {
  const failedIn = (world: string) => {
    return { id: "t", titles: ["a block", "t"], world, url: `http://${world}`, result: "failed" } as const;
  };

  it("that sent no request, in the last part of its world", () => {
    const tests = [
      { world: "w", requests: 0, epoch: 1, state: "past" as const },
      { world: "w", requests: 0, epoch: 2 },
    ];
    const { worlds, failed } = collect([{ tests }], [failedIn("w")]);
    expect(worlds.toSorted()).toEqual(["w 1 past", "w 2 current"]);
    expect(failed).toMatchObject([{ title: "a block > t", file: "a.test.ts", world: "w", epoch: 2 }]);
  });

  it("in the part of its world in which a hook saw the failure", () => {
    const mark = { at: secondsAgo(0), epoch: 1, lastRequest: 0, waiting: [] };
    const line = { ...failedIn("w"), failure: { title: "t", mark } };
    const tests = [1, 2].map((epoch) => ({ world: "w", epoch }));
    expect(collect([{ tests }], [line]).failed).toMatchObject([{ title: "t", world: "w", epoch: 1 }]);
  });

  it("in the world of its mock, if others have worlds of that name", () => {
    const mocks = ["http://127.0.0.1:1", "http://127.0.0.1:2"].map((base) => ({
      base,
      tests: [{ world: "w" }],
    }));
    const { failed } = collect(mocks, [{ ...failedIn("w"), url: "http://127.0.0.1:2/w" }]);
    expect(failed.map(({ world }) => world)).toEqual(["w of mock 2"]);
  });

  it("whose mock has recorded nothing", () => {
    const mark = { at: secondsAgo(9), epoch: 3, lastRequest: 0, waiting: [] };
    const line = { ...failedIn("w"), failure: { title: "t", mark } };
    const { page, failed } = collect([{ tests: [{ world: "v" }] }], [line]);
    expect(page.tests.slice(1)).toMatchObject([
      { world: "t", epoch: 1, label: "t", state: "dropped", requests: 0, startedAt: secondsAgo(9) },
    ]);
    expect(failed).toMatchObject([{ world: "t", epoch: 1 }]);
    expect(page.ask("t", "listRequests", { query: { epoch: 1 } })).toMatchObject({ requests: [] });
  });

  it("with every attempt that failed, and whether a later one passed", () => {
    const attempts = [1, 2].map((epoch) => {
      const mark = { at: secondsAgo(0), epoch, lastRequest: 1, waiting: [] };
      return { ...failedIn("w"), failure: { title: "t", attempt: epoch, mark } };
    });
    const tests = [1, 2, 3].map((epoch) => ({ world: "w", epoch }));
    const failed = collect([{ tests }], attempts);
    expect(failed.failed.map(({ attempt, epoch, passedLater }) => [attempt, epoch, passedLater])).toEqual([
      [1, 1, undefined],
      [2, 2, undefined],
    ]);
    expect(failed.run).toMatchObject({ tests: 1, failed: 1 });
    const flaky = collect([{ tests }], [...attempts, { ...failedIn("w"), result: "passed" }]);
    expect(flaky.failed.map(({ passedLater }) => passedLater)).toEqual([true, true]);
    expect(flaky.run).toMatchObject({ tests: 1, failed: 0 });
  });
});

describe("the report of a run has the requests of a mock that was killed", () => {
  const requestIn = (id: number, epoch = 1) => ({
    url: "http://127.0.0.1:9",
    test: testIn({ world: "w", epoch, startedAt: secondsAgo(10 - epoch) }),
    entry: entry({ id }),
    bodies: { request: `body ${id}`, response: null },
  });

  it("newest first, from all its files, with their texts", () => {
    const killed = [
      [requestIn(8), requestIn(9)],
      [requestIn(10), requestIn(11, 2)],
    ];
    const { lines, worlds, page } = collect([{ killed }]);
    const requests = lines
      .filter(({ list }) => list === "requests")
      .map(({ value }) => value as { id: number });
    expect(requests.map(({ id }) => id)).toEqual([11, 10, 9, 8]);
    expect(worlds).toEqual(["w 2 dropped", "w 1 dropped"]);
    expect(page.ask("w", "getRequestBody", { id: 9, query: { epoch: 1 } })).toMatchObject({
      request: "body 9",
    });
  });

  it("which a test that failed in its world has sent", () => {
    const url = "http://127.0.0.1:9/worlds/w";
    const line = { id: "t", titles: ["t"], world: "w", url, result: "failed" } as const;
    const { failed, worlds } = collect([{ killed: [[requestIn(1)]] }], [line]);
    expect(failed).toMatchObject([{ title: "t", world: "w", epoch: 1 }]);
    expect(worlds).toEqual(["w 1 dropped"]);
  });
});
