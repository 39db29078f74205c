import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { failureNames } from "../../../src/run/injection.js";
import { checkpoint } from "../../cli/checkpoint.js";
import { runHere } from "../../cli/run-here.js";
import { command } from "../../cli/small-programs.js";
import { bin, type Ended, runCli, startCli } from "../../cli-process.js";
import { describeInLongRun, isLong, smoke } from "../../long.js";
import { patience } from "../../patience.js";

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
    // The client gives up before the silence ends.
    const flags = ["--json", "--concurrency", "2", "--silence", "60", "--only", failures.join(), ...given];
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

  const hanging: readonly [what: string, failure: string, exitCode: number, flags: readonly string[]][] = [
    ["waits for a response longer than --silence, even if the tests pass", "silent", 0, ["--silence", "1"]],
    ["does not end before --run-timeout", "unavailable", 137, ["--run-timeout", "8"]],
  ];
  it.each(smoke(hanging))(
    "reports a program that %s as one that hangs",
    async (_, failure, exitCode, flags) => {
      const work = command(`
      await patient(url, apiToken).tokenOf("a");
      const { status } = await hasty(url, apiToken).call("GET", { user_group_id: "b", name: "b" });
      if (status !== 200) setInterval(() => {}, 1_000);`);
      const ended = await exploreFaults("--json", "--only", failure, ...flags, ...work);
      const [a, b] = faultsIn(ended);
      expect(failure === "silent" ? a : b).toMatchObject({ result: "hangs", exitCode });
    },
  );

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
    const flags = ["explore", "--json", "--only", "old-token=accepted", ...logsFlag()];
    const { stdout } = await runCli([...flags, ...command("await create(url);")], { env });
    expect(JSON.parse(stdout).findings).toHaveLength(1);
  });
});

describe.concurrent("explore --faults after Ctrl-C", () => {
  it("ends the runs, prints what is known, and exits with 130", async () => {
    await using gate = await checkpoint();
    // The program ends when the test releases it, whatever becomes of its request.
    const work = `
      const socket = ${gate.connection};
      const released = new Promise((resolve) => socket.once("close", resolve));
      await create(url).catch(() => {});
      await released;`;
    const flags = ["--faults", "--only", "unavailable,lost", ...logsFlag()];
    await using running = startCli(["explore", ...flags, ...command(work)]);
    // The first run ends, and another one begins.
    await gate.until(1);
    gate.release();
    await vi.waitFor(() => expect(gate.arrived()).toBe(2), patience);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    expect(running.stdout()).toContain(
      "2 failures (1 request × 2 kinds) in 1 run: 2 NOT TRIED. The runs ended early: interrupted.",
    );
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
