import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seededToken } from "../seeded.js";
import { exchange } from "./raw-socket.js";
import {
  ask,
  checkAll,
  chunk,
  example,
  expectRow,
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
    "rejects a form": rejected("application/x-www-form-urlencoded"),
    "rejects application/jsonx": rejected("application/jsonx"),
    "rejects a list of types": rejected("application/json, text/plain"),
    "rejects charset=latin1": rejected("application/json; charset=latin1"),
    "rejects charset=utf-16": rejected("application/json; charset=utf-16"),
    'accepts charset="UTF-8"': accepted('application/json; charset="UTF-8"'),
    "accepts charset=utf-8": accepted("application/json;charset=utf-8"),
    "is case-insensitive": accepted("Application/JSON; Charset=utf8"),
    "accepts unknown parameters": accepted("application/json; odata=verbose"),
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
    "accepts gzip": { parts: [encoded("gzip", zipped)], status: 200, created: 1 },
    "accepts GZIP": { parts: [encoded("GZIP", zipped)], status: 200, created: 1 },
    "accepts identity": { parts: [encoded("identity", json)], status: 200, created: 1 },
    "rejects zstd": unknown("zstd", json),
    "rejects gzip, gzip": unknown("gzip, gzip", gzipSync(zipped)),
    "rejects __proto__": unknown("__proto__", json),
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
    "rejects null": invalid("null"),
    "rejects a string": invalid('"a"'),
    "rejects a number": invalid("1"),
    "rejects an array": invalid("[]"),
    "rejects an array with a valid object": invalid(`[${json}]`),
    "rejects an empty object": invalid("{}"),
    "rejects whitespace": noJson("  \r\n\t "),
    "rejects a trailing comma": noJson('{"user_group_id":"a","name":"A",}'),
    "rejects NaN": noJson('{"user_group_id":"a","name":"A","properties":{"x":NaN}}'),
    "rejects single quotes": noJson("{'user_group_id':'a'}"),
    "rejects text after the JSON": noJson(`${json}x`),
    "rejects truncated JSON": noJson(json.slice(0, -1)),
    "rejects HTML": noJson("<html><body>at Object.<anonymous> (x.js:1:1)</body></html>"),
    "rejects latin1": noJson(Buffer.from(JSON.stringify({ ...example, name: "Grüße" }), "latin1")),
    "rejects UTF-16": noJson(Buffer.from(json, "utf16le")),
    "accepts 100 nested levels": accepted(nested(100)),
    "rejects 101 nested objects": noJson(nested(101)),
    "rejects 101 nested arrays": noJson(`${"[".repeat(101)}${"]".repeat(101)}`),
    "rejects 101 nested levels beside flat fields": noJson(
      `{"user_group_id":"raw","name":"Raw","mapping":{"1":"${"x".repeat(500)}"},"properties":${'{"x":'.repeat(100)}1${"}".repeat(100)}}`,
    ),
    "accepts 1e-999 and -0": accepted(
      '{"user_group_id":"raw","name":"Raw","properties":{"c":1e-999,"d":-0}}',
    ),
    "accepts a number with 90,000 digits": accepted(
      `{"user_group_id":"raw","name":"Raw","properties":{"a":0.${"9".repeat(90_000)}}}`,
    ),
    "ignores 10,000 unknown fields": accepted(
      `{"user_group_id":"raw","name":"Raw",${Array.from({ length: 10_000 }, (_, n) => `"f${n}":0`).join(",")}}`,
    ),
    "rejects Infinity": noJson("Infinity"),
    "rejects hexadecimal numbers": noJson('{"user_group_id":"raw","name":"Raw","properties":{"x":0x1}}'),
    "rejects comments": noJson('{"user_group_id":"raw"/**/,"name":"Raw"}'),
    "rejects a raw line feed in a string": noJson('{"user_group_id":"ra\nw","name":"Raw"}'),
    "accepts a lone surrogate in a name": accepted('{"user_group_id":"raw","name":"\\udc00"}'),
    "rejects true as id": invalid('{"user_group_id":true,"name":"Raw"}'),
    "rejects an array as id": invalid('{"user_group_id":["raw"],"name":"Raw"}'),
    "rejects null as mapping": invalid('{"user_group_id":"raw","name":"Raw","mapping":null}'),
    "rejects two objects": noJson(`${json}${json}`),
    "rejects two byte order marks": noJson(`\ufeff\ufeff${json}`),
    "rejects UTF-16 with a byte order mark": {
      parts: [request({ body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(json, "utf16le")]) })],
      status: 400,
      code: "invalid_json",
    },
    "is missing if it has no bytes": { parts: [sent("")], status: 400, code: "missing_body" },
    "is missing if it has no chunks": {
      parts: [request({ length: ["Transfer-Encoding: chunked"], body: "0\r\n\r\n" })],
      status: 400,
      code: "missing_body",
    },
    "accepts exactly the limit": accepted(long(100_000)),
    "rejects one byte over the limit": tooLarge([sent(long(100_001))]),
    "rejects 101 kB in one chunk": tooLarge([
      request({ length: ["Transfer-Encoding: chunked"], body: `${chunk(long(101_000))}0\r\n\r\n` }),
    ]),
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
    "rejects a number as id": invalid(withId("1")),
    "rejects an unsafe integer as id": invalid(withId("9007199254740993")),
    "rejects null as id": invalid(withId("null")),
    "rejects an object as id": invalid(withId('{"toString":"a"}')),
    "rejects an empty id": invalid(withId('""')),
    "rejects a number as name": invalid('{"user_group_id":"a","name":1}'),
    "rejects a number in a mapping": invalid(
      '{"user_group_id":"a","name":"A","mapping":{"40":9007199254740993}}',
    ),
    "rejects an array as properties": invalid('{"user_group_id":"a","name":"A","properties":[]}'),
    "rejects a number as current_token": {
      parts: [request({ method: "POST", body: '{"current_token":1}' })],
      status: 400,
      code: "invalid_body",
    },
    "rejects an array as current_token": {
      parts: [request({ method: "POST", body: `{"current_token":["${seededToken}"]}` })],
      status: 400,
      code: "invalid_body",
    },
    "rejects __proto__ as current_token": {
      parts: [request({ method: "POST", body: '{"current_token":"__proto__"}' })],
      status: 404,
      code: "unknown_token",
    },
  });

  it.each(["\ufec0", "\u203f", "\uff3f", "\u1eff"])(
    "rejects %j before the JSON, which is not a byte order mark",
    async (mark) => {
      const parts = [sent(`${mark}${json}`)];
      expectRow(await exchange(mock().url, parts), { parts, status: 400, code: "invalid_json" });
      await expectUnharmed(0);
    },
  );

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

  it("is rejected for 8,000 invalid mapping values with a short message", async () => {
    const mapping = Object.fromEntries(Array.from({ length: 8_000 }, (_, n) => [`${n}`, 0]));
    const parts = [request({ body: JSON.stringify({ ...example, mapping }) })];
    const responses = await exchange(mock().url, parts);
    expectRow(responses, { parts, status: 400, code: "invalid_body" });
    const { message } = JSON.parse(responses[0]?.body ?? "").error;
    expect(message.length).toBeLessThan(500);
    expect(message).toMatch(/ and \d+ more\b/);
    await expectUnharmed(0);
  });

  it.each(["constructor", "hasOwnProperty", "toString", "valueOf", "__defineGetter__", "prototype"])(
    "may use %s as id, field and key",
    async (key) => {
      const body = {
        ...example,
        user_group_id: key,
        mapping: { [key]: "1" },
        properties: { [key]: { [key]: 2 } },
        [key]: 3,
      };
      const { new_user_group, user_group } = await ask(JSON.stringify(body));
      expect([new_user_group, user_group.provided_id]).toEqual([true, key]);
      const { user_groups = [] } = await mock().state();
      const kept = user_groups.find(({ provided_id }) => provided_id === key);
      expect(JSON.stringify(kept)).toContain(`"mapping":{"${key}":"1"},"properties":{"${key}":{"${key}":2}}`);
      expect(`${{}}`).toBe("[object Object]");
      await expectUnharmed(1);
    },
  );

  it("keeps a name of 90 kB of whitespace", async () => {
    const name = ` \t${" ".repeat(90_000)}`;
    const { user_group } = await ask(JSON.stringify({ ...example, name }));
    expect(user_group.name).toBe(name);
    await expectUnharmed(1);
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
    const ids = ["\u00e9", "e\u0301", "😀", "😀\ufe0f", "E\u0301", " \u00e9", "__proto__", "constructor"];
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
    expect(Object.keys(user_group)).toEqual(["team_id", "token", "name", "provided_id"]);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in user_group).toBe(false);
    await expectUnharmed(1);
  });

  it("does not read fields from __proto__", async () => {
    const parts = [sent('{"__proto__":{"user_group_id":"raw","name":"Raw"}}')];
    expectRow(await exchange(mock().url, parts), { parts, status: 400, code: "invalid_body" });
    await expectUnharmed(0);
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

describe("PUT /__admin/state with 600 kB", () => {
  const put = async (body: string | Buffer) => {
    const [response] = await exchange(mock().url, [request({ method: "PUT", path: "/__admin/state", body })]);
    return [response?.status, JSON.parse(response?.body ?? "").error?.message];
  };
  const state = (value: string) =>
    `{"teams":[{"team_id":3,"api_tokens":["t"]}],"user_groups":[{"team_id":3,"provided_id":"a","name":"${"x".repeat(600_000)}","properties":{"n":${value}}}]}`;

  it("loads a valid state", async () => {
    expect(await put(state("1"))).toEqual([200, undefined]);
    expect((await mock().state()).user_groups).toHaveLength(1);
  });

  it.each([
    ["is not JSON", state("{"), /^The body is not JSON: /],
    ["is not UTF-8", Buffer.from(state('"é"'), "latin1"), /^The body is not UTF-8\./],
  ])("rejects a state that %s", async (_, body, message) => {
    expect(await put(body)).toEqual([400, expect.stringMatching(message)]);
    await expectUnharmed(0);
  });
});

function withFalseChecksum(zipped: Buffer): Buffer {
  const copy = Buffer.from(zipped);
  copy.writeUInt8(copy.readUInt8(copy.length - 8) ^ 1, copy.length - 8);
  return copy;
}
