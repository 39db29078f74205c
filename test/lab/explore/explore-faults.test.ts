import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { failureNames } from "../../../src/run/injection.js";
import { checkpoint, patience } from "../../cli/checkpoint.js";
import { runHere } from "../../cli/run-here.js";
import { command, places } from "../../cli/small-programs.js";
import { bin, type Ended, runCli, startCli } from "../../cli-process.js";
import { describeInLongRun, isLong, itInLongRun } from "../../long.js";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A new folder for logs, which is removed with `folder`. */
let explorations = 0;
const logsFlag = () => ["--logs", join(folder, `${++explorations}`)];
const exploreFaults = (...args: string[]) => runHere(["explore", "--faults", ...logsFlag(), ...args]);

interface FaultFinding {
  readonly call: string;
  readonly failure: string;
  readonly result: string;
  readonly log: string;
  readonly repeat: string;
}

const faultsIn = ({ stdout, stderr }: Ended): FaultFinding[] => {
  expect(stdout, stderr).toMatch(/^\{/);
  return JSON.parse(stdout).faults;
};
const resultsIn = (ended: Ended) =>
  Object.fromEntries(faultsIn(ended).map(({ call, failure, result }) => [`${call}=${failure}`, result]));

/** Runs a command line as a shell does, with an npx that runs this package. */
writeFileSync(join(folder, "npx"), `#!/bin/sh\nshift\nexec '${process.execPath}' '${bin}' "$@"\n`, {
  mode: 0o755,
});
const inShell = (line: string) =>
  new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
    execFile("sh", ["-c", line], { env }, (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });

/** A new folder with tests for node:test, which have a `mock` and the client `hasty`. */
function writeSuite(tests: string): string {
  const cwd = mkdtempSync(join(folder, "suite-"));
  const fileOf = (path: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  const imports = `
    const { test } = require("node:test");
    const { hasty } = require(${fileOf("test/consumers/projects/customers.cjs")});
    const mock = require(${fileOf("dist/cjs/frameworks/node-test.js")}).useMock();`;
  writeFileSync(join(cwd, "a.test.cjs"), `${imports}${tests}`);
  return cwd;
}

describe.concurrent("explore --faults", () => {
  it("tries each failure, repeats what breaks, and prints its evidence and a command that repeats it in a shell", async () => {
    const failures = isLong ? failureNames : ["unavailable"];
    const id = "~it's {a,b} in 100% of $HOME x#1=y/z:w ü😀*";
    const words = [id, "", "{1..3}", "{a,b}", "a'b", "#", "--", "=x", "\n"];
    const work = `
      if (JSON.stringify(process.argv.slice(1)) !== process.env.WORDS) process.exit(9);
      await create(url, process.argv[1]);`;
    const given = ["--assume", "old-token=accepted", "--set", `WORDS=${JSON.stringify(words)}`];
    const flags = ["--json", "--concurrency", "2", "--only", failures.join(), ...given];
    const ended = await exploreFaults(...flags, ...command(work), ...words);
    expect(faultsIn(ended)).toEqual(
      failures.map((failure) => ({
        call: `get-or-create:${encodeURIComponent(id)}#1`,
        failure,
        result: "breaks",
        exitCode: 1,
        durationMs: expect.any(Number),
        log: expect.stringMatching(/get-or-create_.*it_s.*\.log$/),
        report: expect.stringMatching(/run-\d+\.html$/),
        repeat: expect.stringMatching(/^npx usergroup-mock exec --assume old-token=accepted --set /),
        tests: [],
      })),
    );
    for (const { log } of faultsIn(ended)) {
      expect(isAbsolute(log)).toBe(true);
      expect(readFileSync(log, "utf8")).toContain("Error");
    }
    const of = failures.length;
    // All once; then a run without a failure, and what failed; then what failed, a third time: no other run has passed.
    expect(ended.stderr.match(/^(first run|\d+\/\d+) /gm)).toEqual([
      "first run ",
      ...Array.from({ length: of }, (_, n) => `${n + 1}/${of} `),
      ...Array.from({ length: of + 1 }, (_, n) => `${n + 1}/${of + 1} `),
      ...Array.from({ length: of }, (_, n) => `${n + 1}/${of} `),
    ]);
    expect(ended.code).toBe(0);
    const { code, stderr } = await inShell(faultsIn(ended)[0]?.repeat ?? "");
    expect(code).toBe(1);
    expect(stderr).toContain("no group: 503");
    expect(stderr).not.toContain("there was no such request");
  });

  it("prints a row for each request and a column for each failure, and exits with 1 with --strict", async () => {
    // A rotation whose response is lost has taken effect, so the second try is rejected.
    const work = `
      const current_token = await sturdy(url, apiToken).tokenOf("a");
      const rotate = () => hasty(url, apiToken).call("POST", { current_token });
      const { status } = await rotate().catch(rotate);
      if (status !== 200) throw new Error("status " + status);`;
    const { code, stdout } = await exploreFaults("--strict", "--only", "reset,lost", ...command(work));
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("lost of rotate breaks your tests");
    expect(lines.slice(lines.indexOf("  request            reset     lost"))).toEqual([
      "  request            reset     lost",
      "  get-or-create:a#1  survives  survives",
      "  rotate:a#1         survives  BREAKS",
      "",
      "4 combinations: 2 requests with 2 kinds of failure each.",
      "Your tests pass with 3 of 4 failures. 1 breaks your tests.",
      "",
    ]);
    expect(stdout).toContain("status 404");
    expect(code).toBe(1);
  });

  it("finds what breaks a test that has failed once without a failure, and prints that run, its log and the error", async () => {
    // Of the runs without a failure, the second one fails.
    const cwd = writeSuite(`
      const { appendFileSync, readFileSync } = require("node:fs");
      test("has no retries", async () => {
        const { token } = await mock.addGroup({ provided_id: "a", name: "A" });
        const { status } = await hasty(mock.url, mock.apiToken).call("POST", { current_token: token });
        if (status !== 200) throw new Error("status " + status);
        appendFileSync("passes", "x");
        if (readFileSync("passes", "utf8") === "xx") throw new Error("my own timeout");
      });`);
    const flags = ["explore", "--faults", "--only", "unavailable", "--logs", "logs"];
    const suite = ["--", process.execPath, "a.test.cjs"];
    const { stdout, stderr } = await runHere([...flags, ...suite], { cwd });
    expect(stdout, stderr).toMatch(/^ {2}has no retries \(a\.test\.cjs\)\n {4}rotate:a#1 +BREAKS$/m);
    const run = "a run without a failure (exit code 1)";
    const log = join("logs", "run-003.log");
    expect(stdout).toContain(
      `has no retries (a.test.cjs) also failed without a failure of the service: my own timeout, in ${run}. Log: ${log}\n`,
    );
    expect(readFileSync(join(cwd, log), "utf8")).toContain("my own timeout");
    expect(stdout).toContain("\nYour tests pass with 0 of 1 failure. 1 breaks the program.\n");
  });

  it("prints each cause once with what it means, tests by their titles, and requests beside faults of a test apart", async () => {
    const cwd = writeSuite(`
      const create = async (id) => {
        const { call } = hasty(mock.url, mock.apiToken);
        const { status } = await call("GET", { user_group_id: id, name: id }).catch(() => ({}));
        if (status !== 200) throw new Error("no group");
      };
      test("creates one", () => create("a"));
      test("creates two", async () => { await create("b"); await create("c"); });
      test("has a fault", async () => { await mock.fault({ status: 503, skip: 1 }); await create("d"); });`);
    const flags = ["--faults", "--all", "--strict", "--only", "reset,unavailable"];
    const suite = ["--", process.execPath, "a.test.cjs"];
    const { stdout, stderr, code } = await runHere(["explore", ...flags, ...suite], { cwd });
    const tables = stdout.replace(/^ {2}(log|report|repeat) .*\n/gm, "");
    expect(tables, stderr).toBe(`All 2 failures of get-or-create break 2 tests with the same error: no group
  The client does not retry.

  request              unavailable  reset
  creates one (a.test.cjs)
    get-or-create:a#1  BREAKS       BREAKS
  creates two (a.test.cjs)
    get-or-create:b#1  BREAKS       BREAKS
    get-or-create:c#1  BREAKS       BREAKS

Requests of tests that arm a fault or a hold themselves:

All 2 failures of get-or-create break "has a fault" (a.test.cjs) with the same error: no group
  The client does not retry.

  request              unavailable  reset
  has a fault (a.test.cjs)
    get-or-create:d#1  BREAKS       BREAKS

8 combinations: 4 requests with 2 kinds of failure each.
Beside their own faults: Your tests pass with 0 of 2 failures. 2 break the program.
Your tests pass with 0 of 6 failures. 6 break the program.
`);
    expect(code).toBe(1);
    // The log has the name of what its command repeats, and is one of few files in one folder.
    const [, log = "", inject = ""] =
      /^ {2}log {5}(.*)\n {2}report .*\n {2}repeat {2}.* --inject (\S+) /m.exec(stdout) ?? [];
    expect(log).toBe(join("usergroup-mock-explore", `${inject.replace(/[/:]/g, "_")}.log`));
    expect(readFileSync(join(cwd, log), "utf8")).toContain("no group");
    expect(readFileSync(join(cwd, "usergroup-mock-explore", ".gitignore"), "utf8")).toBe("*\n");
    expect(stderr).toContain("logs and reports of runs are in usergroup-mock-explore\n");
    const runs = readdirSync(join(cwd, "usergroup-mock-explore")).filter((name) =>
      /^run-\d+\.html$/.test(name),
    );
    expect(runs.length).toBeLessThanOrEqual(3);
    // The next exploration replaces the folder, or removes it if it has nothing to show.
    const passing = command('await sturdy(url, apiToken).tokenOf("a");');
    await runHere(["explore", "--faults", "--only", "reset", ...passing], { cwd });
    expect(readdirSync(cwd)).toEqual(["a.test.cjs"]);
  });

  it("advises to look a group up only if its token was rotated, and to retry only if the client does not", async () => {
    const cwd = writeSuite(`
      const statusOf = async (current_token) => {
        const { status } = await hasty(mock.url, mock.apiToken).call("POST", { current_token }).catch(() => ({}));
        return status;
      };
      test("rotates a token", async () => {
        const { token } = await mock.addGroup({ provided_id: "a", name: "A" });
        if ((await statusOf(token)) !== 200) throw new Error("not rotated");
      });
      test("rejects a token", async () => {
        if ((await statusOf("unknown")) !== 404) throw new Error("not rejected");
      });
      test("rejects a token at once", async () => {
        const status = await statusOf("unknown");
        if (status === undefined) await statusOf("unknown");
        if (status !== 404) throw new Error("not at once");
      });`);
    const flags = ["explore", "--faults", "--only", "lost", "--logs", "logs"];
    const { stdout } = await runHere([...flags, "--", process.execPath, "a.test.cjs"], { cwd });
    expect(stdout).toMatch(/^lost of rotate breaks "rotates a token".*\n {2}The token was rotated, but /m);
    expect(stdout).toMatch(
      /^lost of rotate breaks "rejects a token".*\n {2}The client does not retry after /m,
    );
    expect(stdout).toMatch(
      /^lost of rotate breaks "rejects a token at once".*\n {2}The client retries, but /m,
    );
  });

  it("reports a run that takes too long as one that hangs", async () => {
    const flags = ["--json", "--only", "silent,unavailable", "--run-timeout", "8", "--concurrency", "2"];
    const work = command('await patient(url, apiToken).tokenOf("a");');
    const ended = await runCli(["explore", "--faults", ...logsFlag(), ...flags, ...work]);
    expect(resultsIn(ended)).toEqual({
      "get-or-create:a#1=unavailable": "survives",
      "get-or-create:a#1=silent": "hangs",
    });
  });

  itInLongRun("has no result for a request that is not made again, and prints a likely reason", async () => {
    const work = command('await create(url, "random-" + Math.random());');
    const json = await exploreFaults("--json", "--only", "lost", ...work);
    expect(faultsIn(json)).toMatchObject([{ result: "not met", exitCode: 0 }]);
    const { stdout, code } = await exploreFaults("--strict", "--only", "lost,cut", ...work);
    expect(stdout).toContain("2 runs did not make the request again, so the result is unknown. ");
    expect(stdout).toContain("Use the same names in every run.\n");
    expect(stdout).toContain("Your tests pass with 0 of 0 failures.\n");
    expect(code).toBe(0);
  });

  it("reports how many points --max-runs has left out", async () => {
    const flags = ["--max-runs", "4"];
    const { stdout } = await exploreFaults(
      ...flags,
      ...command('for (const id of "ab") await create(url, id);'),
    );
    expect(stdout).not.toContain("BREAKS");
    expect(stdout.match(/ fails\? /g)).toHaveLength(4);
    expect(stdout).toContain("\nLeft out: 10 of 14 combinations. Raise --max-runs to try them.\n");
    expect(stdout).toContain(
      "\nfails?: failed once, and not tried again: 4 of 14 combinations. Raise --max-runs to try them.\n",
    );
  });

  it("has nothing to try if every request was rejected, and leaves no files behind", async () => {
    const cwd = mkdtempSync(join(folder, "rejected-"));
    const temporary = mkdtempSync(join(folder, "temporary-"));
    const work = 'await hasty(url, "wrong").call("GET", {});';
    const env = { ...process.env, TMPDIR: temporary };
    const ended = await runCli(["explore", "--faults", ...command(work)], { cwd, env });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("Requests reached a mock, but all of them were rejected");
    expect([...readdirSync(temporary), ...readdirSync(cwd)]).toEqual([]);
  });
});

/** exec-inject.test.ts uses all places. In npm test, the mocks of the test above and of report.test.ts are in other processes. */
const somePlaces = places.filter(([place]) => /thread|command line|within exec/.test(place));

describeInLongRun("explore of a mock that is", () => {
  it.each(somePlaces)("%s injects failures and sees its requests", async (_, work) => {
    const ended = await exploreFaults("--json", "--only", "unavailable", ...command(work));
    expect(resultsIn(ended)).toEqual({ "get-or-create:acme#1=unavailable": "breaks" });
  });

  it.each(somePlaces)("%s changes assumptions and sees their decisions", async (_, work) => {
    const flags = ["--json", "--only", "created-status", ...logsFlag()];
    const { stdout } = await runHere(["explore", ...flags, ...command(work)]);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { id: "created-status", value: "201", result: "breaks" },
    ]);
  });
});

describeInLongRun("an assumption that the tests set", () => {
  const pins: readonly [how: string, start: string][] = [
    ["an option of startMock", 'const mock = await startMock({ assume: { "created-status": "200" } });'],
    ["assume()", 'const mock = await startMock(); await mock.assume({ "created-status": "200" });'],
  ];
  it.each(pins)("with %s keeps its value, and is reported as pinned", async (_, start) => {
    const work = command(`${start} await create(mock.url); await mock.stop();`);
    const flags = ["--only", "created-status", ...logsFlag()];
    const json = await runHere(["explore", "--json", ...flags, ...work]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      dependsOn: [],
      findings: [{ result: "pinned" }],
    });
    const { stdout } = await runHere(["explore", ...flags, ...work]);
    expect(stdout).toContain(
      "1 of 1 value pinned: responses depended on the assumption only where a test sets it.\n",
    );
  });

  it("for one mock only is reported as passed if responses of another mock depend on it", async () => {
    const work = command(`
      const mock = await startMock({ assume: { "created-status": "200" } });
      await create(mock.url); await mock.stop();
      await hasty(url, apiToken).call("GET", { user_group_id: "a", name: "A" });`);
    const { stdout } = await runHere([
      "explore",
      "--json",
      "--only",
      "created-status",
      ...logsFlag(),
      ...work,
    ]);
    expect(JSON.parse(stdout).findings).toMatchObject([{ result: "passes" }]);
  });
});

