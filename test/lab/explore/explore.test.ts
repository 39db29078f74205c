import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, type TestContext, vi } from "vitest";
import { type AssumptionId, assumptionIds, valuesOf } from "../../../src/fake/contract/assumptions.js";
import { checkpoint, knock } from "../../cli/checkpoint.js";
import { runHere } from "../../cli/run-here.js";
import { bin, type Ended, runCli, startCli } from "../../cli-process.js";
import { defaultAssumptions } from "../../default-behaviour.js";
import { describeInLongRun, isLong, itInLongRun, smoke } from "../../long.js";
import { needs } from "../../needs.js";
import { patience } from "../../patience.js";

/** Its tests depend on three assumptions. Three others decide responses too, the rest none. */
const project = fileURLToPath(new URL("../../consumers/projects/explore/", import.meta.url));
const dependsOn = ["existing-group", "created-status", "rotated-token"];
const exercised = ["old-token", "failure-status", "failure-body"];
/** Each result once; in a long run, all other values. */
const explored: readonly AssumptionId[] = isLong
  ? assumptionIds
  : ["auth-scheme", "created-status", "failure-body"];
const flips = assumptionIds
  .filter((id) => explored.includes(id))
  .flatMap((id) =>
    valuesOf(id)
      .filter((value) => value !== defaultAssumptions[id])
      .map((value) => ({ id, value })),
  );
const judgeAttempts = (id: string) =>
  dependsOn.includes(id) ? "breaks" : exercised.includes(id) ? "passes" : "not exercised";

const node = process.execPath;
const tests = ["--", node, "tests.js"];
const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-explore-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** New folders for logs: explorations at the same time must not share one. */
let explorations = 0;
const logsFlag = () => ["--logs", join(folder, `${++explorations}`)];
const explore = (...args: string[]) => runHere(["explore", ...logsFlag(), ...args], { cwd: project });

interface Finding {
  readonly id: string;
  readonly value: string;
  readonly result: string;
  readonly exitCode: number;
  readonly durationMs: number;
}

function findingsIn({ stdout }: Ended): { dependsOn: string[]; findings: Finding[] } {
  return JSON.parse(stdout);
}

