import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { failureNames } from "../../../src/run/injection.js";
import { checkpoint, patience } from "../../cli/checkpoint.js";
import { runHere } from "../../cli/run-here.js";
import { command, places } from "../../cli/small-programs.js";
import { bin, type Ended, runCli, startCli } from "../../cli-process.js";
import { describeInLongRun, isLong, itInLongRun } from "../../long.js";

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
        log: expect.stringMatching(/run-\d+\.log$/),
        report: expect.stringMatching(/run-\d+\.html$/),
        repeat: expect.stringMatching(/^npx usergroup-mock exec --assume old-token=accepted --set /),
        tests: [],
      })),
    );
    for (const { log } of faultsIn(ended)) {
      expect(isAbsolute(log)).toBe(true);
      expect(readFileSync(log, "utf8")).toContain("Error");
    }
    // All once, then again what has failed. The count goes on.
    const of = failures.length;
    const last = 1 + 2 * of;
    expect(ended.stderr.split("\n")[1]).toBe(
      `1 request: ${of === 1 ? "1 failure" : `${of} failures`}, about ${1 + 2 * of} runs`,
    );
    expect(ended.stderr.match(/^(first run|\d+\/\d+) /gm)).toEqual([
      "first run ",
      ...Array.from({ length: of }, (_, n) => `${n + 2}/${of + 1} `),
      ...Array.from({ length: of }, (_, n) => `${of + n + 2}/${last} `),
    ]);
    expect(ended.code).toBe(0);
    const { code, stderr } = await inShell(faultsIn(ended)[0]?.repeat ?? "");
    expect(code).toBe(1);
    expect(stderr).toContain("no group: 503");
    expect(stderr).not.toContain("there was no such request");
  });

  it("prints a row for each request that does not only survive, and exits with 1 with --strict", async () => {
    // A rotation whose response is lost has taken effect, so the second try is rejected.
    const work = `
      const current_token = await sturdy(url, apiToken).tokenOf("a");
      const rotate = () => hasty(url, apiToken).call("POST", { current_token });
      const { status } = await rotate().catch(rotate);
      if (status !== 200) throw new Error("status " + status);`;
    const { code, stdout } = await exploreFaults("--strict", "--only", "reset,lost", ...command(work));
    const lines = stdout.split("\n");
    expect(lines[0]).toBe("lost of rotate breaks your tests");
    expect(lines.slice(lines.indexOf("  request     reset     lost"))).toEqual([
      "  request     reset     lost",
      "  rotate:a#1  survives  BREAKS",
      "",
      "1 request of 2: your tests pass with every failure.",
      "4 failures (2 requests × 2 kinds) in 6 runs: 3 survived, 1 broke.",
      "",
    ]);
    expect(stdout).toContain("status 404");
    expect(code).toBe(1);
  });

  it("names a test that fails in a run without a failure of its own, with its error and the log", async () => {
    // The second test fails in the first of the runs in which the first one has a failure.
    const cwd = writeSuite(`
      const { appendFileSync, readFileSync } = require("node:fs");
      const rotate = async () => {
        const { token } = await mock.addGroup({ provided_id: "a", name: "A" });
        const { status } = await hasty(mock.url, mock.apiToken).call("POST", { current_token: token });
        if (status !== 200) throw new Error("status " + status);
      };
      test("has no retries", rotate);
      test("has no requests", () => {
        appendFileSync("passes", "x");
        if (readFileSync("passes", "utf8") === "xx") throw new Error("my own timeout");
      });`);
    const flags = ["explore", "--faults", "--only", "unavailable", "--logs", "logs"];
    const suite = ["--", process.execPath, "a.test.cjs"];
    const { stdout, stderr } = await runHere([...flags, ...suite], { cwd });
    expect(stdout, stderr).toMatch(/^ {2}has no retries \(a\.test\.cjs\)\n {4}rotate:a#1 +BREAKS$/m);
    const [, log = ""] =
      /^has no requests \(a\.test\.cjs\) fails now and then, or because of failures in other tests: my own timeout\. Log: (\S+)$/m.exec(
        stdout,
      ) ?? [];
    expect(readFileSync(join(cwd, log), "utf8")).toContain("my own timeout");
    expect(stdout).toContain("\n1 failure (1 request × 1 kind) in 4 runs: 1 broke.\n");
  });

  it("prints each cause once with what it means, and tests by their titles", async () => {
    const cwd = writeSuite(`
      const create = async (id) => {
        const { call } = hasty(mock.url, mock.apiToken);
        const { status } = await call("GET", { user_group_id: id, name: id }).catch(() => ({}));
        if (status !== 200) throw new Error("no group");
      };
      test("creates one", () => create("a"));
      test("creates two", async () => { await create("b"); await create("c"); });
      test("has a fault", async () => { await mock.fault({ status: 503, skip: 1 }); await create("d"); });`);
    const flags = ["--faults", "--strict", "--only", "reset,unavailable"];
    const suite = ["--", process.execPath, "a.test.cjs"];
    const { stdout, stderr, code } = await runHere(["explore", ...flags, ...suite], { cwd });
    expect(
      stdout.replace(/^ {2}(log|repeat) .*\n/gm, ""),
      stderr,
    ).toBe(`All 2 failures of get-or-create break 2 tests with the same error: no group
  The client probably does not retry.

  request              unavailable  reset
  creates one (a.test.cjs)
    get-or-create:a#1  BREAKS       BREAKS
  creates two (a.test.cjs)
    get-or-create:b#1  BREAKS       BREAKS
    get-or-create:c#1  BREAKS       BREAKS

8 failures (4 requests × 2 kinds) in 7 runs: 6 broke, 2 left out, because their tests arm a fault or a hold themselves (--all tries them).
`);
    expect(stderr).toContain("\n3 requests of 2 tests: 6 failures, about 8 runs\n");
    expect(code).toBe(1);
    const [, log = ""] = /^ {2}log {5}(.*)\n {2}repeat {2}.* --inject \S+ /m.exec(stdout) ?? [];
    const own = dirname(log);
    expect(log).toMatch(/^usergroup-mock-explore\/\d+-\w{6}\/run-00\d\.log$/);
    expect(readFileSync(join(cwd, log), "utf8")).toContain("no group");
    expect(existsSync(join(cwd, log.replace(".log", ".html")))).toBe(true);
    expect(readFileSync(join(cwd, "usergroup-mock-explore", ".gitignore"), "utf8")).toBe("*\n");
    expect(stderr).toContain(`logs and reports of runs are in ${own}\n`);
  });

  it.each([
    ["waits for a response longer than --silence, even if the tests pass", "silent", 0, "--silence", "1"],
    ["does not end before --run-timeout", "unavailable", 137, "--run-timeout", "8"],
  ])("reports a program that %s as one that hangs", async (_, failure, exitCode, ...flags) => {
    const work = command(`
      await patient(url, apiToken).tokenOf("a");
      const { status } = await hasty(url, apiToken).call("GET", { user_group_id: "b", name: "b" });
      if (status !== 200) setInterval(() => {}, 1_000);`);
    const ended = await runCli([
      "explore",
      "--faults",
      "--json",
      ...logsFlag(),
      "--only",
      failure,
      ...flags,
      ...work,
    ]);
    const [a, b] = faultsIn(ended);
    const hanging = failure === "silent" ? a : b;
    expect(hanging).toMatchObject({ result: "hangs", exitCode });
  });

  itInLongRun("has no result for a request that is not made again, and prints a likely reason", async () => {
    const work = command('await create(url, "random-" + Math.random());');
    const json = await exploreFaults("--json", "--only", "lost", ...work);
    expect(faultsIn(json)).toMatchObject([{ result: "not met", exitCode: 0 }]);
    const { stdout, code } = await exploreFaults("--strict", "--only", "lost,cut", ...work);
    expect(stdout).toContain("2 runs did not make the request again, so the result is unknown. ");
    expect(stdout).toContain("Use the same names in every run.\n");
    expect(stdout).toContain(" in 3 runs: 2 not met.\n");
    expect(code).toBe(0);
  });

  it("has a sum of all failures if --max-runs ends it early", async () => {
    const flags = ["--max-runs", "4"];
    const { stdout } = await exploreFaults(
      ...flags,
      ...command('for (const id of "ab") await create(url, id);'),
    );
    expect(stdout).not.toContain("BREAKS");
    expect(stdout.match(/ fails\? /g)).toHaveLength(3);
    expect(stdout).toContain(
      "\n14 failures (2 requests × 7 kinds) in 4 runs: 3 failed once, not tried again, 11 NOT TRIED. The runs ended early: --max-runs 4.\n",
    );
  });

  it("has nothing to try if every request was rejected, and leaves no logs behind", async () => {
    const cwd = mkdtempSync(join(folder, "rejected-"));
    const temporary = mkdtempSync(join(folder, "temporary-"));
    const work = 'await hasty(url, "wrong").call("GET", {});';
    const env = { ...process.env, TMPDIR: temporary };
    const ended = await runCli(["explore", "--faults", ...command(work)], { cwd, env });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("Requests reached a mock, but all of them were rejected");
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(join(cwd, "usergroup-mock-explore"))).toEqual([".gitignore"]);
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
      "\n1 value in 1 run: 1 pinned (responses depended on the assumption only where a test sets it).\n",
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
  it("do not turn on a log of requests on standard output", async () => {
    const env = { ...process.env, USERGROUP_MOCK_LOG: "json" };
    const flags = ["explore", "--json", "--only", "old-token", ...logsFlag()];
    const { stdout } = await runCli([...flags, ...command("await create(url);")], { env });
    expect(JSON.parse(stdout).findings).toHaveLength(1);
  });
});

