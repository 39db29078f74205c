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
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { runHere } from "../cli/run-here.js";
import { command } from "../cli/small-programs.js";
import { runOnFullDisk } from "../cli-process.js";
import { groupsIn, readPage } from "../report/read-report.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-report-failures-"));
afterAll(() => rmSync(folder, { recursive: true }));

const failing = "await create(url); process.exit(9);";

describe.concurrent("a --report that cannot be written", () => {
  const hasRun = join(folder, "has-run");
  const program = command(`require("node:fs").writeFileSync(${JSON.stringify(hasRun)}, "");`);

  it.each([
    ["a folder", folder, "EISDIR"],
    ["below a file", join(import.meta.filename, "report.html"), "EEXIST"],
  ])("stops exec before it runs the command: %s", async (_, path, error) => {
    const { code, stderr } = await runHere(["exec", "--report", path, ...program]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^usergroup-mock: --report \\S+ cannot be written: ${error}: [^\\n]+\\.\\n$`),
    );
    expect(existsSync(hasRun)).toBe(false);
  });
});

/** The requests in a report, and those that a sentence about what it does not include counts. */
function countRequests(file: string) {
  const { tests, leftOut } = readPage(readFileSync(file, "utf8"));
  const shown = tests.reduce((sum, { journal }) => sum + journal.requests.length, 0);
  const counted = (sentence: RegExp) => Number(sentence.exec(leftOut.join("\n"))?.[1] ?? 0);
  return { shown, leftOut, counted };
}

describe.concurrent("the report of exec counts the requests of a mock", () => {
  it.each([
    ["that was stopped", "await mock.stop();", 1],
    ["that was killed", "process.kill(process.pid, 'SIGKILL');", 0],
  ])("that could not be recorded, because the disk was full: %s", async (what, end, reports) => {
    const file = join(folder, `lost-${reports}.html`);
    const work = `const mock = await startMock(); for (let n = 0; n < 100; n++) await create(mock.url, "g" + n);
      ${end} process.exit(9);`;
    const [, ...args] = command(work);
    // Only the command has a full disk. Some requests fit.
    const limited = ["--", "sh", "-c", 'ulimit -f 50; exec "$0" "$@"', ...args];
    const { stderr } = await runHere(["exec", "--report", file, ...limited]);
    const { shown, leftOut, counted } = countRequests(file);
    const lost = counted(/^(\d+) requests could not be recorded in \S+ \(EFBIG: file too large, write\)\.$/m);
    expect([shown > 0, lost > 0, shown + lost]).toEqual([true, true, 100]);
    expect(counted(/^Groups, faults and assumptions of (\d) mock could not be recorded/m), what).toBe(
      reports,
    );
    for (const sentence of leftOut) expect(stderr).toContain(`warning: ${file}: ${sentence}\n`);
  });

  it("that could not be recorded, because a run keeps at most 32 MB", async () => {
    const file = join(folder, "large.html");
    const work = `const mock = await startMock(); const padding = "x".repeat(90_000);
      const service = hasty(mock.url, apiToken);
      for (let n = 0; n < 250; n++) await service.call("GET", { user_group_id: "g" + n, name: padding });
      const fs = require("node:fs"); process.chdir(process.env.USERGROUP_MOCK_RUN);
      const bytes = fs.readdirSync(".").reduce((sum, name) => sum + fs.statSync(name).size, 0);
      fs.writeFileSync(${JSON.stringify(`${file}.bytes`)}, String(bytes));
      process.kill(process.pid, "SIGKILL");`;
    await runHere(["exec", "--report", file, ...command(work)]);
    expect(Number(readFileSync(`${file}.bytes`, "utf8"))).toBeLessThan(36_000_000);
    const { shown, counted } = countRequests(file);
    const notKept = counted(
      /^(\d+) requests could not be recorded in \S+ \(a run keeps at most 32 MB of each kind\)\.$/m,
    );
    const tooLarge = counted(/^The report is limited to .* does not include (\d+) requests/m);
    expect([shown > 0, notKept > 50, shown + notKept + tooLarge]).toEqual([true, true, 250]);
    const last = readPage(readFileSync(file, "utf8")).tests[0]?.journal.requests.at(-1);
    expect(last?.id).toBe(250 - notKept);
  });
});

describe("on a full disk, exec", () => {
  it.each([
    ["names the file of its run in the temporary folder", [], "usergroup-mock-run-.*/instructions.json"],
    ["names the file of --report", ["--report", "new/report.html"], "new/report.html"],
  ])("%s, does not run the command, and leaves no folder behind", async (_, flags, path) => {
    const temporary = mkdtempSync(join(folder, "full_"));
    const env = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
    const args = ["exec", ...flags, "--", "sh", "-c", "echo started"];
    const { code, stdout, stderr } = await runOnFullDisk(args, 0, { cwd: temporary, env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(new RegExp(`^usergroup-mock: .*EFBIG: file too large, write '.*${path}'\\.`));
    expect(readdirSync(temporary)).toEqual([]);
  });
});

it("on a full disk, explore names the file of its logs, and leaves no folder behind", async () => {
  const place = mkdtempSync(join(folder, "full-logs-"));
  const { code, stdout, stderr } = await runOnFullDisk(["explore", "--", "true"], 0, { cwd: place });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^usergroup-mock: EFBIG: file too large, write '.*usergroup-mock-explore\/\.gitignore'\. Free some space .*--logs\.\n$/,
  );
  expect(readdirSync(place)).toEqual([]);
});

describe("verify names the file of --out, and prints the profile instead,", () => {
  const verify = ["verify", "--api-token", "test-api-token", "--yes", "--against"];
  const learned = '\n    "gzip": "accepted",\n';

  it("if the disk is full at the end of the run", async () => {
    await using mock = await startMock();
    const place = mkdtempSync(join(folder, "full-out-"));
    const file = join(place, "profile.json");
    const older = '{ "situations": {} }\n';
    writeFileSync(file, older);
    const ended = await runOnFullDisk([...verify, mock.url, "--out", "profile.json"], 1, { cwd: place });
    expect(ended.stderr).toMatch(/usergroup-mock: EFBIG: file too large, write '.*profile\.json'\n/);
    expect(ended.stderr).toContain("profile.json: not written.");
    expect(ended.stdout).toContain(learned);
    expect([ended.code, readFileSync(file, "utf8"), readdirSync(place)]).toEqual([
      2,
      older,
      ["profile.json"],
    ]);
  });

  it("if its folder cannot be written any more", async () => {
    await using mock = await startMock();
    const place = join(mkdtempSync(join(folder, "gone-")), "new");
    const file = join(place, "profile.json");
    const ended = runHere([...verify, mock.url, "--out", file]);
    // By the first request, verify has checked that it can write.
    await mock.waitForRequest({});
    rmSync(place, { recursive: true, force: true });
    writeFileSync(place, "now a file");
    const { code, stdout, stderr } = await ended;
    expect(stderr).toContain(
      `usergroup-mock: EEXIST: file already exists, mkdir '${place}'\n${file}: not written.`,
    );
    expect(stdout).toContain(learned);
    expect([code, readFileSync(place, "utf8")]).toEqual([2, "now a file"]);
  });
});

describe.concurrent("exec keeps the exit code of the command", () => {
  it("if the disk is full, and leaves an older report as it was", async () => {
    const place = join(folder, "full-disk");
    mkdirSync(place);
    const file = join(place, "report.html");
    writeFileSync(file, "an older report");
    const { code, stderr } = await runOnFullDisk(["exec", "--report", file, ...command(failing)], 20);
    expect(stderr).toMatch(
      /warning: the report \S+ was not written: EFBIG: file too large, write '.*report\.html'/,
    );
    expect([code, readFileSync(file, "utf8")]).toEqual([9, "an older report"]);
    expect(readdirSync(place)).toEqual(["report.html"]);
  });

  it("if the temporary folder of the run cannot be removed, and names it", async () => {
    const temporary = mkdtempSync(join(folder, "tmp-"));
    const work = `const fs = require("node:fs"); fs.rmSync(process.env.TMPDIR, { recursive: true });
      fs.writeFileSync(process.env.TMPDIR, ""); process.exit(9);`;
    const { code, stderr } = await runHere(["exec", ...command(work)], { env: { TMPDIR: temporary } });
    expect(code).toBe(9);
    expect(stderr).toMatch(
      /^usergroup-mock: warning: the temporary folder \S+-run-\S+ could not be removed: ENOTDIR/,
    );
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

  it("if the mock of a failed test has recorded nothing, and another mock has a world of that name", async () => {
    const file = join(folder, "nothing.html");
    const test = { id: "default", framework: "Jest", file: "a.test.js", titles: ["fails"], world: "default" };
    const seen = { test: { ...test, at: 1, url: "http://127.0.0.1:9", result: "failed" } };
    const work = `await create(url);
      const seen = require("node:path").join(process.env.USERGROUP_MOCK_RUN, "seen-a.jsonl");
      require("node:fs").writeFileSync(seen, ${JSON.stringify(`${JSON.stringify(seen)}\n`)});
      process.exit(9);`;
    await runHere(["exec", "--report", file, ...command(work)]);
    const { tests } = readPage(readFileSync(file, "utf8"));
    const counts = tests.map(({ world, journal }) => [world, journal.requests.length]);
    expect(Object.fromEntries(counts)).toEqual({ default: 1, "default of mock 2": 0 });
  });
});