describe.concurrent("explore", () => {
  it("finds exactly the assumptions that the tests depend on, with evidence for every break", async () => {
    const { code, stdout, stderr } = await explore("--only", explored.join(), ...tests);
    const lines = stdout.split("\n");
    const shown = { breaks: "BREAKS", passes: "passes", "not exercised": "not exercised" };
    const widths = [
      ["assumption", ...flips.map(({ id }) => id)],
      ["if it were", ...flips.map(({ value }) => value)],
    ].map((texts) => 2 + Math.max(...texts.map(({ length }) => length)));
    const row = (...cells: readonly string[]) =>
      `  ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join("")}`;
    const title = row("assumption", "if it were", "result");
    const unused = flips.filter(({ id }) => judgeAttempts(id) === "not exercised").length;
    const broken = flips.filter(({ id }) => dependsOn.includes(id)).map(({ id, value }) => `${id}=${value}`);
    const tried = flips.filter(({ id }) => [...dependsOn, ...exercised].includes(id));
    const passing = tried.length - broken.length;
    const runs = 1 + tried.length + broken.length;
    expect(lines.slice(lines.indexOf(title))).toEqual([
      title,
      ...flips.map(({ id, value }) => row(id, value, shown[judgeAttempts(id)])),
      "",
      isLong
        ? `Your tests depend on 3 of ${assumptionIds.length} assumptions; none of the 3 is known.`
        : "Your tests depend on 1 of 3 assumptions; it is not known.",
      "To find out which values are true, ask the real service: npx usergroup-mock verify --against <url> --api-token <token> --out profile.json. Then start the mock with --profile profile.json.",
      `${flips.length} values in ${runs} runs: ${passing} passed, ${broken.length} broke, ${unused} not exercised (no response depended on the assumption).`,
      "",
    ]);
    const [firstRun = "", announced, ...progress] = stderr.split("\n").slice(0, runs + 1);
    expect(firstRun).toMatch(/^first run passes /);
    expect(announced).toBe(
      `${tried.length} values of ${isLong ? 6 : 2} assumptions, about ${1 + tried.length} runs`,
    );
    const shownProgress = progress.map((line) => line.replace(/ \([\d.]+ s(, about \d+ s left)?\)$/, ""));
    expect(shownProgress).toEqual([
      ...tried.map(({ id, value }, n) => {
        const result = dependsOn.includes(id) ? "fails" : "passes";
        return `${n + 2}/${tried.length + 1} ${id}=${value} ${result}`;
      }),
      ...broken.map((value, n) => `${tried.length + n + 2}/${runs} ${value} fails`),
    ]);
    expect(code).toBe(0);

    expect(stdout).toMatch(/^created-status=201 breaks your tests\n( {2}\| .*\n)+ {2}log {5}/m);
    const logs = [...stdout.matchAll(/^ {2}log {5}(\S+)$/gm)].map(([, log]) => log ?? "");
    expect(logs).toHaveLength(broken.length);
    for (const log of logs)
      expect(readFileSync(log, "utf8")).toMatch(/AssertionError|responded with (409|201)/);
    const repeats = [...stdout.matchAll(/^ {2}repeat {2}npx usergroup-mock (.*)$/gm)].map(
      ([, words]) => words,
    );
    const repeat = `exec --assume created-status=201 -- ${node} tests.js`;
    expect(repeats).toContain(repeat);
    const repeated = await runCli(repeat.split(" "), { cwd: project });
    expect([repeated.code, repeated.stderr]).toEqual([1, expect.stringContaining("responded with 201")]);
  });

  it("prints only JSON with --json, for the values that --only names, in their order, and exits with 1 with --strict", async () => {
    const only = ["--only", "failure-body=bare,created-status", "--only", "trailing-slash"];
    const wanted = [
      ["created-status", "201"],
      ["failure-body", "bare"],
      ["trailing-slash", "accepted"],
    ] as const;
    const ended = await explore("--json", "--strict", "--concurrency", "2", ...only, ...tests);
    const found = findingsIn(ended);
    expect(found.dependsOn).toEqual(["created-status"]);
    expect(found.findings).toEqual(
      wanted.map(([id, value]) => ({
        id,
        value,
        result: judgeAttempts(id),
        ...(judgeAttempts(id) !== "not exercised" && {
          exitCode: dependsOn.includes(id) ? 1 : 0,
          durationMs: expect.any(Number),
          ...(dependsOn.includes(id) && {
            log: expect.stringMatching(/run-\d+\.log$/),
            report: expect.stringMatching(/run-\d+\.html$/),
          }),
          repeat: `npx usergroup-mock exec --assume ${id}=${value} -- ${node} tests.js`,
          tests: [],
        }),
      })),
    );
    // One of two values breaks, so it is tried twice.
    expect(ended.stderr.match(/^(first run|\d\/\d) /gm)).toHaveLength(1 + 2 + 1);
    expect(ended.code).toBe(1);
  });

  it("tries a value of which the profile has only situations that no request met", async () => {
    const own = mkdtempSync(join(tmpdir(), "usergroup-mock-partly-known-"));
    const send = (method: string, body: object) => {
      const text = JSON.stringify(body);
      const headers = '{ Authorization: "Token test-api-token", "Content-Type": "application/json" }';
      return `await new Promise((resolve) => request(url, { method: "${method}", headers: { ...${headers},
        "Content-Length": ${text.length} } }, (res) => res.resume().on("end", resolve)).end(${JSON.stringify(text)}));`;
    };
    const program = (...lines: string[]) => `import { request } from "node:http";
      const url = process.env.USERGROUP_MOCK_URL + "/api/user";\n${lines.join("\n")}`;
    writeFileSync(join(own, "rotates.mjs"), program(send("POST", { current_token: "any", unheard: 1 })));
    writeFileSync(
      join(own, "creates.mjs"),
      program(send("GET", { user_group_id: "a", name: "A", unheard: 1 })),
    );
    const profile = join(own, "profile.json");
    writeFileSync(profile, JSON.stringify({ situations: { "POST: unknown field": "rejected" } }));
    const only = ["--profile", profile, "--only", "unknown-fields"];
    const results = await Promise.all(
      ["rotates.mjs", "creates.mjs"].map(async (file) => {
        const { stdout } = await runHere(["explore", ...logsFlag(), ...only, "--", node, file], { cwd: own });
        return /unknown-fields +rejected +(.+)/.exec(stdout)?.[1];
      }),
    );
    expect(results).toEqual(["known", "passes"]);
    rmSync(own, { recursive: true });
  });

  it("starts from the given assumptions, and sets the environment variables of --set", async () => {
    const source = `
      const body = JSON.stringify({ user_group_id: "a", name: "A" });
      const headers = { Authorization: "Token " + process.env.TOKEN, "Content-Type": "application/json",
        "Content-Length": body.length };
      require("node:http").request(process.env.BASE + "/api/user", { headers }, (res) => {
        process.exit(res.statusCode === 201 ? 0 : 9);
      }).end(body);
    `;
    const flags = ["--assume", "created-status=201", "--only", "created-status", "--json"];
    const set = ["--set", "BASE={url}", "--set", "TOKEN={apiToken}"];
    const ended = await explore(...flags, ...set, "--", node, "-e", source);
    expect(findingsIn(ended).findings).toEqual([
      {
        id: "created-status",
        value: "200",
        result: "breaks",
        exitCode: 9,
        durationMs: expect.any(Number),
        log: expect.any(String),
        report: expect.any(String),
        repeat: expect.stringMatching(
          /^npx usergroup-mock exec --set BASE=\{url\} --set TOKEN=\{apiToken\} --assume created-status=200 -- /,
        ),
        tests: [],
      },
    ]);
  });

  itInLongRun(
    "runs the command in the current folder, without input, and does not print its output",
    async () => {
      const source = `console.log("loud"); process.stdin.on("end", () => { ${knock} }).resume();`;
      const { code, stdout, stderr } = await explore("--only", "old-token", "--", node, "-e", source);
      expect(stdout + stderr).not.toContain("loud");
      expect(code).toBe(0);
    },
  );
});

