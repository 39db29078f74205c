import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { exchange } from "./raw-socket.js";
import {
  ask,
  checkAll,
  chunk,
  example,
  expectUnharmed,
  json,
  type Row,
  request,
  serveRows,
} from "./raw-table.js";

const mock = serveRows();

describe("Content-Type", () => {
  const typed = (type: string | undefined) => request({ type });
  const rejected = (type: string | undefined): Row => ({
    parts: [typed(type)],
    status: 415,
    code: "unsupported_media_type",
  });
  const accepted = (type: string): Row => ({ parts: [typed(type)], status: 200, created: 1 });

  checkAll({
    "rejects a request without it": rejected(undefined),
    "rejects text/plain": rejected("text/plain"),
    "rejects charset=latin1": rejected("application/json; charset=latin1"),
    'accepts charset="UTF-8"': accepted('application/json; charset="UTF-8"'),
    "is case-insensitive": accepted("Application/JSON; Charset=utf8"),
  });
});

describe("Content-Encoding", () => {
  const zipped = gzipSync(json);
  const encoded = (encoding: string, body: string | Buffer) =>
    request({ more: [`Content-Encoding: ${encoding}`], body });
  const unknown = (encoding: string, body: string | Buffer): Row => ({
    parts: [encoded(encoding, body)],
    status: 415,
    code: "unsupported_media_type",
  });
  const broken = (body: string | Buffer): Row => ({
    parts: [encoded("gzip", body)],
    status: 400,
    code: "invalid_json",
  });

  checkAll({
    "rejects zstd": unknown("zstd", json),
    "rejects gzip, gzip": unknown("gzip, gzip", gzipSync(zipped)),
    "accepts gzip": { parts: [encoded("gzip", zipped)], status: 200, created: 1 },
    "accepts br": { parts: [encoded("br", brotliCompressSync(json))], status: 200, created: 1 },
    "rejects truncated gzip": broken(zipped.subarray(0, -10)),
    "rejects gzip with a wrong checksum": broken(withFalseChecksum(zipped)),
    "rejects plain text as gzip": broken(json),
    "rejects gzip of 20 MB as too large": {
      parts: [encoded("gzip", gzipSync(Buffer.alloc(20_000_000, " ")))],
      status: 413,
      code: "payload_too_large",
    },
  });
});

