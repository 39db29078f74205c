import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runHere } from "../cli/run-here.js";
import { command } from "../cli/small-programs.js";
import { runOnFullDisk } from "../cli-process.js";
import { groupsIn, readPage } from "../report/read-report.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-report-failures-"));
afterAll(() => rmSync(folder, { recursive: true }));

const failing = "await create(url); process.exit(9);";

describe.concurrent("a --report that cannot be written", () => {
  const hasRun = join(folder, "has-run");
  const program = command(`require("node:fs").writeFileSync(${JSON.stringify(hasRun)}, "");`);

  it.each([
    ["exec", "a folder", folder, "EISDIR"],
    ["exec", "below a file", join(import.meta.filename, "report.html"), "EEXIST"],
    ["explore", "a folder", folder, "EISDIR"],
  ])("stops %s before it runs the command: %s", async (name, _, path, error) => {
    const { code, stderr } = await runHere([name, "--report", path, ...program]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^usergroup-mock: --report \\S+ cannot be written: ${error}: [^\\n]+\\.\\n$`),
    );
    expect(existsSync(hasRun)).toBe(false);
  });
});

describe.concurrent("exec keeps the exit code of the command", () => {
  it("if the disk is full, and leaves an older report as it was", async () => {
    const place = join(folder, "full-disk");
    mkdirSync(place);
    const file = join(place, "report.html");
    writeFileSync(file, "an older report");
    const { code, stderr } = await runOnFullDisk(["exec", "--report", file, ...command(failing)], 20);
    expect(stderr).toMatch(/warning: the report \S+ was not written: EFBIG: file too large/);
    expect([code, readFileSync(file, "utf8")]).toEqual([9, "an older report"]);
    expect(readdirSync(place)).toEqual(["report.html"]);
  });

  it("if the command removes the folder of the run", async () => {
    const file = join(folder, "removed.html");
    const work = `require("node:fs").rmSync(process.env.USERGROUP_MOCK_RUN, { recursive: true }); process.exit(9);`;
    const { code, stderr } = await runHere(["exec", "--report", file, ...command(work)]);
    expect([code, stderr]).toEqual([
      9,
      expect.stringMatching(/^usergroup-mock: warning: the report \S+ was not written: ENOENT: [^\n]+\n$/),
    ]);
    expect(existsSync(file)).toBe(false);
  });

  it("if the report of a mock is incomplete, and shows its requests and those of other mocks", async () => {
    const place = join(folder, "half");
    mkdirSync(place);
    const file = join(place, "report.html");
    writeFileSync(file, "an older report");
    // The second response shows that the first request has been recorded.
    const work = `await create(url); await create(url, "b");
      const fs = require("node:fs");
      process.chdir(process.env.USERGROUP_MOCK_RUN);
      fs.copyFileSync(fs.readdirSync(".").find((name) => name.startsWith("requests-")), "requests-1-a.000000.jsonl");
      fs.writeFileSync("report-1-a.jsonl", '{"world":"default","tar');
      process.exit(9);`;
    const { code, stderr } = await runHere(["exec", "--report", file, ...command(work)]);
    expect([code, stderr]).toEqual([9, `usergroup-mock: report written to ${file}\n`]);
    const { tests } = readPage(readFileSync(file, "utf8"));
    expect(tests.map(({ world }) => world).sort()).toEqual(["default", "default of mock 2"]);
    for (const { journal } of tests) expect(groupsIn(journal)).toContain("acme");
    expect(readdirSync(place)).toEqual(["report.html"]);
  });
});