describe.concurrent("explore of tests that fail without a change", () => {
  it("prints the end of their output, makes no other run, and exits with 1", async () => {
    const { code, stdout, stderr } = await explore(
      "--",
      "sh",
      "-c",
      "echo expected 1; echo got 2 >&2; exit 3",
    );
    expect(stderr).toMatch(/^first run fails \(.*\)\n {2}\| expected 1\n {2}\| got 2\n/);
    expect(stderr).toMatch(
      /usergroup-mock: Your tests fail \(exit code 3\) in the first run, which changes nothing\. Make them pass first\. Full output: \S+\n$/,
    );
    expect(stderr).not.toMatch(/^2\//m);
    expect([code, stdout]).toEqual([1, ""]);
  });

  itInLongRun("prints the last lines of a long output, and where to find the log", async () => {
    const source =
      'process.stdout.write("x\\n".repeat(500_000) + "\\u001b[2Jthe last line\\n"); process.exitCode = 1';
    const { stderr } = await explore("--", node, "-e", source);
    expect(stderr).toContain("\n  | the last line\n");
    expect(stderr.length).toBeLessThan(2_000);
    const [, log = ""] = /Full output: (\S+)\n/.exec(stderr) ?? [];
    expect(readFileSync(log, "utf8").length).toBeGreaterThan(1_000_000);
    rmSync(dirname(log), { recursive: true });
  });
});

describe.concurrent("explore rejects, before it runs anything,", () => {
  const nothing = ["--", node, "-e", ""];

  it.each([
    ["a missing command", [], "explore needs a command after --, such as usergroup-mock explore -- npm test"],
    ["a command before --", [node, "tests.js"], "Put the command after --"],
    ["an assumption that does not exist", ["--only", "old-tokn", ...nothing], "did you mean old-token?"],
    ["a value that does not exist", ["--only", "old-token=acepted", ...nothing], "acepted"],
    ["the current value of an assumption", ["--only", "old-token=rejected", ...nothing], "rejected"],
    ["a concurrency of 0", ["--concurrency", "0", ...nothing], "--concurrency must be a number from 1 to 99"],
    ["a flag that does not exist", ["--strickt", ...nothing], "did you mean --strict?"],
    ["--max-runs without --faults", ["--max-runs", "5", ...nothing], "--max-runs requires --faults"],
    ["--silence without --faults", ["--silence", "5", ...nothing], "--silence requires --faults"],
    ["a --max-runs that is not a number", ["--faults", "--max-runs", "all", ...nothing], "from 1 to 100000"],
    ["a failure that does not exist", ["--faults", "--only", "losst", ...nothing], "did you mean lost?"],
  ])("%s", async (_, args, words) => {
    const { code, stdout, stderr } = await explore(...args);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect([code, stdout]).toEqual([1, ""]);
  });
});

describe.concurrent("explore of a command that uses no mock", () => {
  it("finds nothing, and prints what to do", async () => {
    const { code, stdout, stderr } = await explore("--", "true");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^first run does not reach a mock/);
    expect(stderr).toContain("No request of the first run reached a mock, so there is nothing to explore.");
    expect(stderr).toContain(
      "from USERGROUP_MOCK_URL and its token from USERGROUP_MOCK_API_TOKEN, or pass them under other names: --set API_URL={url}",
    );
  });

  it("finds nothing if the command does not exist", async () => {
    const { code, stdout, stderr } = await explore("--", "no-such-command");
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      "usergroup-mock: Command not found: no-such-command. Check its name and your PATH.\n",
    ]);
  });
});

