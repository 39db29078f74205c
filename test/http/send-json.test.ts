import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { acceptsGzip, sendLongJson } from "../../src/http/send-json.js";

const server = createServer();
afterEach(() => {
  server.removeAllListeners("request");
  server.close();
});

/** A caller who has the head of the answer, and the answer as the server sees it. */
async function answerWith(body: object, headers: Record<string, string> = {}) {
  const sending = new Promise<{ res: ServerResponse; sent: Promise<void> }>((resolve) => {
    server.once("request", (_, res) => resolve({ res, sent: sendLongJson(res, body) }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const req = get({ port: (server.address() as AddressInfo).port, agent: false, headers });
  const [answer] = (await once(req, "response")) as [IncomingMessage];
  return { answer, ...(await sending) };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  return Buffer.concat(await answer.toArray()).toString();
}

describe("an answer of the admin API", () => {
  it.each([
    {},
    { list: [] },
    { list: [1, "two", null, { three: [] }] },
    { list: [undefined, 1] },
    { one: undefined, two: 2, three: undefined },
    { one: {}, two: { three: { four: [] }, five: [{}] } },
    { 'quoted " key': "é" },
    { deep: { deeper: { deepest: { list: [1, { a: undefined }] } } } },
  ])("is what JSON.stringify makes of it, with its length: %j", async (body) => {
    const { answer } = await answerWith(body);
    const text = await textOf(answer);
    expect(text).toBe(JSON.stringify(body));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "content-length": String(Buffer.byteLength(text)),
    });
  });

  it("goes out in pieces when it is long", async () => {
    const body = { list: Array.from({ length: 50 }, (_, n) => "é".repeat(10_000 + n)), end: true };
    const { answer } = await answerWith(body);
    expect(await textOf(answer)).toBe(JSON.stringify(body));
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "transfer-encoding": "chunked",
    });
    expect(answer.headers).not.toHaveProperty("content-length");
  });

  it.each([
    ["gzip, deflate, br", "gzip"],
    ["br;q=1.0, GZIP;q=0.8", "gzip"],
    ["gzip;q=0, br", undefined],
    ["deflate", undefined],
  ])("is packed when it is long and the caller accepts %s: %s", async (accepted, encoding) => {
    const body = { list: Array.from({ length: 5_000 }, (_, n) => `item ${n} é`) };
    const { answer } = await answerWith(body, { "Accept-Encoding": accepted });
    const bytes = Buffer.concat(await answer.toArray());
    expect(answer.headers["content-encoding"]).toBe(encoding);
    expect((encoding === undefined ? bytes : gunzipSync(bytes)).toString()).toBe(JSON.stringify(body));
    if (encoding !== undefined) expect(bytes.length).toBeLessThan(JSON.stringify(body).length / 3);
  });

  it("packs no more when its caller leaves", async () => {
    let made = 0;
    const item = { toJSON: () => randomBytes(25_000).toString("hex") + made++ };
    const list = Array.from({ length: 2_000 }, () => item);
    const { answer, res, sent } = await answerWith({ list }, { "Accept-Encoding": "gzip" });
    await vi.waitFor(() => expect(res.writableNeedDrain).toBe(true), { timeout: 10_000 });
    answer.destroy();
    await sent;
    expect(made).toBeLessThan(2_000);
  });

  it("is made only as far as its caller reads, and no further when the caller leaves", async () => {
    let made = 0;
    const item = { toJSON: () => `${made++}`.padEnd(50_000) };
    const items = 1_000;
    const { answer, res, sent } = await answerWith({ list: Array.from({ length: items }, () => item) });
    await vi.waitFor(() => expect(res.writableNeedDrain).toBe(true), { timeout: 10_000 });
    const before = made;
    expect(before).toBeLessThan(items / 2);
    // A part is read, and the answer goes on.
    for (let read = 0; read < 8_000_000; ) read += ((await once(answer, "data"))[0] as Buffer).length;
    answer.pause();
    await vi.waitFor(() => expect(made).toBeGreaterThan(before), { timeout: 10_000 });
    answer.destroy();
    await sent;
    expect(made).toBeLessThan(items);
    expect([res.listenerCount("drain"), res.writableFinished]).toEqual([0, false]);
  });
});

describe("a caller that can unpack gzip", () => {
  const accepts = (value: string | undefined) =>
    acceptsGzip({ headers: { "accept-encoding": value } } as IncomingMessage);

  it.each([
    "gzip",
    "GZIP",
    "br, gzip",
    "gzip, br",
    "gzip;q=0.5",
    "gzip; q=0.001",
    "gzip;q=1, br;q=0",
    "deflate;q=0, gzip",
  ])("says so: %s", (value) => {
    expect(accepts(value)).toBe(true);
  });

  it.each([
    undefined,
    "",
    "br",
    "xgzip",
    "gzipped",
    "gzip;q=0",
    "gzip ; q=0",
    "gzip;  q=0.0",
    "gzip;q=0.000 ",
    "gzip;q=0, br",
    "gzip;q=0.00 , br",
  ])("is not one that says %j", (value) => {
    expect(accepts(value)).toBe(false);
  });
});