describeInLongRun("the logs of explore", () => {
  it("are in the folder of --logs, which may have other files", async () => {
    const logs = join(folder, "named", "logs");
    const flags = ["--faults", "--only", "reset", "--logs", logs];
    const breaking = command('console.log("breaking"); await create(url);');
    expect((await runHere(["explore", ...flags, ...breaking])).code).toBe(0);
    const names = [".gitignore", "get-or-create_acme#1=reset.log", "run-004.html"];
    expect(readdirSync(logs)).toEqual(names);
    const sturdy = command('console.log("sturdy"); await sturdy(url, apiToken).tokenOf("acme");');
    expect((await runHere(["explore", ...flags, ...sturdy])).code).toBe(0);
    expect(readdirSync(logs)).toEqual(names);
  });

  it("do not turn on a log of requests on standard output", async () => {
    const env = { ...process.env, USERGROUP_MOCK_LOG: "json" };
    const flags = ["explore", "--json", "--only", "old-token", ...logsFlag()];
    const { stdout } = await runCli([...flags, ...command("await create(url);")], { env });
    expect(JSON.parse(stdout).findings).toHaveLength(1);
  });
});

describe.concurrent("explore --faults after Ctrl-C", () => {
  it("ends the runs, prints the table so far, and exits with 130", async () => {
    await using gate = await checkpoint();
    const work = `await sturdy(url, apiToken).tokenOf("a"); ${gate.connection};`;
    await using running = startCli(["explore", "--faults", ...logsFlag(), ...command(work)]);
    for (let done = 1; done <= 2; done++) {
      await gate.until(1);
      gate.release();
      await vi.waitFor(() => expect(running.stderr().split("\n")).toHaveLength(done + 1), patience);
    }
    await gate.until(1);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    const [, row = ""] = running.stdout().split("\n");
    expect(row.trim().split(/ +/)).toEqual(["get-or-create:a#1", "survives", ...Array(6).fill("-")]);
    expect(running.stdout()).toContain("\nLeft out: 6 of 7 combinations. Interrupted.\n");
    expect(running.stdout()).toMatch(/\nYour tests pass with 1 of 1 failure\.\n$/);
    await gate.until(0);
  });

  it("prints what has failed once, before it is confirmed, with its log", async () => {
    await using gate = await checkpoint();
    const logs = join(folder, `${++explorations}`);
    const flags = ["--only", "reset", "--logs", logs];
    const work = `${gate.connection}; await create(url, "a");`;
    await using running = startCli(["explore", "--faults", ...flags, ...command(work)]);
    for (let done = 1; done <= 2; done++) {
      await gate.until(1);
      gate.release();
      await vi.waitFor(() => expect(running.stderr()).toMatch(done === 1 ? /passes/ : /fails\?:/), patience);
    }
    await gate.until(1);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    expect(running.stdout()).toContain("  get-or-create:a#1  fails?\n");
    expect(running.stdout()).toContain(
      "\nfails?: failed once, and not tried again: 1 of 1 combination. Interrupted.\n",
    );
    expect(readdirSync(logs)).toEqual([".gitignore", "get-or-create_a#1=reset.log", "run-002.html"]);
  });

  it("in the first run prints that nothing is known", async () => {
    await using gate = await checkpoint();
    await using running = startCli(["explore", "--faults", ...logsFlag(), ...gate.command]);
    await gate.until(1);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    expect(running.stderr()).toContain("interrupted in the first run, so nothing is known yet\n");
  });
});
