import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import { version } from "../../src/client/version.js";
import { TestServer } from "../../src/frameworks/test-server.js";
import { collectReports } from "../../src/lab/collect-reports.js";
import { variables } from "../../src/options/names.js";
import type { AboutReport, ReportLine } from "../../src/report/report-data.js";
import { create } from "../call.js";
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
    expect(about.run?.tests).toMatchObject([{ title: "failed 1", world: "default", epoch: 3 }]);
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