describe("request body", () => {
  const sent = (body: string | Buffer) => request({ body });
  const noJson = (body: string | Buffer): Row => ({ parts: [sent(body)], status: 400, code: "invalid_json" });
  const invalid = (body: string): Row => ({ parts: [sent(body)], status: 400, code: "invalid_body" });
  const accepted = (body: string | Buffer): Row => ({ parts: [sent(body)], status: 200, created: 1 });
  const withId = (id: string) => `{"user_group_id":${id},"name":"Named"}`;
  const nested = (levels: number) =>
    `{"user_group_id":"raw","name":"Raw","properties":${'{"x":'.repeat(levels - 1)}1${"}".repeat(levels - 1)}}`;
  const tooLarge = (parts: readonly (string | Buffer)[]): Row => ({
    parts,
    status: 413,
    code: "payload_too_large",
    headers: { connection: "close" },
  });
  const long = (bytes: number) =>
    JSON.stringify({ ...example, properties: { long: "x".repeat(bytes) } })
      .slice(0, bytes - 3)
      .concat('"}}');

  checkAll({
    "rejects whitespace": noJson("  \r\n\t "),
    "rejects a trailing comma": noJson('{"user_group_id":"a","name":"A",}'),
    "rejects NaN": noJson('{"user_group_id":"a","name":"A","properties":{"x":NaN}}'),
    "rejects latin1": noJson(Buffer.from(JSON.stringify({ ...example, name: "Grüße" }), "latin1")),
    "accepts 100 nested levels": accepted(nested(100)),
    "rejects 101 nested objects": noJson(nested(101)),
    "is missing if it has no bytes": { parts: [sent("")], status: 400, code: "missing_body" },
    "is missing if it has no chunks": {
      parts: [request({ length: ["Transfer-Encoding: chunked"], body: "0\r\n\r\n" })],
      status: 400,
      code: "missing_body",
    },
    "accepts exactly the limit": accepted(long(100_000)),
    "rejects one byte over the limit": tooLarge([sent(long(100_001))]),
    "rejects a chunk of exactly the limit and one more byte": tooLarge([
      request({
        length: ["Transfer-Encoding: chunked"],
        body: `${chunk(long(100_000))}${chunk(" ")}0\r\n\r\n`,
      }),
    ]),
    "rejects a Content-Length of 5 MB before the body arrives": tooLarge([
      request({ length: ["Content-Length: 5000000"], body: "" }),
    ]),
    "rejects a lone surrogate in an id": invalid(withId('"a\\ud800"')),
    "rejects a NUL in an id": invalid(withId('"a\\u0000"')),
  });

  const messageTo = async (body: string | Buffer): Promise<string> => {
    const [response] = await exchange(mock().url, [sent(body)]);
    return JSON.parse(response?.body ?? "").error.message;
  };

  it("is rejected with a message that says what to do", async () => {
    expect(await messageTo(Buffer.from([0x22, 0xff, 0x22]))).toBe(
      "The body is not UTF-8. Send JSON in UTF-8.",
    );
    expect(await messageTo(`${"[".repeat(101)}${"]".repeat(101)}`)).toBe(
      "The body is nested more than 100 levels deep. Flatten it.",
    );
    expect(await messageTo("{")).toMatch(/^The body is not JSON: .+\.$/);
  });

  it.each([
    ["a body aborted at exactly the limit", 100_000, "caller-left"],
    ["a body aborted after it was rejected as too large", 100_001, "payload_too_large"],
  ])("the journal has one cause for %s", async (_, bytes, code) => {
    const parts = [
      request({ length: ["Transfer-Encoding: chunked"], body: chunk(long(bytes)), close: false }),
    ];
    await exchange(mock().url, parts, { fin: true });
    await expect
      .poll(async () => (await mock().requests())[0])
      .toMatchObject({
        outcome: "failure",
        cause: { code },
      });
    await expectUnharmed(0);
  });

  it("may begin with a byte order mark", async () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(json)]);
    const created = await ask(marked);
    const again = await ask(json);
    expect(created.new_user_group).toBe(true);
    expect(again).toEqual({ ...created, new_user_group: false });
    await expectUnharmed(1);
  });

  it("uses the last of two equal keys", async () => {
    const { user_group } = await ask('{"user_group_id":"a","user_group_id":"b","name":"A","name":"B"}');
    expect(user_group).toMatchObject({ provided_id: "b", name: "B" });
    await expectUnharmed(1);
  });

  it("keeps similar ids distinct, and returns them as they were sent", async () => {
    const ids = [
      "\u00e9",
      "e\u0301",
      "😀",
      "😀\ufe0f",
      "E\u0301",
      " \u00e9",
      "__proto__",
      "constructor",
      "toString",
    ];
    const tokens = new Set<string>();
    for (const id of ids) {
      const { new_user_group, user_group } = await ask(JSON.stringify({ ...example, user_group_id: id }));
      expect(new_user_group).toBe(true);
      expect(user_group.provided_id).toBe(id);
      tokens.add(user_group.token);
    }
    expect(tokens.size).toBe(ids.length);
    await expectUnharmed(ids.length);
  });

  it("does not pollute prototypes through __proto__, constructor or prototype", async () => {
    const polluted = '{"polluted":true}';
    const fields = `"__proto__":${polluted},"constructor":{"prototype":${polluted}},"prototype":${polluted}`;
    const { user_group } = await ask(`{"user_group_id":"raw","name":"Raw",${fields}}`);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in user_group).toBe(false);
    await expectUnharmed(1);
  });

  it("stores __proto__ in properties and mapping as data", async () => {
    const kept = '"mapping":{"__proto__":"213"},"properties":{"__proto__":{"polluted":true}}';
    await ask(`{"user_group_id":"raw","name":"Raw",${kept}}`);
    expect("polluted" in {}).toBe(false);
    const local = (await mock().state()).user_groups?.find(({ provided_id }) => provided_id === "raw");
    expect(JSON.stringify(local)).toContain(kept);
    const [state] = await exchange(mock().url, [request({ path: "/__admin/state", length: [], body: "" })]);
    expect(state?.body).toContain(kept);
    await expectUnharmed(1);
  });
});

function withFalseChecksum(zipped: Buffer): Buffer {
  const copy = Buffer.from(zipped);
  copy.writeUInt8(copy.readUInt8(copy.length - 8) ^ 1, copy.length - 8);
  return copy;
}