describe.concurrent("two explorations at once in one folder", () => {
  it("have folders of their own, and the next one removes those that have ended", async () => {
    await using gate = await checkpoint();
    const cwd = mkdtempSync(join(folder, "two-"));
    const parent = join(cwd, "usergroup-mock-explore");
    const work = (id: string) => `console.log("${id}"); ${gate.connection}; await create(url, "${id}");`;
    const start = (id: string) =>
      startCli(["explore", "--faults", "--json", "--only", "reset", ...command(work(id))], { cwd });
    await using one = start("one");
    await using two = start("two");
    // Both are in their first runs. With a failure, the program ends by itself.
    await gate.until(2);
    expect(folders(parent)).toHaveLength(2);
    gate.release();
    for (const [id, exploring] of Object.entries({ one, two })) {
      expect((await exploring.exited).code, exploring.stderr()).toBe(0);
      const [finding] = JSON.parse(exploring.stdout()).faults;
      expect(finding).toMatchObject({ call: `get-or-create:${id}#1`, result: "breaks" });
      expect(readFileSync(finding.log, "utf8")).toContain(`${id}\n`);
      expect(existsSync(finding.report)).toBe(true);
    }
    const passing = command('await sturdy(url, apiToken).tokenOf("a");');
    await runCli(["explore", "--faults", "--only", "reset", ...passing], { cwd });
    expect(folders(parent)).toEqual([]);
  });
});

