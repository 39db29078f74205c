import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { call } from "../call.js";
import { runHere } from "../cli/run-here.js";
import { type CliProcess, runCli, startCli } from "../cli-process.js";
import { smoke } from "../long.js";
import { patience } from "../patience.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-exec-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = process.execPath;
/** `exec` around a program of this source. */
const around = (source: string, ...flags: string[]) => ["exec", ...flags, "--", node, "-e", source];

const isClosed = (url: string) =>
  expect(call("GET", `${url}/__admin/health`)).rejects.toThrow("ECONNREFUSED");

/** Waits until the output of the command matches `pattern`. */
const printed = (running: CliProcess, pattern: RegExp) =>
  // Long, because a failure here leaves a command running that the test then waits for.
  vi.waitFor(() => pattern.exec(running.stdout())?.[1] ?? expect.fail(running.stderr()), patience);

describe.concurrent("the command of exec", () => {
  it.each(smoke(["SIGTERM", "SIGINT", "SIGHUP"] as const))(
    "does not start after %s, and leaves no run folder behind",
    async (signal) => {
      const temporary = mkdtempSync(join(folder, "tmp-"));
      const env = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
      // The mock waits for its fixture, which is a FIFO.
      const fixture = join(folder, `${signal}.json`);
      execFileSync("mkfifo", [fixture]);
      await using running = startCli(around("console.log('started')", "--fixtures", fixture), { env });
      await vi.waitFor(() => expect(readdirSync(temporary)).toHaveLength(1), patience);
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

  it("has the URL, the API token, the variables of --set, its arguments and the working directory", async () => {
    const words = ["", "a b", "007", "1e3", "--port", "9", "--", "--set=x", "--help", "$HOME", "{url}"];
    const source = `
      const { env, argv } = process;
      require("node:http").get(env.USERGROUP_MOCK_URL + "/__admin/health", ({ statusCode }) => {
        console.log(JSON.stringify({ env, cwd: process.cwd(), words: argv.slice(1), statusCode }));
        process.exit();
      });`;
    const set = ["--set", "A={url}/api", "--set", "B={apiToken}:{apiToken}", "--set", "C=as=it is"];
    const outer = { USERGROUP_MOCK_URL: "http://outer.example", USERGROUP_MOCK_PORT: "1", MINE: "mine" };
    const env = { ...process.env, ...outer };
    const ended = await runCli([...around(source, ...set), "--", ...words], { cwd: folder, env });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const seen = JSON.parse(ended.stdout);
    expect([seen.words, seen.cwd, seen.statusCode]).toEqual([words, realpathSync(folder), 200]);
    const { USERGROUP_MOCK_URL: url } = seen.env;
    // A free port, not that of USERGROUP_MOCK_PORT.
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d{2,}$/);
    expect(seen.env).toMatchObject({
      USERGROUP_MOCK_API_TOKEN: "test-api-token",
      A: `${url}/api`,
      B: "test-api-token:test-api-token",
      C: "as=it is",
      MINE: "mine",
    });
  });

  it("has the standard input and output of exec, which reads and adds nothing", async () => {
    const source = String.raw`printf 'no line end \033[1m\0 ü\n'; printf '\r\nerr' >&2; cat`;
    // The mock would read the standard input to notice the end of its parent.
    const env = { ...process.env, USERGROUP_MOCK_EXIT_WITH_PARENT: "true" };
    await using running = startCli(["exec", "--", "sh", "-c", source], { stdio: "pipe", env });
    running.child.stdin?.end("line 1\nline 2");
    expect(await running.exited).toEqual({ code: 0, signal: null });
    expect(running.stdout()).toBe("no line end \u001b[1m\0 ü\nline 1\nline 2");
    expect(running.stderr()).toBe("\r\nerr");
  });
});

describe.concurrent("exec ends", () => {
  it.each(smoke([7, 0, 255]))("with the exit code %i of the command, and stops the server", async (code) => {
    const ended = await runCli(["exec", "--", "sh", "-c", `echo $USERGROUP_MOCK_URL; exit ${code}`]);
    expect([ended.code, ended.stderr]).toEqual([code, ""]);
    await isClosed(ended.stdout.trim());
  });

  const killed: readonly [signal: string, code: number][] = [
    ["SIGKILL", 137],
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGABRT", 134],
  ];
  it.each(smoke(killed))("like a shell if %s killed the command, with %i", async (signal, code) => {
    const source = `echo $USERGROUP_MOCK_URL; kill -${signal.slice(3)} $$`;
    const ended = await runCli(["exec", "--", "sh", "-c", source]);
    expect(ended.code).toBe(code);
    await isClosed(ended.stdout.trim());
  });

  it("with 127 and a message if there is no such command, or it cannot be run", async () => {
    const { code, stdout, stderr } = await runHere(["exec", "--", "no-such-command", "--flag"]);
    expect([code, stdout, stderr]).toEqual([
      127,
      "",
      "usergroup-mock: Command not found: no-such-command. Check its name and your PATH.\n",
    ]);
    const throughFile = await runHere(["exec", "--", join(import.meta.filename, "x")]);
    expect(throughFile).toMatchObject({ code: 127, stderr: expect.stringContaining("spawn ENOTDIR") });
  });
});

describe.concurrent("a signal to exec", () => {
  /** It uses the mock before it exits. */
  const cleanUp = `
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () =>
      require("node:http").get(process.env.USERGROUP_MOCK_URL + "/__admin/health", ({ statusCode }) => {
        console.log("got " + name + ", " + statusCode);
        process.exit(5);
      }));
    setInterval(() => {}, 1000);
    console.log(process.env.USERGROUP_MOCK_URL);
  `;

  it.each(smoke(["SIGTERM", "SIGINT", "SIGHUP"] as const))(
    "%s reaches the command, whose exit code counts, and stops the mock when the command has ended",
    async (signal) => {
      await using running = startCli(around(cleanUp));
      const url = await printed(running, /^(http:.*)\n/);
      running.child.kill(signal);
      expect(await running.exited).toEqual({ code: 5, signal: null });
      expect(running.stdout()).toBe(`${url}\ngot ${signal}, 200\n`);
      expect(running.stderr()).toBe("");
      await isClosed(url);
    },
  );
});

describe.concurrent("exec with flags of the server", () => {
  it("logs to standard error, and keeps the exit code of the command if that is closed", async () => {
    const source = `
      console.log("mine");
      const send = () => require("node:http").get(process.env.USERGROUP_MOCK_URL + "/nowhere", (res) => res.resume());
      let sent = 0;
      const timer = setInterval(() => (++sent < 10 ? send() : (clearInterval(timer), process.exit(7))), 30);
    `;
    await using running = startCli(around(source, "--log", "json"));
    await vi.waitFor(() => expect(running.stderr()).toContain("\n"), patience);
    running.child.stderr?.destroy();
    expect(await running.exited).toEqual({ code: 7, signal: null });
    expect(running.stdout()).toBe("mine\n");
    const [line = ""] = running.stderr().split("\n");
    expect(JSON.parse(line)).toMatchObject({ path: "/nowhere", status: 404 });
  });

  it.each([
    ["missing fixtures", ["--fixtures", "no-such-file.json"], "no-such-file.json"],
    ["a --set without a name", ["--set", "{url}"], "--set must have names of environment variables"],
  ])("does not run the command with %s, and leaves no run folder behind", async (_, flags, words) => {
    const TMPDIR = mkdtempSync(join(folder, "tmp-"));
    const { code, stdout, stderr } = await runHere(around('console.log("ran")', ...flags), {
      env: { TMPDIR },
    });
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect([code, stdout]).toEqual([1, ""]);
  });
});

describe.concurrent("exec without a command", () => {
  it.each([
    ["at all", ["exec"], "exec needs a command after --, such as usergroup-mock exec -- npm test."],
    ["after --, but before", ["exec", "npm", "test"], "Put the command after --: exec -- npm test"],
  ])("explains how to pass one: none %s", async (_, args, words) => {
    const { code, stdout, stderr } = await runHere(args);
    expect(stderr).toMatch(/^usergroup-mock: .+\n$/);
    expect(stderr).toContain(words);
    expect([code, stdout]).toEqual([1, ""]);
  });
});
