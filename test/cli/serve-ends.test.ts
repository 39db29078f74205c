import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { call, getOrCreate } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { bin, type CliProcess, startCli, startNode, startProgram } from "../cli-process.js";
import { freePort } from "../free-port.js";
import { smoke } from "../long.js";
import { needs, needsProc } from "../needs.js";
import { patience } from "../patience.js";
import { seededToken } from "../seeded.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-ends-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on("error", reject);
  });
}

/** The process has begun to stop once it refuses new connections. */
function refusesConnections(url: string): Promise<void> {
  return vi.waitFor(async () => {
    const socket = await connected(url).catch(() => undefined);
    socket?.destroy();
    expect(socket).toBeUndefined();
  }, patience);
}

describe.concurrent("a signal to serve", () => {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const;

  it.each(smoke(signals))(
    "%s closes idle connections, finishes pending requests and exits with %i",
    async (signal, code) => {
      await using cli = startCli(["--port", "0"]);
      const url = await cli.ready;
      const idle = await connected(url);
      const closed = new Promise((resolve) => idle.once("close", resolve));
      const inFlight = await callInFlight("POST", url, { current_token: seededToken });
      cli.child.kill(signal);
      await closed;
      await refusesConnections(url);
      const { status, body, headers } = await inFlight.finish();
      expect([status, body.success, body.user_group.provided_id]).toEqual([200, 1, "example_1"]);
      expect(headers.connection).toBe("close");
      expect(await cli.exited).toEqual({ code, signal: null });
      expect(cli.stderr()).toBe("");
    },
  );

  // The first one would have waited for the request. Retries on a busy machine.
  it("exits at once if another one follows, with the code of that one", { retry: 2 }, async () => {
    await using cli = startCli(["--port", "0"]);
    const url = await cli.ready;
    const inFlight = await callInFlight("POST", url, { current_token: seededToken });
    cli.child.kill("SIGTERM");
    await refusesConnections(url);
    cli.child.kill("SIGINT");
    expect(await cli.exited).toEqual({ code: 130, signal: null });
    await inFlight.closed;
  });

  it("stops it before it listens", async () => {
    const fixtures = join(folder, "fixtures.pipe");
    execFileSync("mkfifo", [fixtures]);
    await using cli = startCli(["--port", "0", "--fixtures", fixtures]);
    // Opens once the command line has opened the FIFO for reading.
    const ended = cli.exited.then(() => expect.fail(`it ended before: ${cli.stderr()}`));
    const writing = await Promise.race([open(fixtures, "w"), ended]);
    cli.child.kill("SIGTERM");
    await writing.writeFile('{"teams":[{"team_id":1,"api_tokens":["one"]}]}');
    await writing.close();
    expect(await cli.exited).toEqual({ code: 143, signal: null });
    expect(cli.stderr()).toBe("");
  });
});

describe("a server without free file handles", () => {
  it("keeps running, and serves again after connections are closed", async () => {
    const limited = ["-c", 'ulimit -n 60; exec "$@"', "sh", process.execPath, bin, "--port", "0"];
    await using cli = startProgram("sh", limited);
    const url = await cli.ready;
    const sockets = await Promise.all(Array.from({ length: 100 }, () => connected(url)));
    for (const socket of sockets) socket.on("error", () => {});
    const health = () => call("GET", `${url}/__admin/health`);
    // It has no handle left for a response, or to list the addresses of this machine.
    await expect(health()).rejects.toThrow();
    const [first] = sockets;
    first?.write("GET /api/user HTTP/1.1\r\nHost: 198.51.100.7\r\n\r\n");
    expect(String((await once(first ?? expect.fail(), "data"))[0])).toMatch(/^HTTP\/1\.1 403 /);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await health()).status).toBe(200), patience);
    expect([cli.child.exitCode, cli.stderr()]).toEqual([null, ""]);
  });
});

