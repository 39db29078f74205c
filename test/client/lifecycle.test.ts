import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
import type { MockOptions } from "../../src/generated/types.js";
import { call, getOrCreate } from "../call.js";
import { callInFlight } from "../call-in-flight.js";
import { certificate } from "../certificate.js";
import { runNode } from "../cli-process.js";
import { rejectionOf } from "../fake/world/rejection.js";
import { seededToken } from "../seeded.js";

const folder = mkdtempSync(join(tmpdir(), "usergroup-mock-lifecycle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const group = { user_group_id: "a", name: "A" };
const portOf = (url: string) => Number(new URL(url).port);

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work;
  return performance.now() - began;
}

describe("startMock", () => {
  it.each([5, "4010", null, []])("rejects options that are not an object: %j", async (options) => {
    await expect(Reflect.apply(startMock, undefined, [options])).rejects.toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("needs an object of options"),
    });
  });

  it("installs no handlers on the process", async () => {
    const handlers = () =>
      Object.fromEntries(process.eventNames().map((name) => [name, process.listenerCount(name)]));
    const before = handlers();
    const mock = await startMock();
    expect(handlers()).toEqual(before);
    await mock.stop();
    expect(handlers()).toEqual(before);
  });
});

describe.concurrent("a program that starts a mock", () => {
  const dist = join(import.meta.dirname, "../../dist");
  const body = `
    const mock = await startMock(JSON.parse(process.argv[1]));
    const { status } = await (await fetch(mock.url + "/__admin/health")).json();
    await mock.stop();
    console.log(status);
  `;
  const esm = `import { startMock } from ${JSON.stringify(join(dist, "esm/index.js"))};${body}`;
  const commonJs = `const { startMock } = require(${JSON.stringify(join(dist, "cjs/index.js"))});(async () => {${body}})();`;

  it.each([
    ["an ES module", ["--input-type=module", "-e", esm], {}],
    ["CommonJS, with exitWithParent", ["-e", commonJs], { exitWithParent: true }],
  ])("exits after stop(): %s", async (_, args, options) => {
    // An open standard input, as in a terminal, must not keep the program running.
    const ended = await runNode([...args, JSON.stringify(options)], { stdio: "pipe" });
    expect(ended).toEqual({ code: 0, stdout: "ok\n", stderr: "" });
  });

  it("exits after unref() without stop(), once its requests have responses", async () => {
    const forgetful = `
      const { startMock } = require(${JSON.stringify(join(dist, "cjs/index.js"))});
      (async () => {
        const mock = await startMock();
        mock.unref();
        console.log((await fetch(mock.url + "/__admin/health")).status);
      })();`;
    expect(await runNode(["-e", forgetful])).toEqual({ code: 0, stdout: "200\n", stderr: "" });
  });

  it("exits after stop() while a request is delayed for ten minutes", async () => {
    const delaying = `
      const { startMock } = require(${JSON.stringify(join(dist, "cjs/index.js"))});
      (async () => {
        const mock = await startMock();
        const delay = await mock.fault({ delayMs: 600_000 });
        const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json" };
        const body = JSON.stringify({ current_token: ${JSON.stringify(seededToken)} });
        const response = fetch(mock.url + "/api/user", { method: "POST", headers, body });
        while ((await delay.fired()) === 0) await new Promise(setImmediate);
        await mock.stop();
        console.log((await response).status);
      })();`;
    expect(await runNode(["-e", delaying])).toEqual({ code: 0, stdout: "503\n", stderr: "" });
  });
});

const protocols: [name: string, options: MockOptions, ca: string | undefined][] = [
  ["http", {}, undefined],
  ["https", { tlsCert: certificate.cert, tlsKey: certificate.key }, certificate.pem],
];

/** On a busy machine, the tenth of a second to spare may not be enough. */
const measuresTime = { retry: 2 };

