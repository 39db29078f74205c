import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
import { timeouts } from "../../src/fake/server/listen.js";
import { getOrCreate } from "../call.js";
import { json, request } from "../fake/server/raw-table.js";

/** Limits that a test can wait for, and how often they are checked. */
const headersTimeout = 1_000;
const requestTimeout = 2_000;
const connectionsCheckingInterval = 20;

/** Much shorter than the limits. */
const pieceEveryMs = 20;

/** The clock of Node's timers and the one of this test may differ by a little. */
const early = 5;

let lastStart: Promise<unknown> = Promise.resolve();

/** Starts one mock after the other: a server takes the time-outs when it starts. */
function startWith(shorter: { headersTimeout: number; requestTimeout: number }): Promise<Mock> {
  const starting = lastStart.then(async () => {
    const usual = { ...timeouts };
    try {
      Object.assign(timeouts, { ...shorter, connectionsCheckingInterval });
      return await startMock();
    } finally {
      Object.assign(timeouts, usual);
    }
  });
  lastStart = starting;
  return starting;
}

interface Ended {
  readonly text: string;
  readonly ms: number;
}

/** Writes the first part, then piece by piece until the connection is closed. */
async function sendSlowly({ url }: Mock, first: string, pieces: Iterable<string>): Promise<Ended> {
  const { hostname, port } = new URL(url);
  // The server may count from the connection on.
  const began = performance.now();
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
  });
  // The connection may have just been closed.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  socket.write(first, "latin1");
  void trickle(socket, pieces);
  await closed;
  return { text, ms: performance.now() - began };
}

async function trickle(socket: Socket, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    await sleep(pieceEveryMs);
    if (!socket.writable) return;
    socket.write(piece);
  }
}

function* forever(piece: string): Generator<string> {
  for (;;) yield piece;
}

function expectTimeOut({ text, ms }: Ended, afterMs: number): void {
  expect(text).toBe("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
  expect(ms).toBeGreaterThan(afterMs - early);
}

const sent = request({ close: false }).toString();
const half = sent.slice(0, -json.length / 2);
const compressed = request({ more: ["Content-Encoding: gzip"], body: gzipSync(json), close: false });
const halfCompressed = compressed.toString("latin1").slice(0, -9);

describe("default timeouts", () => {
  it("are 10 s for headers and 30 s for a request, and none for an idle connection", () => {
    expect(timeouts).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 0,
    });
  });
});

describe.concurrent("a client with slow headers", () => {
  let mock: Mock;
  beforeAll(async () => {
    // The other limit is too long to be the one that is exceeded.
    mock = await startWith({ headersTimeout, requestTimeout: 600_000 });
  });
  afterAll(() => mock.stop());

  it.each([
    ["stops in the middle of its headers", "GET /api/user HTTP/1.1\r\nHost: loc", []],
    ["sends header after header", "GET /api/user HTTP/1.1\r\n", forever("X-Slow: a\r\n")],
    ["connects and sends one letter", "G", []],
  ] as const)("gets 408 if it %s", async (_, first, pieces) => {
    expectTimeOut(await sendSlowly(mock, first, pieces), headersTimeout);
  });
});

describe.concurrent("a slow client", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startWith({ headersTimeout, requestTimeout });
  });
  afterAll(() => mock.stop());

  /** Resolves when a request that starts now has timed out: then every earlier one could have timed out too. */
  const untilOneTimesOut = async () =>
    expectTimeOut(
      await sendSlowly(mock, half.replace("/api/user", "/worlds/other/api/user"), []),
      requestTimeout,
    );

  it.each([
    ["stops in the middle of its body", "half", half, []],
    [
      "sends chunks without end",
      "chunks",
      request({ length: ["Transfer-Encoding: chunked"], body: "1\r\n{\r\n", close: false }).toString(),
      forever("1\r\n \r\n"),
    ],
    ["stops in the middle of a compressed body", "compressed", halfCompressed, []],
  ] as const)("gets 408 if it %s", async (_, name, first, pieces) => {
    // Long enough that the body is never complete.
    const longer = first
      .replace("/api/user", `/worlds/${name}/api/user`)
      .replace(/Content-Length: \d+/, `Content-Length: ${json.length + 1_000}`);
    expectTimeOut(await sendSlowly(mock, longer, pieces), requestTimeout);
    await mock.world(name).waitForRequest();
    expect(await mock.world(name).requests()).toMatchObject([
      {
        outcome: "failure",
        response: null,
        cause: { message: expect.stringContaining("before the body of the request had arrived") },
      },
    ]);
    expect((await mock.world(name).health()).groups).toBe(5);
  });

  it("gets a response if all arrives in time", async () => {
    const closing = half.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const { text } = await sendSlowly(mock, closing, [sent.slice(half.length)]);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("can use a connection again after it was idle for longer than the timeout", async () => {
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    const ask = async () => {
      socket.write("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return String((await once(socket, "data"))[0]);
    };
    expect(await ask()).toContain("200 OK");
    await untilOneTimesOut();
    expect(await ask()).toContain("200 OK");
    socket.destroy();
  });

  it("gets the response after a fault held its request for longer than the timeout", async () => {
    const world = mock.world("held");
    const held = await world.hold();
    const calling = getOrCreate(world.url, { user_group_id: "a", name: "A" });
    await held.arrived();
    await untilOneTimesOut();
    await held.release();
    expect((await calling).body.new_user_group).toBe(true);
  });
});