describe.concurrent("serve without its parent", () => {
  const parent = `
    const { spawn } = require("node:child_process");
    const [bin, ...args] = process.argv.slice(1);
    const mock = spawn(process.execPath, [bin, ...args], { stdio: ["pipe", "inherit", "inherit"] });
    console.log("pid " + mock.pid);
    setInterval(() => {}, 60_000);
  `;

  it.each([
    ["--exit-with-parent", ["--exit-with-parent"], undefined],
    // npx does not forward signals. npm writes the script in quotes, npx -c without them.
    ["npx", [], "'usergroup-mock'"],
    ["npx -c", [], "usergroup-mock --port 0"],
  ])("stops after its parent was killed: %s", async (_, args, script) => {
    const env = {
      ...process.env,
      ...(script && { npm_lifecycle_event: "npx", npm_lifecycle_script: script }),
    };
    await using running = startNode(["-e", parent, bin, "--port", "0", ...args], { env });
    const url = await running.ready;
    const pid = Number(/^pid (\d+)$/m.exec(running.stdout())?.[1]);
    try {
      expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
      running.child.kill("SIGKILL");
      // The mock shares the output of its parent, so both must have exited.
      expect(await endOf(running)).toBe("exited");
    } finally {
      killIfAlive(pid);
    }
  });

  it("keeps running if npx ran another command that started it", async () => {
    const env = { ...process.env, npm_lifecycle_event: "npx", npm_lifecycle_script: "concurrently x" };
    await using running = startNode(["-e", parent, bin, "--port", "0"], { env });
    const url = await running.ready;
    const pid = Number(/^pid (\d+)$/m.exec(running.stdout())?.[1]);
    try {
      running.child.kill("SIGKILL");
      await setTimeout(600);
      expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
    } finally {
      killIfAlive(pid);
    }
  });

  /** What npx does: it starts a shell, which starts the mock. */
  const npx = `
    const { spawn } = require("node:child_process");
    const [command, bin] = process.argv.slice(1);
    const env = { ...process.env, NPX: process.pid, MOCK: process.execPath + " " + bin + " --port 0" };
    spawn("sh", ["-c", command], { stdio: "inherit", env });
    setInterval(() => {}, 60_000);
  `;
  const ofNpx = { ...process.env, npm_lifecycle_event: "npx", npm_lifecycle_script: "'usergroup-mock'" };
  /** With something after the mock, a shell does not replace itself by it. */
  const inShell = "$MOCK; exit $?";
  const afterNpx = "echo waits; while kill -0 $NPX; do :; done";

  it("stops when npx is killed and its shell lives on", async (context) => {
    needsProc(context);
    await using running = startNode(["-e", npx, inShell, bin], { env: ofNpx, detached: true });
    expect((await call("GET", `${await running.ready}/__admin/health`)).status).toBe(200);
    running.child.kill("SIGKILL");
    const end = await endOf(running);
    killGroup(running.child.pid);
    expect(end).toBe("exited");
  });

  it.for([
    ["its shell lives on", `${afterNpx}; ${inShell}`],
    ["its shell too", `${afterNpx}; $MOCK &`],
  ])("does not start when npx has ended before, and %s", async ([, command = ""], context) => {
    needsProc(context);
    await using running = startNode(["-e", npx, command, bin], { env: ofNpx, detached: true });
    await vi.waitUntil(() => running.stdout().includes("waits"), patience);
    running.child.kill("SIGKILL");
    const result = await running.ready.then(
      () => "listens",
      () => "exited",
    );
    killGroup(running.child.pid);
    expect(result).toBe("exited");
  });

  it("keeps running in a process group of its own if exec below npx ran the command that started it", async () => {
    const command = `
      const { spawn } = require("node:child_process");
      const mock = spawn(process.execPath, [process.argv[1], "--port", "0"], { detached: true });
      mock.stdout.on("data", (text) => {
        process.stdout.write(text);
        if (String(text).includes("listening on")) mock.kill();
      });
    `;
    const args = ["exec", "--", process.execPath, "-e", command, bin];
    await using running = startCli(args, { env: ofNpx });
    expect(await running.exited).toMatchObject({ code: 0 });
    expect(running.stdout()).toContain("listening on");
  });

  it.for<[string, string[]]>([
    ["process 1", [bin, "--port", "0"]],
    ["a child of npx as process 1", ["-e", npx, "exec $MOCK", bin]],
    ["a child of the shell of npx as process 1", ["-e", npx, inShell, bin]],
  ])("keeps running in a container as %s", async ([, args], context) => {
    needs(context, "unshare as root");
    const isolated = ["--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc", process.execPath];
    await using running = startProgram("unshare", [...isolated, ...args], { env: ofNpx });
    const url = await running.ready;
    await setTimeout(600);
    expect((await call("GET", `${url}/__admin/health`)).status).toBe(200);
  });

  it("finishes pending requests with --exit-with-parent, and exits with 0", async () => {
    await using cli = startCli(["--port", "0", "--exit-with-parent"], { stdio: "pipe" });
    const url = await cli.ready;
    const inFlight = await callInFlight("POST", url, { current_token: seededToken });
    cli.child.stdin?.end();
    await refusesConnections(url);
    expect((await inFlight.finish()).status).toBe(200);
    expect(await cli.exited).toEqual({ code: 0, signal: null });
  });
});

/** Before the test would time out, so that what still runs can be killed. */
function endOf({ exited }: CliProcess): Promise<"exited" | "alive"> {
  return Promise.race([
    exited.then(() => "exited" as const),
    setTimeout(patience.timeout, "alive" as const, { ref: false }),
  ]);
}

/** Ends the process group of a program that was started detached. */
function killGroup(pid = 0): void {
  if (pid > 0) killIfAlive(-pid);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

describe.concurrent("a reader of the output of serve", () => {
  it("does not stop the server when it closes the pipe before the ready line", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await using cli = startCli(["--port", String(port), "--log", "json"]);
    cli.child.stdout?.destroy();
    cli.child.stderr?.destroy();
    await vi.waitFor(() => call("GET", `${url}/__admin/health`), patience);
    // Each request logs a line to the closed pipe.
    for (let n = 0; n < 20; n++)
      expect((await getOrCreate(url, { user_group_id: "example_1" })).status).toBe(200);
    cli.child.kill("SIGTERM");
    expect(await cli.exited).toEqual({ code: 143, signal: null });
  });

  it("does not block the server if it reads nothing", async () => {
    await using cli = startCli(["--port", "0", "--log", "json"]);
    const url = await cli.ready;
    cli.child.stdout?.pause();
    const path = `${url}${"/x".repeat(7_500)}`;
    // About 3 MB of log: more than the buffers of the pipe and of the server.
    for (let n = 0; n < 200; n++) expect((await call("GET", path)).status).toBe(404);
    cli.child.stdout?.resume();
    const linesOf = () =>
      cli
        .stdout()
        .split("\n")
        .filter((line) => line.includes('"/x'));
    await vi.waitFor(() => expect(linesOf()).toHaveLength(200), patience);
  });
});