describe.each(protocols)("stop over %s", (_, options, ca) => {
  const callOptions = ca === undefined ? {} : { ca };

  /** A connection that the mock has accepted, and a promise that resolves when it closes. */
  async function connection(mock: Mock): Promise<{ socket: Socket; closed: Promise<unknown> }> {
    const at = { host: "127.0.0.1", port: portOf(mock.url) };
    const socket = ca === undefined ? connectPlain(at) : connectTls({ ...at, ca });
    // The mock may close it with FIN or RST.
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await once(socket, ca === undefined ? "connect" : "secureConnect");
    return { socket, closed };
  }

  const silent = connection;

  async function halfSentHeaders(mock: Mock) {
    const half = await connection(mock);
    half.socket.write("POST /api/user HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le");
    // Connections are accepted and read in order: once a later one has its response, this one has been read.
    await call("GET", `${mock.url}/__admin/health`, undefined, callOptions);
    return half;
  }

  async function keptAlive(mock: Mock) {
    const idle = await connection(mock);
    idle.socket.write("GET /__admin/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    expect(String((await once(idle.socket, "data"))[0])).toContain("200 OK");
    return idle;
  }

  async function withoutHandshake(mock: Mock) {
    const socket = connectPlain({ host: "127.0.0.1", port: portOf(mock.url) });
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await once(socket, "connect");
    return { socket, closed };
  }

  it.each([
    ["nothing is connected", []],
    ["there are many of each", [silent, keptAlive, halfSentHeaders, withoutHandshake, keptAlive, silent]],
  ])("takes less than 800 ms when %s", measuresTime, async (_case, kinds) => {
    const mock = await startMock(options);
    const connections = await Promise.all(kinds.map((kind) => kind(mock)));
    // Less than the time for requests in flight.
    expect(await millisecondsOf(mock.stop())).toBeLessThan(800);
    await Promise.all(connections.map(({ closed }) => closed));
    await expect(connection(mock)).rejects.toThrow("ECONNREFUSED");
  });

  it(
    "waits for the responses of several requests in flight, and closes idle connections, within a second",
    measuresTime,
    async () => {
      const mock = await startMock(options);
      const idle = await Promise.all(
        [silent, keptAlive, halfSentHeaders, keptAlive].map((kind) => kind(mock)),
      );
      const inFlight = await Promise.all(
        ["a", "b", "c"].map((id) =>
          callInFlight("GET", mock.url, { user_group_id: id, name: id }, callOptions),
        ),
      );
      const stopped = millisecondsOf(mock.stop());
      const responses = await Promise.all(inFlight.map((one) => one.finish()));
      expect(responses.map(({ body }) => body.user_group.provided_id)).toEqual(["a", "b", "c"]);
      expect(responses.map(({ headers }) => headers.connection)).toEqual(["close", "close", "close"]);
      expect(await stopped).toBeLessThan(1_000);
      await Promise.all([...idle, ...inFlight].map(({ closed }) => closed));
    },
  );

  it("sends the whole of a long response to a client that reads slowly", measuresTime, async () => {
    const name = "x".repeat(90_000);
    const user_groups = Array.from({ length: 100 }, (_, n) => ({ team_id: 1, provided_id: `${n}`, name }));
    const mock = await startMock({
      ...options,
      fixtures: { teams: [{ team_id: 1, api_tokens: ["t"] }], user_groups },
    });
    const { socket, closed } = await connection(mock);
    let received = 0;
    let end = "";
    socket.on("data", (bytes: Buffer) => {
      received += bytes.length;
      end = (end + bytes.toString("latin1")).slice(-20);
    });
    socket.write("GET /__admin/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await once(socket, "data");
    socket.pause();
    const stopped = millisecondsOf(mock.stop());
    await setTimeout(50);
    socket.resume();
    await closed;
    expect(received).toBeGreaterThan(9_000_000);
    expect(end).toMatch(/\]\}$/);
    expect(await stopped).toBeLessThan(1_000);
  });

  it("aborts a request that never completes, within a second", measuresTime, async () => {
    const mock = await startMock(options);
    const inFlight = await callInFlight("POST", mock.url, { current_token: seededToken }, callOptions);
    expect(await millisecondsOf(mock.stop())).toBeLessThan(1_000);
    await inFlight.closed;
  });

  it("returns the same promise each time", async () => {
    const mock = await startMock(options);
    const inFlight = await callInFlight("POST", mock.url, { current_token: seededToken }, callOptions);
    const first = mock.stop();
    expect(mock.stop()).toBe(first);
    expect((await inFlight.finish()).status).toBe(200);
    await first;
    expect(mock.stop()).toBe(first);
    await mock[Symbol.asyncDispose]();
  });

  it("frees the port at once, whatever the state of its connections", async () => {
    const mock = await startMock(options);
    await Promise.all([silent, keptAlive, halfSentHeaders].map((kind) => kind(mock)));
    await getOrCreate(mock.url, group, callOptions);
    await mock.stop();
    await using next = await startMock({ ...options, port: portOf(mock.url) });
    expect(next.url).toBe(mock.url);
    const { body } = await getOrCreate(next.url, group, callOptions);
    expect(body.new_user_group).toBe(true);
  });
});

describe("connectMock over https", () => {
  it("works with a certificate in NODE_EXTRA_CA_CERTS", async () => {
    const { cert, key } = certificate;
    await using mock = await startMock({ tlsCert: cert, tlsKey: key });
    await mock.fault({ status: 503 });
    const index = join(import.meta.dirname, "../../dist/cjs/index.js");
    const program = `require(${JSON.stringify(index)}).connectMock(process.argv[1]).then((world) => world.reset())`;
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert };
    expect(await runNode(["-e", program, mock.url], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await mock.faults()).toEqual([]);
  });

  it("rejects an untrusted certificate, and explains how to trust it", async () => {
    await using mock = await startMock({ tlsCert: certificate.cert, tlsKey: certificate.key });
    const { code, message } = await rejectionOf(connectMock(mock.url));
    expect(code).toBe("unreachable");
    // Node 24 adds its own advice to the reason.
    expect(message.replace(/certificate;[^)]*\)/, "certificate)")).toBe(
      `The certificate of ${mock.url} is not trusted (self-signed certificate). Set NODE_EXTRA_CA_CERTS to its file when you start Node.`,
    );
  });
});

describe("a mock that was stopped", () => {
  it("rejects every method call with the code stopped", async () => {
    const mock = await startMock();
    const world = mock.world("w");
    await mock.stop();
    const controls = [
      mock.reset(),
      mock.state(),
      mock.fault({ status: 503 }),
      mock.requests(),
      mock.waitForRequest({ timeoutMs: 1 }),
      mock.saveReport(join(folder, "of-a-stopped-mock.html")),
      world.groups(),
      world.drop(),
    ];
    for (const rejected of await Promise.allSettled(controls)) {
      expect(rejected).toMatchObject({
        reason: { code: "stopped", message: expect.stringContaining("stopped") },
      });
    }
  });
});
