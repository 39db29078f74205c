import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, create } from "../call.js";
import { type CliProcess, startCli } from "../cli-process.js";
import { isLong, smoke } from "../long.js";
import { adminBystanderBound, bystanderBound, slowestCallDuring } from "./bystander.js";

/** In a separate process, so that its processor time does not include that of the test. */
let server: CliProcess;
let url: string;
beforeAll(async () => {
  server = startCli(["--port", "0", "--log", "silent"]);
  url = await server.ready;
});
afterAll(() => server[Symbol.asyncDispose]());

const slowestOf = (work: () => Promise<unknown>) => slowestCallDuring(url, server.child.pid, work);

/** With the fastest setting: the compressed size does not matter here. */
const brotli = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const encoders = { br: brotli, gzip: gzipSync, deflate: deflateSync } as const;

async function send(method: string, path: string, compressed: Buffer, encoding: string): Promise<number> {
  const response = await fetch(`${url}/__admin${path}`, {
    method,
    body: new Uint8Array(compressed),
    headers: { "Content-Type": "application/json", "Content-Encoding": encoding },
  });
  await response.arrayBuffer();
  return response.status;
}

const million = 1_000_000;
const bombs: readonly [name: string, body: () => string][] = [
  ["nested brackets", () => "[".repeat(9 * million)],
  ["many empty objects", () => `[${"{},".repeat(3 * million)}{}]`],
  ["a long key", () => `{"${"k".repeat(9 * million)}":1}`],
  ["many unknown keys", () => `{${Array.from({ length: 400_000 }, (_, n) => `"k${n}":1`).join(",")}}`],
  ["a long string with a number in it", () => `{"x":"9e123${"a".repeat(9 * million)}"}`],
  ["many empty groups", () => `{"user_groups":[${"{},".repeat(300_000)}{}]}`],
  ["100 MB of spaces", () => " ".repeat(100 * million)],
];

describe("a client in another world does not wait for", () => {
  it.each(smoke(bombs))("%s, compressed, as a state", async (name, body) => {
    const text = body();
    // One rule limits all encodings, so one body is enough to test each of them.
    const used = name === "many empty objects" ? encoders : { br: brotli };
    for (const [encoding, compress] of Object.entries(used)) {
      const compressed = compress(text);
      const slowest = await slowestOf(async () => {
        expect([400, 413]).toContain(await send("PUT", "/state", compressed, encoding));
      });
      expect(slowest, encoding).toBeLessThan(adminBystanderBound);
    }
  });

  const properties = Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`k${n}`, {}]));

  it("requests with bodies of nearly 100 kB", async () => {
    const large = (n: number) => create(`${url}/worlds/large`, `${n}`, { properties });
    const slowest = await slowestOf(async () => {
      for (let round = 0; round < 10; round++)
        for (const { status } of await Promise.all([1, 2, 3, 4].map(large))) expect(status).toBe(200);
    });
    expect(slowest).toBeLessThan(bystanderBound);
  });

  if (!isLong) return;

  it.each(bombs)("%s, compressed, in other admin requests", async (_, body) => {
    const compressed = brotli(body());
    for (const path of ["/faults", "/requests/wait", "/reset"]) {
      const slowest = await slowestOf(async () => {
        expect([200, 400, 413]).toContain(await send("POST", path, compressed, "br"));
      });
      expect(slowest, path).toBeLessThan(adminBystanderBound);
    }
  });

  it("50 waits over a journal with large bodies", async () => {
    for (let n = 0; n < 80; n++) {
      const body = { user_group_id: "example_1", properties };
      expect((await call("GET", `${url}/worlds/waits/api/user`, body)).status).toBe(200);
    }
    const wait = { match: { user_group_id: "unknown" }, timeoutMs: 100 };
    const slowest = await slowestOf(async () => {
      const waits = Array.from({ length: 50 }, () =>
        call("POST", `${url}/worlds/waits/__admin/requests/wait`, wait),
      );
      for (const { status } of await Promise.all(waits)) expect(status).toBe(408);
    });
    // The first one parses all bodies in one go.
    expect(slowest).toBeLessThan(adminBystanderBound);
  });
});
