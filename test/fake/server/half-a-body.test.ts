import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { type Mock, startMock } from "../../../src/index.js";
import { call } from "../../call.js";
import { ownMock } from "../world/own-world.js";
import { json, request } from "./raw-table.js";

const own = ownMock();

const zipped = gzipSync(json);
const bodies: readonly [kind: string, half: Buffer, more: readonly string[]][] = [
  ["plain", Buffer.from(json).subarray(0, 10), []],
  ["compressed", zipped.subarray(0, -9), ["Content-Encoding: gzip"]],
];

/** Sends the parts, and waits until the journal shows the request as pending. */
async function begin(
  { url, requests }: Pick<Mock, "url" | "requests">,
  sent: Buffer,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...options });
  socket.on("error", () => {});
  socket.write(sent);
  await expect.poll(() => requests({ outcome: "pending" })).toHaveLength(1);
  return socket;
}

describe.each(bodies)("half a %s body", (_, half, more) => {
  const withLength = request({ length: ["Content-Length: 100"], more, body: half, close: false });
  const size = half.length.toString(16);
  const chunked = request({
    length: ["Transfer-Encoding: chunked"],
    more,
    body: Buffer.concat([Buffer.from(`${size}\r\n`), half, Buffer.from("\r\n")]),
    close: false,
  });

  it.each<[end: string, sent: Buffer, (socket: Socket) => unknown]>([
    ["the client closes the connection", withLength, (socket) => socket.destroy()],
    ["the client resets the connection", withLength, (socket) => socket.resetAndDestroy()],
    ["the client ends its side before the last chunk", chunked, (socket) => socket.end()],
    ["a chunk is broken", chunked, (socket) => socket.write("not a chunk\r\n")],
  ])("is complete in the journal when %s", async (_end, sent, end) => {
    end(await begin(own.mock, sent));
    await expect.poll(() => own.mock.requests({ outcome: "pending" })).toEqual([]);
    expect(await own.mock.requests()).toMatchObject([
      {
        outcome: "failure",
        delivery: "caller-left",
        effect: "none",
        cause: {
          code: "caller-left",
          message: expect.stringMatching(
            /^The connection was closed after .*, before the body of the request had arrived\.$/,
          ),
        },
      },
    ]);
    expect(await own.mock.groups()).toHaveLength(5);
  });

  it("is complete in the journal after a broken chunk, even if the client keeps the connection open", async () => {
    const socket = await begin(own.mock, chunked, { allowHalfOpen: true });
    socket.write("not a chunk\r\n");
    expect(String((await once(socket, "data"))[0])).toBe(
      "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    );
    await expect.poll(() => own.mock.requests({ outcome: "pending" })).toEqual([]);
    expect(await own.mock.requests()).toMatchObject([{ outcome: "failure", response: null }]);
    socket.destroy();
  });

  it("is complete in the history when the world was reset meanwhile", async () => {
    const socket = await begin(own.mock, withLength);
    await own.mock.reset();
    socket.destroy();
    const { n } = (await own.mock.history())[0] ?? expect.fail();
    await expect
      .poll(async () => (await call("GET", `${own.mock.url}/__admin/requests?epoch=${n}`)).body.requests)
      .toMatchObject([{ outcome: "failure", delivery: "caller-left" }]);
    expect(await own.mock.requests()).toEqual([]);
  });

  it("is complete, and not blamed on the client, when the mock stops", async () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      const stopping = await startMock({ log: "json" });
      const socket = await begin(stopping, withLength);
      await stopping.stop();
      socket.destroy();
      expect(write.mock.calls.map(([text]) => JSON.parse(String(text)).code)).toEqual(["stopped"]);
    } finally {
      write.mockRestore();
    }
  });
});

describe("a whole compressed body of which the mock has read a part", () => {
  // Compressed, it is longer than what a stream keeps, so the mock reads the rest when that is inflated.
  const text = JSON.stringify({ properties: { random: randomBytes(45_000).toString("base64") } });
  const body = gzipSync(text);
  const sent = request({ more: ["Content-Encoding: gzip"], body, close: false });

  it.each<[end: string, (socket: Socket) => unknown]>([
    ["closes the connection", (socket) => socket.destroy()],
    ["resets the connection", (socket) => socket.resetAndDestroy()],
    ["ends its side", (socket) => socket.end()],
  ])("is complete in the journal when the client %s", async (_, end) => {
    const { hostname, port } = new URL(own.mock.url);
    for (let n = 0; n < 5; n++) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => {});
      socket.write(sent, () => end(socket));
      await once(socket.resume(), "close");
    }
    await expect.poll(() => own.mock.requests({ outcome: "pending" })).toEqual([]);
  });
});

describe("a request pipelined behind another one", () => {
  const second = request({ body: '{"user_group_id":"second","name":"Second"}', close: false });
  const both = Buffer.concat([request({ close: false }), second]);

  it("is never complete in the journal if a fault broke the connection", async () => {
    await own.mock.fault({ empty: true, delayMs: 20, match: { user_group_id: "raw" } });
    const { hostname, port } = new URL(own.mock.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.write(both);
    await new Promise((resolve) => socket.resume().once("close", resolve));
    const first = await own.mock.waitForRequest({ match: { user_group_id: "raw" } });
    expect(first.outcome).toBe("fault");
    expect((await own.mock.requests()).slice(1).filter(({ delivery }) => delivery === "complete")).toEqual(
      [],
    );
  });

  it("begins when the first one has its response", async () => {
    const held = await own.mock.hold({ match: { user_group_id: "raw" } });
    const { hostname, port } = new URL(own.mock.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
    });
    socket.write(both);
    await held.arrived();
    expect(await own.mock.requests()).toHaveLength(1);
    await held.release();
    await expect.poll(() => received.match(/"provided_id":"\w+"/g)).toHaveLength(2);
    expect(received.indexOf('"raw"')).toBeLessThan(received.indexOf('"second"'));
    expect(await own.mock.requests()).toMatchObject([{ delivery: "complete" }, { delivery: "complete" }]);
    socket.destroy();
  });
});
