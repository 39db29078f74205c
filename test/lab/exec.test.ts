import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../call.js";
import { runHere } from "../cli/run-here.js";
import { runLongCli } from "../cli/run-long-cli.js";
import { type CliProcess, type Ended, startCli } from "../cli-process.js";
import { smoke } from "../long.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exec-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

vi.setConfig({ testTimeout: 60_000 });

const node = process.execPath;
/** `exec` around a program of this source. */
const around = (source: string, ...flags: string[]) => ["exec", ...flags, "--", node, "-e", source];
const printUrl = "console.log(process.env.USERGROUP_MOCK_URL);";

const refused = (url: string) => expect(call("GET", `${url}/__admin/health`)).rejects.toThrow("ECONNREFUSED");

/** Waits until the output of the command matches `pattern`. */
const printed = (running: CliProcess, pattern: RegExp) =>
  vi.waitFor(() => pattern.exec(running.stdout())?.[1] ?? expect.fail(running.stderr()), {
    // Long, because a failure here leaves a command running that the test then waits for.
    timeout: 30_000,
    interval: 5,
  });

describe.concurrent("the command of exec", () => {
  it("leaves no run folder behind if the mock does not start", async () => {
    const temporary = mkdtempSync(join(folder, "tmp-"));
    const env = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
    const { code } = await runLongCli(around("", "--fixtures", join(folder, "missing.json")), { env });
    expect([code, readdirSync(temporary)]).toEqual([1, []]);
  });

  it.each(smoke(["SIGTERM", "SIGINT", "SIGHUP"] as const))(
    "does not start after %s, and leaves no run folder behind",
    async (signal) => {
      const temporary = mkdtempSync(join(folder, "tmp-"));
      const env = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
      // The mock waits for its fixture, which is a FIFO.
      const fixture = join(folder, `${signal}.json`);
      execFileSync("mkfifo", [fixture]);
      await using running = startCli(around("console.log('started')", "--fixtures", fixture), { env });
      await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), { timeout: 30_000 });
      running.child.kill(signal);
      const given = writeFile(fixture, JSON.stringify({ teams: [{ team_id: 3, api_tokens: ["a"] }] }));
      const { code } = await running.exited;
      expect([code, running.stdout(), readdirSync(temporary)]).toEqual([
        128 + constants.signals[signal],
        "",
        [],
      ]);
      await given;
    },
  );

  describe("that runs once", () => {
    const words = ["", "a b", "007", "1e3", "--port", "9", "--", "--set=x", "-h", "$HOME", "{url}"];
    const source = `
      const { env, argv } = process;
      require("node:http").get(env.USERGROUP_MOCK_URL + "/__admin/health", ({ statusCode }) => {
        console.log(JSON.stringify({ env, cwd: process.cwd(), words: argv.slice(1), statusCode }));
        process.exit();
      });`;
    let ended: Ended;
    let seen: { env: Record<string, string>; cwd: string; words: string[]; statusCode: number };
    beforeAll(async () => {
      const set = ["--set", "A={url}/api", "--set", "B={apiToken}:{apiToken}", "--set", "C=as=it is"];
      const outer = { USERGROUP_MOCK_URL: "http://outer.example", USERGROUP_MOCK_PORT: "1" };
      const env = { ...process.env, ...outer, MINE: "mine" };
      ended = await runLongCli([...around(source, ...set), "--", ...words], { cwd: folder, env });
      seen = JSON.parse(ended.stdout);
    });

    it("finds the mock and its API token in its environment", () => {
      expect(seen.env.USERGROUP_MOCK_API_TOKEN).toBe("test-api-token");
      expect(seen.statusCode).toBe(200);
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
    });

    it("finds them in the variables of --set", () => {
      const { A, B, C, USERGROUP_MOCK_URL: url } = seen.env;
      expect([A, B, C]).toEqual([`${url}/api`, "test-api-token:test-api-token", "as=it is"]);
    });

    it("keeps the rest of its environment, without the URL of an outer mock", () => {
      expect(seen.env.MINE).toBe("mine");
      expect(seen.env.USERGROUP_MOCK_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    });

    it("has a mock on a free port, not on that of USERGROUP_MOCK_PORT", () => {
      expect(new URL(seen.env.USERGROUP_MOCK_URL ?? "").port).not.toBe("1");
    });

    it("gets its arguments unchanged", () => {
      expect(seen.words).toEqual(words);
    });

    it("has the working directory of exec", () => {
      expect(seen.cwd).toBe(realpathSync(folder));
    });
  });

  it("prints to the output of exec, which adds nothing", async () => {
    const source = String.raw`process.stdout.write("no line end \u001b[1m\0 ü"); process.stderr.write("\r\nerr");`;
    expect(await runLongCli(around(source))).toEqual({
      code: 0,
      stdout: "no line end \u001b[1m\0 ü",
      stderr: "\r\nerr",
    });
  });

  it("can print more than the buffer of a pipe", async () => {
    const { stdout } = await runLongCli(around('process.stdout.write("x".repeat(1_000_000) + "end")'));
    expect(stdout).toHaveLength(1_000_003);
  });

  it("reads the standard input of exec", async () => {
    await using running = startCli(around("process.stdin.pipe(process.stdout)"), { stdio: "pipe" });
    running.child.stdin?.end("line 1\nline 2");
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(running.stdout()).toBe("line 1\nline 2");
  });
});