const folders = (parent: string) => readdirSync(parent).filter((name) => name !== ".gitignore");

/** The numbers of the last line add up to all failures. */
function expectTrueSum(stdout: string): string {
  const [line = "", total, counts = ""] =
    /^(\d+) failures? \(.*\) in \d+ runs?: (.*)\. The .*$/m.exec(stdout) ?? [];
  const numbers = (counts.match(/\d+/g) ?? []).map(Number);
  expect(
    numbers.reduce((sum, one) => sum + one, 0),
    stdout,
  ).toBe(Number(total));
  return line;
}

describe.concurrent("explore --faults after Ctrl-C", () => {
  it.each([
    ["after the first run", 1, "7 failures (1 request × 7 kinds) in 1 run: 7 NOT TRIED."],
    [
      "after one failure",
      2,
      "7 failures (1 request × 7 kinds) in 2 runs: 1 failed once, not tried again, 6 NOT TRIED.",
    ],
    [
      "before all is confirmed",
      8,
      "7 failures (1 request × 7 kinds) in 8 runs: 7 failed once, not tried again.",
    ],
    [
      "while it confirms",
      10,
      "7 failures (1 request × 7 kinds) in 10 runs: 2 broke, 5 failed once, not tried again.",
    ],
  ])("%s ends the runs, prints what is known with a true sum, and exits with 130", async (_, runs, sum) => {
    await using gate = await checkpoint();
    // The client gives up before a silence ends. The program ends when the test releases it.
    const work = `
      const socket = ${gate.connection};
      const released = new Promise((resolve) => socket.once("close", resolve));
      const { call } = hasty(url, apiToken, 500);
      const { status } = await call("GET", { user_group_id: "a", name: "a" }).catch(() => ({}));
      await released;
      if (status !== 200) process.exit(1);`;
    await using running = startCli(["explore", "--faults", ...logsFlag(), ...command(work)]);
    for (let done = 1; done <= runs; done++) {
      await gate.until(1);
      gate.release();
      // The next run has begun, so this one has ended.
      await vi.waitFor(() => expect(gate.arrived()).toBe(done + 1), patience);
    }
    await gate.until(1);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    expect(expectTrueSum(running.stdout())).toBe(`${sum} The runs ended early: interrupted.`);
    await gate.until(0);
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
