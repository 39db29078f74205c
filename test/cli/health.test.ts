import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { certificate } from "../certificate.js";
import { bin, type Ended, runCli, runNode } from "../cli-process.js";
import { runHere } from "./run-here.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-health-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it in a folder without a config file. */
const health = (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, cwd = folder) =>
  runHere(["health", ...args], { cwd, env });

const portOf = (url: string) => new URL(url).port;

function expectHealthy(ended: Ended, url: string): void {
  const stdout = `usergroup-mock is ready at ${url}.\n`;
  expect(ended).toEqual({ code: 0, stdout, stderr: "" });
}

function expectUnhealthy({ code, stdout, stderr }: Ended, words: string | RegExp): void {
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^usergroup-mock: [^\n]+\n$/);
  expect(stderr).toMatch(words);
}

async function listening(server: Server): Promise<AsyncDisposable & { readonly url: string }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

describe("health succeeds", () => {
  it("at the URL of a mock or of a world, and does not create the world", async () => {
    await using mock = await startMock();
    expectHealthy(await health(["--url", mock.url]), mock.url);
    expectHealthy(await health(["--url", `${mock.url}/worlds/w3/`]), `${mock.url}/worlds/w3`);
    expect((await mock.worlds()).map(({ name }) => name)).not.toContain("w3");
  });

  it("at the port of a flag, an environment variable or a config file", async () => {
    await using mock = await startMock();
    const port = portOf(mock.url);
    expectHealthy(await health(["--port", port]), mock.url);
    expectHealthy(await health([], { USERGROUP_MOCK_PORT: port }), mock.url);
    const cwd = mkdtempSync(join(folder, "configured-"));
    writeFileSync(join(cwd, "usergroup-mock.config.json"), JSON.stringify({ port: Number(port) }));
    expectHealthy(await health([], {}, cwd), mock.url);
    await using everywhere = await startMock({ host: "0.0.0.0" });
    const flags = ["--port", portOf(everywhere.url), "--host", "0.0.0.0"];
    expectHealthy(await health(flags), `http://127.0.0.1:${portOf(everywhere.url)}`);
  });

  it("if the mock requires its admin token", async () => {
    await using mock = await startMock({ adminToken: "open-sesame-7f3a" });
    expectHealthy(await health(["--url", mock.url]), mock.url);
  });

  it("over HTTPS with an untrusted certificate", async () => {
    const { cert: tlsCert, key: tlsKey } = certificate;
    await using mock = await startMock({ tlsCert, tlsKey, host: "127.0.0.2" });
    expectHealthy(await health(["--url", mock.url]), mock.url);
    const env = { USERGROUP_MOCK_TLS_CERT: tlsCert, USERGROUP_MOCK_TLS_KEY: tlsKey };
    expectHealthy(await health(["--host", "127.0.0.2", "--port", portOf(mock.url)], env), mock.url);
  });

  it("under exec, at the URL of its mock", async () => {
    const { code, stdout } = await runCli(["exec", "--", process.execPath, bin, "health"], {
      cwd: folder,
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^usergroup-mock is ready at http:/)]);
  });
});

describe.concurrent("health --wait", () => {
  it("succeeds if a mock starts later, even after another server at that address", async () => {
    const other = createHttpServer((_, res) => res.writeHead(503).end());
    let url: string;
    let waiting: Promise<Ended>;
    {
      await using server = await listening(other);
      url = server.url;
      waiting = health(["--url", url, "--wait", "50"]);
      await once(other, "request");
      other.closeAllConnections();
    }
    await using mock = await startMock({ port: Number(portOf(url)) });
    expectHealthy(await waiting, mock.url);
  });

  it("fails after that time, with the failure of the last request", async () => {
    const ended = await health(["--port", "1", "--wait", "1"]);
    expectUnhealthy(ended, /GET http:.* failed: .*ECONNREFUSED.*\. Start a mock/);
  });

  it.each(["0", "soon"])("rejects %s as a number of seconds", async (wait) => {
    expectUnhealthy(
      await health([`--wait=${wait}`]),
      `--wait must be a number from 1 to 100000 (given: "${wait}").`,
    );
  });
});

it("a command that has nothing left to wait for fails, and prints that it has no result", async () => {
  const neverEnds = join(folder, "never-ends.cjs");
  writeFileSync(neverEnds, 'require("node:timers/promises").setTimeout = () => new Promise(() => {});');
  const args = ["-r", neverEnds, bin, "health", "--port", "1", "--wait", "9"];
  expectUnhealthy(await runNode(args, { cwd: folder }), "ended without a result");
});

describe.concurrent("health fails with one line", () => {
  it("if nothing listens at the port of a flag, although USERGROUP_MOCK_URL has a mock", async () => {
    await using mock = await startMock();
    const ended = await health(["--port", "1"], { USERGROUP_MOCK_URL: mock.url });
    expectUnhealthy(ended, /GET http:\/\/127\.0\.0\.1:1\/__admin\/health .*ECONNREFUSED.*Start a mock/);
    expectUnhealthy(await health(["--url", "http://localhost:1"]), "ECONNREFUSED");
  });

  it("if another server responds", async () => {
    const other = createHttpServer((_, res) => res.end('{"status":"ok"}'));
    await using server = await listening(other);
    expectUnhealthy(await health(["--url", server.url]), "returned status 200. This is not a usergroup-mock");
  });

  it.each([
    [
      "status 101",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      "has the status 101",
    ],
    ["no byte", "", "closed without a response"],
    ["bytes that are not HTTP", "SSH-2.0-x\r\n", "is not valid HTTP (Parse Error"],
  ])("if a server sends %s, also with --wait", async (_, bytes, words) => {
    const other = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(bytes));
    });
    await using server = await listening(other);
    // In a process of its own, which would end if nothing was left to wait for.
    for (const args of [[], ["--wait", "1"]]) {
      const ended = await runCli(["health", "--url", server.url, ...args], { cwd: folder });
      expectUnhealthy(ended, `GET ${server.url}/__admin/health failed: `);
      expect(ended.stderr).toContain(words);
    }
  });

  it.each([
    ["--port 0", ["--port", "0"], "health --url <url>"],
    ["an invalid URL", ["--url", "localhost:4010"], "health needs the URL"],
    ["credentials in the URL, without repeating them", ["--url", "http://user:hush@h"], /^(?!.*hush)/],
  ])("for %s", async (_, args, words) => {
    expectUnhealthy(await health(args), words);
  });
});