describe.concurrent("exec ends", () => {
  it.each(smoke([7, 0, 255]))("with the exit code %i of the command, and stops the server", async (code) => {
    const ended = await runLongCli(around(`${printUrl} process.exitCode = ${code}`));
    expect([ended.code, ended.stderr]).toEqual([code, ""]);
    await refused(ended.stdout.trim());
  });

  const killed: readonly [signal: string, code: number][] = [
    ["SIGKILL", 137],
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGABRT", 134],
  ];
  it.each(smoke(killed))("like a shell if %s killed the command, with %i", async (signal, code) => {
    const ended = await runLongCli(
      around(`${printUrl}
      process.kill(process.pid, "${signal}"); setInterval(() => {}, 1000)`),
    );
    expect(ended.code).toBe(code);
    await refused(ended.stdout.trim());
  });

  it("with the command, although one of its requests is pending", async () => {
    const source = `
      const req = require("node:http").request(process.env.USERGROUP_MOCK_URL + "/api/user", {
        method: "POST", headers: { "Content-Length": 100, Expect: "100-continue",
          Authorization: "Token test-api-token", "Content-Type": "application/json" } });
      req.on("continue", () => { ${printUrl} process.exit(4); }).flushHeaders();
    `;
    const { code, stdout } = await runLongCli(around(source));
    expect(code).toBe(4);
    await refused(stdout.trim());
  });

  it("with 127 and a message if there is no such command", async () => {
    const { code, stdout, stderr } = await runHere(["exec", "--", "no-such-command", "--flag"]);
    expect([code, stdout, stderr]).toEqual([
      127,
      "",
      "usergroup-mock: Command not found: no-such-command. Check its name and your PATH.\n",
    ]);
  });
});

describe.concurrent("exec of a command that cannot be run", () => {
  const long = "x".repeat(300);
  it.each([
    ["a path through a file", [join(import.meta.filename, "x")], "ENOTDIR"],
    ["a name that is too long", [long], "ENAMETOOLONG"],
  ])("ends with 127 and the reason: %s", async (_, command, why) => {
    const { code, stderr } = await runHere(["exec", "--", ...command]);
    expect([code, stderr]).toEqual([127, expect.stringContaining(`cannot be run: spawn ${why}`)]);
  });
});

describe.concurrent("a signal to exec", () => {
  const stubborn = `
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {
      console.log("got " + name);
      process.exit(5);
    });
    setInterval(() => {}, 1000);
    ${printUrl}
  `;

  it.each(smoke(["SIGTERM", "SIGINT", "SIGHUP"] as const))(
    "%s reaches the command, whose exit code counts",
    async (signal) => {
      await using running = startCli(around(stubborn));
      const url = await printed(running, /^(http:.*)\n/);
      running.child.kill(signal);
      expect(await running.exited).toEqual({ code: 5, signal: null });
      expect(running.stdout()).toBe(`${url}\ngot ${signal}\n`);
      expect(running.stderr()).toBe("");
      await refused(url);
    },
  );

  const signals: readonly [signal: NodeJS.Signals, code: number][] = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];
  it.each(smoke(signals))("%s ends a command without a handler, with %i", async (signal, code) => {
    await using running = startCli(around(`setInterval(() => {}, 1000); ${printUrl}`));
    const url = await printed(running, /^(http:.*)\n/);
    running.child.kill(signal);
    expect(await running.exited).toEqual({ code, signal: null });
    await refused(url);
  });

  it("does not stop the mock before the command has ended", async () => {
    const cleanUp = `
      process.on("SIGTERM", () => require("node:http").get(process.env.USERGROUP_MOCK_URL + "/__admin/health",
        (res) => { console.log("cleaned up", res.statusCode); process.exit(6); }));
      setInterval(() => {}, 1000);
      ${printUrl}
    `;
    await using running = startCli(around(cleanUp));
    await printed(running, /^(http:.*)\n/);
    running.child.kill("SIGTERM");
    expect(await running.exited).toEqual({ code: 6, signal: null });
    expect(running.stdout()).toContain("cleaned up 200\n");
  });
});

