import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connectMock, type Mock, startMock } from "../../src/index.js";
import { call, getOrCreate } from "../call.js";
import { openEvents } from "../world/event-stream.js";
import { json, request } from "./raw-table.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

interface Ended {
  readonly text: string;
  readonly seconds: number;
}

/** Writes the first part, then one piece a second until the connection is closed. */
async function dawdle(first: string, pieces: Iterable<string>): Promise<Ended> {
  const { hostname, port } = new URL(mock.url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (bytes) => {
    text += bytes;
  });
  // A piece can meet a connection that has just been closed.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  const began = performance.now();
  socket.write(first);
  void trickle(socket, pieces);
  await closed;
  return { text, seconds: (performance.now() - began) / 1000 };
}

async function trickle(socket: Socket, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    await sleep(1_000);
    if (!socket.writable) return;
    socket.write(piece);
  }
}

function* forever(piece: string): Generator<string> {
  for (;;) yield piece;
}

function expectTimeOut({ text, seconds }: Ended, from: number, to: number): void {
  expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toEqual({
    error: { code: "invalid_http", message: expect.stringContaining("did not arrive whole in time") },
  });
  expect(seconds).toBeGreaterThan(from);
  expect(seconds).toBeLessThan(to);
}

const sent = request({ close: false }).toString();
const half = sent.slice(0, -json.length / 2);

/** Real time is the subject, so all of it passes at once: each act begins with the first, and is a test of its own. */
const acts: [sentence: string, act: () => Promise<void>][] = [];

for (const [who, first, pieces] of [
  ["whose headers stop in the middle", "GET /api/user HTTP/1.1\r\nHost: loc", []],
  ["who sends a header a second", "GET /api/user HTTP/1.1\r\n", forever("X-Slow: a\r\n")],
  ["who connects and sends one letter", "G", []],
] as const) {
  acts.push([
    `is told so after 10 s: one ${who}`,
    async () => expectTimeOut(await dawdle(first, pieces), 9, 12.5),
  ]);
}

for (const [who, world, first, pieces] of [
  ["whose body stops in the middle", "half", half, []],
  ["who sends a letter of the body a second", "letters", half, forever(" ")],
  [
    "whose chunks never end",
    "chunks",
    request({ length: ["Transfer-Encoding: chunked"], body: "1\r\n{\r\n", close: false }).toString(),
    forever("1\r\n \r\n"),
  ],
] as const) {
  acts.push([
    `is told so after 30 s: one ${who}`,
    async () => {
      // A body that grows by blanks must not be whole before its time.
      const longer = first
        .replace("/api/user", `/worlds/${world}/api/user`)
        .replace(/Content-Length: \d+/, `Content-Length: ${json.length + 1_000}`);
      expectTimeOut(await dawdle(longer, pieces), 29, 33.5);
      await vi.waitFor(async () => {
        const [entry, ...others] = await mock.world(world).requests();
        expect(entry).toMatchObject({
          outcome: "failure",
          notes: ["the caller went away before its body had arrived"],
        });
        expect(others).toEqual([]);
      });
      expect((await mock.world(world).health()).groups).toBe(5);
    },
  ]);
}

acts.push(
  [
    "is answered when all arrives in time",
    async () => {
      const closing = half.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
      const { text } = await dawdle(closing, [sent.slice(half.length)]);
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    },
  ],
  [
    "is given up after 30 s by connectMock when nobody answers it",
    async () => {
      const silent = createServer().listen(0, "127.0.0.1");
      await once(silent, "listening");
      const began = performance.now();
      const { port } = silent.address() as AddressInfo;
      await expect(connectMock(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
        code: "unreachable",
        message: expect.stringContaining("it took the call, and was silent for 30 s"),
      });
      expect((performance.now() - began) / 1000).toBeGreaterThan(29);
      silent.close();
    },
  ],
  [
    "may leave a connection idle for 32 s and use it again",
    async () => {
      const { hostname, port } = new URL(mock.url);
      const socket = connect(Number(port), hostname);
      const ask = async () => {
        socket.write("GET /__admin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return String((await once(socket, "data"))[0]);
      };
      expect(await ask()).toContain("200 OK");
      await sleep(32_000);
      expect(await ask()).toContain("200 OK");
      socket.destroy();
    },
  ],
  [
    "may be held by a fault for 32 s, and gets the answer",
    async () => {
      const world = mock.world("held");
      const held = await world.hold();
      const calling = getOrCreate(world.url, { user_group_id: "a", name: "A" });
      await held.arrived;
      await sleep(32_000);
      await held.release();
      expect((await calling).body.new_user_group).toBe(true);
    },
  ],
  [
    "may listen to events for 32 s in which nothing happens",
    async () => {
      const world = mock.world("watched");
      const events = await openEvents(world.url);
      await sleep(32_000);
      await call("POST", `${world.url}/__admin/reset`);
      expect(await events.next()).toMatchObject({ event: "change", data: { what: "reset" } });
      events.close();
    },
  ],
);

describe("a caller who takes his time", { timeout: 45_000 }, () => {
  const begun = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [sentence, act] of acts) {
      const ended = act();
      // Whoever fails early is not unhandled until his turn comes.
      ended.catch(() => {});
      begun.set(sentence, ended);
    }
  });

  it.each(acts)("%s", async (sentence) => {
    await (begun.get(sentence) ?? expect.fail());
  });
});
