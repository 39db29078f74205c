import { once } from "node:events";
import { ClientRequest } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "../../src/http/listen.js";
import { connectMock } from "../../src/index.js";
import { startServer } from "../../src/mock/start-server.js";
import type { Mock } from "../../src/mock/world.js";
import { resolveOptions } from "../../src/options/resolve-options.js";
import { call, getOrCreate } from "../call.js";
import { openEvents } from "../world/event-stream.js";
import { json, request } from "./raw-table.js";

/** The limits that a test can wait for, and how often it is looked whether they are over. */
const headersTimeout = 300;
const requestTimeout = 1_000;
const connectionsCheckingInterval = 20;

/** Pieces come so often that no two of them are as far apart as a limit is long. */
const pieceEveryMs = 20;

/** Node's clock and the one that is looked at here may differ by a little. */
const early = 5;

async function startWith(limits: { headersTimeout: number; requestTimeout: number }): Promise<Mock> {
  const settings = await resolveOptions([{ place: "startMock", options: {} }], "embedded");
  return (await startServer(settings, undefined, { ...limits, connectionsCheckingInterval })).mock;
}

interface Ended {
  readonly text: string;
  readonly ms: number;
}

/** Writes the first part, then piece by piece until the connection is closed. */
async function dawdle({ url }: Mock, first: string, pieces: Iterable<string>): Promise<Ended> {
  const { hostname, port } = new URL(url);
  // The server may count from the connection on.
  const began = performance.now();
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
  });
  // A piece can meet a connection that has just been closed.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  socket.write(first);
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
  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toEqual({
    error: { code: "invalid_http", message: expect.stringContaining("did not arrive whole in time") },
  });
  expect(ms).toBeGreaterThan(afterMs - early);
}

const sent = request({ close: false }).toString();
const half = sent.slice(0, -json.length / 2);

describe("the time that a caller has", () => {
  it("is 10 s for its headers and 30 s for all of its call, and an idle connection is never closed", () => {
    expect(defaultLimits).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 0,
    });
  });
});

describe.concurrent("a caller whose headers are slow", () => {
  let mock: Mock;
  beforeAll(async () => {
    // The other limit is too far away to be the one that was met.
    mock = await startWith({ headersTimeout, requestTimeout: 600_000 });
  });
  afterAll(() => mock.stop());

  it.each([
    ["whose headers stop in the middle", "GET /api/user HTTP/1.1\r\nHost: loc", []],
    ["who sends header after header", "GET /api/user HTTP/1.1\r\n", forever("X-Slow: a\r\n")],
    ["who connects and sends one letter", "G", []],
  ] as const)("is told so when the time for them is over: one %s", async (_, first, pieces) => {
    expectTimeOut(await dawdle(mock, first, pieces), headersTimeout);
  });
});

describe.concurrent("a caller who takes his time", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startWith({ headersTimeout, requestTimeout });
  });
  afterAll(() => mock.stop());

  /** Resolves when somebody who began just now has met the limit: then everybody else could have met it. */
  const untilOneIsTimedOut = async () =>
    expectTimeOut(
      await dawdle(mock, half.replace("/api/user", "/worlds/other/api/user"), []),
      requestTimeout,
    );

  it.each([
    ["whose body stops in the middle", "half", half, []],
    ["who sends the body letter by letter", "letters", half, forever(" ")],
    [
      "whose chunks never end",
      "chunks",
      request({ length: ["Transfer-Encoding: chunked"], body: "1\r\n{\r\n", close: false }).toString(),
      forever("1\r\n \r\n"),
    ],
  ] as const)("is told so when the time for a call is over: one %s", async (_, name, first, pieces) => {
    // A body that grows by blanks must not be whole before its time.
    const longer = first
      .replace("/api/user", `/worlds/${name}/api/user`)
      .replace(/Content-Length: \d+/, `Content-Length: ${json.length + 1_000}`);
    expectTimeOut(await dawdle(mock, longer, pieces), requestTimeout);
    await vi.waitFor(async () => {
      const [entry, ...others] = await mock.world(name).requests();
      expect(entry).toMatchObject({
        outcome: "failure",
        response: { status: 408 },
        delivery: "complete",
        notes: [expect.stringContaining("did not arrive whole in time")],
      });
      expect(others).toEqual([]);
    });
    expect((await mock.world(name).health()).groups).toBe(5);
  });

  it("is answered when all arrives in time", async () => {
    const closing = half.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const { text } = await dawdle(mock, closing, [sent.slice(half.length)]);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it("may leave a connection idle for longer than a call may take, and use it again", async () => {
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    const ask = async () => {
      socket.write("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      return String((await once(socket, "data"))[0]);
    };
    expect(await ask()).toContain("200 OK");
    await untilOneIsTimedOut();
    expect(await ask()).toContain("200 OK");
    socket.destroy();
  });

  it("may be held by a fault for longer than a call may take, and gets the answer", async () => {
    const world = mock.world("held");
    const held = await world.hold();
    const calling = getOrCreate(world.url, { user_group_id: "a", name: "A" });
    await held.arrived;
    await untilOneIsTimedOut();
    await held.release();
    expect((await calling).body.new_user_group).toBe(true);
  });

  it("may listen to events for longer than a call may take while nothing happens", async () => {
    const world = mock.world("watched");
    const events = await openEvents(world.url);
    await untilOneIsTimedOut();
    await call("POST", `${world.url}/__admin/reset`);
    expect(await events.next()).toMatchObject({ event: "change", data: { what: "reset" } });
    events.close();
  });
});

describe("a caller whom nobody answers", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is given up after 30 s by connectMock", async () => {
    const asked: number[] = [];
    const setTimeout = ClientRequest.prototype.setTimeout;
    // 30 s are too long for a test.
    vi.spyOn(ClientRequest.prototype, "setTimeout").mockImplementation(function (
      this: ClientRequest,
      ms,
      over,
    ) {
      asked.push(ms);
      return setTimeout.call(this, 20, over);
    });
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await expect(connectMock(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("no response within 30 s"),
    });
    expect(asked).toEqual([30_000]);
    silent.close();
  });
});