describe.concurrent("exec with flags of the server", () => {
  it("starts the mock with them", async () => {
    const fixtures = join(folder, "groups.json");
    const groups = [{ team_id: 9, provided_id: "a", name: "A" }];
    writeFileSync(
      fixtures,
      JSON.stringify({ teams: [{ team_id: 9, api_tokens: ["nine"] }], user_groups: groups }),
    );
    const source = `
      const { get } = require("node:http");
      const show = (path) => get(process.env.URL_OF_IT + "/__admin/" + path, async (res) => console.log(
        Buffer.concat(await res.toArray()).toString()));
      console.log(process.env.USERGROUP_MOCK_API_TOKEN);
      show("state"); show("assumptions");
    `;
    const flags = ["--fixtures", fixtures, "--assume", "old-token=accepted", "--set", "URL_OF_IT={url}"];
    const { code, stdout } = await runLongCli(around(source, ...flags));
    expect(stdout).toMatch(/^nine\n/);
    expect(stdout).toContain('"provided_id":"a"');
    expect(stdout).not.toContain("example_1");
    const { assumptions } = JSON.parse(
      stdout.split("\n").find((line) => line.startsWith('{"assumptions"')) ?? "",
    );
    expect(assumptions).toContainEqual(expect.objectContaining({ id: "old-token", value: "accepted" }));
    expect(code).toBe(0);
  });

  it("keeps the exit code of the command if its output is closed", async () => {
    const source = `
      const send = () => require("node:http").get(process.env.USERGROUP_MOCK_URL + "/nowhere", (res) => res.resume());
      let sent = 0;
      const timer = setInterval(() => (++sent < 10 ? send() : (clearInterval(timer), process.exit(7))), 30);
    `;
    await using running = startCli(around(source, "--log", "json"));
    await vi.waitFor(() => expect(running.stderr()).toContain('"path":"/nowhere"'), { timeout: 30_000 });
    running.child.stderr?.destroy();
    expect(await running.exited).toEqual({ code: 7, signal: null });
    expect(running.stdout()).toBe("");
  });

  it("logs to standard error, because standard output belongs to the command", async () => {
    const source =
      'console.log("mine"); require("node:http").get(process.env.USERGROUP_MOCK_URL + "/nowhere", (res) => res.resume())';
    const { stdout, stderr } = await runLongCli(around(source, "--log", "json"));
    expect(stdout).toBe("mine\n");
    expect(JSON.parse(stderr)).toMatchObject({ path: "/nowhere", status: 404 });
  });

  it.each([
    ["missing fixtures", ["--fixtures", "no-such-file.json"], "no-such-file.json"],
    ["an unknown assumption", ["--assume", "old-tokn=accepted"], "did you mean old-token?"],
    ["an unknown flag", ["--prot", "1"], "did you mean --port?"],
    ["a --set without a name", ["--set", "{url}"], "--set must be name=value"],
    ["a --set without a value", ["--set", "NAME"], "--set must be name=value"],
  ])("does not run the command with %s", async (_, flags, words) => {
    const { code, stdout, stderr } = await runHere(around('console.log("ran")', ...flags));
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([1, ""]);
  });
});

describe.concurrent("exec without a command", () => {
  it.each([
    ["at all", ["exec"], "exec needs a command after --, such as usergroup-mock exec -- npm test."],
    ["after --", ["exec", "--"], "exec needs a command after --"],
    ["after --, but before", ["exec", "npm", "test"], "Put the command after --: exec -- npm test"],
  ])("explains how to pass one: none %s", async (_, args, words) => {
    const { code, stdout, stderr } = await runHere(args);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stderr).toContain(words);
    expect([code, stdout]).toEqual([1, ""]);
  });
});