describe.concurrent("explore --concurrency", () => {
  // Three runs after the first one.
  const widths: readonly [width: number, rounds: readonly number[]][] = [
    [2, [2, 1]],
    [1, [1, 1, 1]],
    [3, [3]],
  ];
  it.each(smoke(widths))("makes %i runs at a time, and the first one alone", async (width, rounds) => {
    await using gate = await checkpoint();
    const flags = ["--concurrency", `${width}`, "--only", "old-token=accepted,failure-body", "--json"];
    await using running = startCli(["explore", "--all", ...logsFlag(), ...flags, ...gate.command]);
    let done = 0;
    for (const together of [1, ...rounds]) {
      await gate.until(together);
      gate.release();
      done += together;
      await vi.waitFor(() => expect(running.stderr().split("\n")).toHaveLength(done + 2), patience);
    }
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(JSON.parse(running.stdout()).findings).toHaveLength(3);
  });
});

describeInLongRun("a command of explore", () => {
  it("may leave processes running, which are killed", async () => {
    await using gate = await checkpoint();
    // It ends when the process that it leaves running has started.
    const left = `${knock}const { spawn } = require("node:child_process");
      const source = ${JSON.stringify(gate.command.at(-1))} + ".on('connect', () => process.send('started'))";
      const stdio = ["ignore", "inherit", "inherit", "ipc"];
      spawn(process.execPath, ["-e", source], { stdio }).on("message", () => process.exit(0));`;
    const { code, stderr } = await runCli([
      "explore",
      "--all",
      ...logsFlag(),
      "--only",
      "created-status",
      "--",
      node,
      "-e",
      left,
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("2/2 created-status=201 passes")]);
    expect(gate.arrived()).toBe(2);
    await gate.until(0);
  });
});

describe.concurrent("a signal to explore", () => {
  const signals: readonly [signal: NodeJS.Signals, code: number][] = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];
  it.each(smoke(signals))(
    "%s ends the command and its child processes, and explore exits with %i",
    async (signal, code) => {
      await using gate = await checkpoint();
      await using running = startCli(["explore", ...logsFlag(), ...gate.family]);
      await gate.until(2);
      running.child.kill(signal);
      const ended = await running.exited;
      await gate.until(0);
      expect(ended.signal === null ? ended.code : ended.signal).toBe(code);
    },
  );

  itInLongRun("ends all runs that are running", async () => {
    await using gate = await checkpoint();
    const flags = ["--concurrency", "3", "--only", "old-token=accepted,failure-body"];
    await using running = startCli(["explore", "--all", ...logsFlag(), ...flags, ...gate.command]);
    await gate.until(1);
    gate.release();
    await gate.until(3);
    running.child.kill("SIGINT");
    expect(await running.exited).toEqual({ code: 130, signal: null });
    expect(running.stdout()).toContain("3 values in 1 run: 3 NOT TRIED. The runs ended early: interrupted.");
    await gate.until(0);
  });
});

/** Of util-linux: runs a command on a new terminal. */
const script = "script";

describe.concurrent("explore on a terminal", () => {
  const onTerminal = (context: TestContext, ...args: string[]) => {
    needs(context, "script of util-linux");
    const line = [node, bin, "explore", ...args].map((word) => `'${word}'`).join(" ");
    return new Promise<{ output: string; code: number | string | undefined }>((resolve) => {
      const options = { cwd: project, encoding: "utf8", timeout: 200_000 } as const;
      const child = execFile(script, ["-qec", line, "/dev/null"], options, (error, output) =>
        resolve({ output, code: error === null ? 0 : (error.code ?? error.message) }),
      );
      child.stdin?.end();
    });
  };
  const clear = "\r\u001b[K";

  it("shows what runs now, and removes it before the table", async (context) => {
    const { code, output } = await onTerminal(
      context,
      ...logsFlag(),
      "--only",
      "old-token=accepted",
      ...tests,
    );
    expect(output).toContain(`${clear}first run${clear}first run passes (`);
    expect(output).toContain(`${clear}old-token=accepted${clear}2/2 old-token=accepted passes (`);
    expect(output).toMatch(/ passes \([\d.]+ s\)\r\n/);
    expect(output).toContain(`${clear}  assumption  if it were  result\r\n`);
    expect(code).toBe(0);
  });
});
