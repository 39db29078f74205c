import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runHere } from "../cli/run-here.js";
import { command } from "../cli/small-programs.js";
import { bin } from "../cli-process.js";
import { groupsIn, readPage } from "../report/read-report.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

const reportIn = (file: string) => readPage(readFileSync(file, "utf8"));

describe.concurrent("exec --report", () => {
  it("is written if the command fails, with the requests of all its mocks and of dropped worlds", async () => {
    const file = join(folder, "new", "failed.html");
    const work = `const mock = await startMock(); await create(mock.url, "inside");
      await create(mock.world("w1").url, "dropped"); await mock.world("w1").drop(); await mock.stop();
      await create(url, "around"); process.exit(3);`;
    const { code, stderr } = await runHere(["exec", "--report", file, ...command(work)]);
    expect([code, stderr]).toEqual([3, `usergroup-mock: report written to ${file}\n`]);
    const { tests } = reportIn(file);
    expect(tests.flatMap(({ journal }) => groupsIn(journal)).sort()).toEqual(["around", "dropped", "inside"]);
    expect(tests.filter(({ world }) => world === "w1").map(({ state }) => state)).toEqual(["dropped"]);
    // Two mocks had a world called default.
    expect(new Set(tests.map(({ world }) => world)).size).toBe(3);
  });

  it("assigns a request of a killed process to its world and to the test in which it began", async () => {
    const file = join(folder, "reset.html");
    const work = `const mock = await startMock(); await mock.reset({ label: "first" });
      const held = await mock.hold(); const first = create(mock.url, "a").catch(() => {});
      await held.arrived(); await mock.reset({ label: "second" }); await first;
      await create(mock.url, "b");
      for (const name of ["w10", "w1", "w11"]) await create(mock.world(name).url, name);
      process.kill(process.pid, "SIGKILL");`;
    expect((await runHere(["exec", "--report", file, ...command(work)])).code).toBe(137);
    const seen = reportIn(file).tests.map(({ world, label, epoch, state, requests, journal }) => {
      const ids = journal.requests.map(({ id }) => id);
      return [world, label, epoch, state, requests, ids, groupsIn(journal)];
    });
    expect(seen.sort()).toEqual([
      ["default", "first", 2, "dropped", 1, [1], ["a"]],
      ["default", "second", 3, "dropped", 1, [1], ["b"]],
      ...["w1", "w10", "w11"].map((name) => [name, undefined, 1, "dropped", 1, [1], [name]]),
    ]);
  });

  it("is written for a command that succeeds only with --report-always", async () => {
    const file = join(folder, "good.html");
    const work = `await create(url, "a");`;
    await runHere(["exec", "--report", file, ...command(work)]);
    expect(() => readFileSync(file)).toThrow("ENOENT");
    await runHere(["exec", "--report", file, "--report-always", ...command(work)]);
    expect(reportIn(file).tests).toMatchObject([{ world: "default" }]);
    const { code, stderr } = await runHere(["exec", "--report-always", ...command(work)]);
    expect([code, stderr]).toEqual([1, "usergroup-mock: --report-always needs --report <file>.\n"]);
  });

  it("needs a name of a file, and is not a flag of serve", async () => {
    const unnamed = await runHere(["exec", "--report", "", ...command("")]);
    expect([unnamed.code, unnamed.stderr]).toEqual([1, "usergroup-mock: --report must not be empty.\n"]);
    expect((await runHere(["--report", "report.html"])).stderr).toContain("Unknown argument: report");
  });
});

describe.concurrent("explore", () => {
  it("reports the requests of an inner exec, and has its own folder for reports of tests", async () => {
    const logs = join(folder, "logs-around-exec");
    const work = `console.log(process.env.USERGROUP_MOCK_TEST_REPORTS); const mock = await startMock();
      await create(mock.url, "a").catch(() => process.exit(1)); await mock.stop();`;
    const nested = ["--", process.execPath, bin, "exec", ...command(work)];
    const flags = ["--faults", "--only", "unavailable", "--max-runs", "2", "--logs", logs];
    await runHere(["explore", ...flags, ...nested]);
    const [own = ""] = readdirSync(logs).filter((name) => name !== ".gitignore");
    const run = join(logs, own, "run-002");
    const { tests } = reportIn(`${run}.html`);
    expect(tests.flatMap(({ journal }) => groupsIn(journal))).toEqual(["a"]);
    expect(readFileSync(`${run}.log`, "utf8")).toBe(`${run}-tests\n`);
  });
});
