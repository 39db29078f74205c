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

describe("a Content-Type", () => {
  const typed = (type: string | undefined) => request({ type });
  const refused = (type: string | undefined): Row => ({
    parts: [typed(type)],
    status: 415,
    code: "unsupported_media_type",
  });
  const taken = (type: string): Row => ({ parts: [typed(type)], status: 200, created: 1 });

  checkAll({
    "is needed": refused(undefined),
    "may not be text/plain": refused("text/plain"),
    "may not be a form": refused("application/x-www-form-urlencoded"),
    "may not only begin like JSON": refused("application/jsonx"),
    "may not be several": refused("application/json, text/plain"),
    "may not say latin1": refused("application/json; charset=latin1"),
    "may not say UTF-16": refused("application/json; charset=utf-16"),
    'may say charset="UTF-8"': taken('application/json; charset="UTF-8"'),
    "may say charset=utf-8": taken("application/json;charset=utf-8"),
    "may have any case": taken("Application/JSON; Charset=utf8"),
    "may have parameters that say nothing": taken("application/json; odata=verbose"),
  });
});

describe("a Content-Encoding", () => {
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
    "may be gzip": { parts: [encoded("gzip", zipped)], status: 200, created: 1 },
    "may be GZIP": { parts: [encoded("GZIP", zipped)], status: 200, created: 1 },
    "may be identity": { parts: [encoded("identity", json)], status: 200, created: 1 },
    "may not be zstd": unknown("zstd", json),
    "may not be gzip twice": unknown("gzip, gzip", gzipSync(zipped)),
    "may not be what every object has": unknown("__proto__", json),
    "may not be gzip that is cut off": broken(zipped.subarray(0, -10)),
    "may not be gzip with a false checksum": broken(withFalseChecksum(zipped)),
    "may not say gzip of what is none": broken(json),
    "may not hide 20 MB": {
      parts: [encoded("gzip", gzipSync(Buffer.alloc(20_000_000, " ")))],
      status: 413,
      code: "payload_too_large",
    },
  });
});

describe("a body", () => {
  const sent = (body: string | Buffer) => request({ body });
  const noJson = (body: string | Buffer): Row => ({ parts: [sent(body)], status: 400, code: "invalid_json" });
  const wrong = (body: string): Row => ({ parts: [sent(body)], status: 400, code: "invalid_body" });
  const taken = (body: string | Buffer): Row => ({ parts: [sent(body)], status: 200, created: 1 });
  const withId = (id: string) => `{"user_group_id":${id},"name":"Named"}`;
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
    "may not be null": wrong("null"),
    "may not be a string": wrong('"a"'),
    "may not be a number": wrong("1"),
    "may not be an array": wrong("[]"),
    "may not be an array that holds the right object": wrong(`[${json}]`),
    "may not be an empty object": wrong("{}"),
    "may not be blanks": noJson("  \r\n\t "),
    "may not have a trailing comma": noJson('{"user_group_id":"a","name":"A",}'),
    "may not hold NaN": noJson('{"user_group_id":"a","name":"A","properties":{"x":NaN}}'),
    "may not have single quotes": noJson("{'user_group_id':'a'}"),
    "may not have anything after the JSON": noJson(`${json}x`),
    "may not be cut off": noJson(json.slice(0, -1)),
    "may not be markup": noJson("<html><body>at Object.<anonymous> (x.js:1:1)</body></html>"),
    "may not be in latin1": noJson(Buffer.from(JSON.stringify({ ...example, name: "Grüße" }), "latin1")),
    "may not be in UTF-16": noJson(Buffer.from(json, "utf16le")),
    "may not nest deeper than anybody means": noJson(
      `{"user_group_id":"a","name":"A","properties":{"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`,
    ),
    "of no bytes is missing": { parts: [sent("")], status: 400, code: "missing_body" },
    "of no chunks is missing": {
      parts: [request({ length: ["Transfer-Encoding: chunked"], body: "0\r\n\r\n" })],
      status: 400,
      code: "missing_body",
    },
    "of exactly the limit is read": taken(long(100_000)),
    "of one byte more is too large": tooLarge([sent(long(100_001))]),
    "of 101 kB is too large": tooLarge([sent(long(101_000))]),
    "of 101 kB in chunks is too large": tooLarge([
      request({ length: ["Transfer-Encoding: chunked"], body: `${chunk(long(101_000))}0\r\n\r\n` }),
    ]),
    "of exactly the limit, and then one byte more, is too large": tooLarge([
      request({
        length: ["Transfer-Encoding: chunked"],
        body: `${chunk(long(100_000))}${chunk(" ")}0\r\n\r\n`,
      }),
    ]),
    "that only promises 5 MB is too large": tooLarge([
      request({ length: ["Content-Length: 5000000"], body: "" }),
    ]),
    "may not hold half a surrogate pair in an id": wrong(withId('"a\\ud800"')),
    "may not hold a NUL in an id": wrong(withId('"a\\u0000"')),
    "may not hold a number for an id": wrong(withId("1")),
    "may not hold a number for an id that has lost its digits": wrong(withId("9007199254740993")),
    "may not hold null for an id": wrong(withId("null")),
    "may not hold an object for an id": wrong(withId('{"toString":"a"}')),
    "may not hold an empty id": wrong(withId('""')),
    "may not hold a number for a name": wrong('{"user_group_id":"a","name":1}'),
    "may not hold a number in a mapping": wrong(
      '{"user_group_id":"a","name":"A","mapping":{"40":9007199254740993}}',
    ),
    "may not hold a list for properties": wrong('{"user_group_id":"a","name":"A","properties":[]}'),
    "of a rotation may not hold a number for the token": {
      parts: [request({ method: "POST", body: '{"current_token":1}' })],
      status: 400,
      code: "invalid_body",
    },
    "of a rotation may not hold a list for the token": {
      parts: [request({ method: "POST", body: `{"current_token":["${seededToken}"]}` })],
      status: 400,
      code: "invalid_body",
    },
    "of a rotation may not name what every object has": {
      parts: [request({ method: "POST", body: '{"current_token":"__proto__"}' })],
      status: 404,
      code: "unknown_token",
    },
  });

  it.each(["\ufec0", "\u203f", "\uff3f", "\u1eff"])(
    "may not begin with what only resembles a byte order mark: %s",
    async (mark) => {
      const parts = [sent(`${mark}${json}`)];
      expectRow(await exchange(mock().url, parts), { parts, status: 400, code: "invalid_json" });
      await expectUnharmed(0);
    },
  );

  const messageTo = async (body: string | Buffer): Promise<string> => {
    const [answer] = await exchange(mock().url, [sent(body)]);
    return JSON.parse(answer?.body ?? "").error.message;
  };

  it("that is refused is told what to do", async () => {
    expect(await messageTo(Buffer.from([0x22, 0xff, 0x22]))).toBe(
      "The body is not UTF-8. Send JSON in UTF-8.",
    );
    expect(await messageTo(`${"[".repeat(101)}${"]".repeat(101)}`)).toBe(
      "The body nests deeper than 100 levels. Flatten it.",
    );
    expect(await messageTo("{")).toMatch(/^The body is not JSON: .+\.$/);
  });

  it.each([
    [
      "at exactly the limit",
      100_000,
      [expect.stringMatching(/^the caller closed the connection after \d+ ms, before its body had arrived$/)],
    ],
    ["over the limit, after its rejection,", 100_001, []],
  ])("that breaks off %s has one cause in the journal", async (_, bytes, notes) => {
    const parts = [
      request({ length: ["Transfer-Encoding: chunked"], body: chunk(long(bytes)), close: false }),
    ];
    await exchange(mock().url, parts, { fin: true });
    await expect.poll(async () => (await mock().requests())[0]).toMatchObject({ outcome: "failure", notes });
    await expectUnharmed(0);
  });

  it("means the same with a byte order mark before it", async () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(json)]);
    const created = await ask(marked);
    const again = await ask(json);
    expect(created.new_user_group).toBe(true);
    expect(again).toEqual({ ...created, new_user_group: false });
    await expectUnharmed(1);
  });

  it("means the last of two equal keys", async () => {
    const { user_group } = await ask('{"user_group_id":"a","user_group_id":"b","name":"A","name":"B"}');
    expect(user_group).toMatchObject({ provided_id: "b", name: "B" });
    await expectUnharmed(1);
  });

  it("keeps ids apart that only look alike, and gives them back as they were sent", async () => {
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

  it("pollutes nothing through __proto__, constructor or prototype", async () => {
    const polluted = '{"polluted":true}';
    const fields = `"__proto__":${polluted},"constructor":{"prototype":${polluted}},"prototype":${polluted}`;
    const { user_group } = await ask(`{"user_group_id":"raw","name":"Raw",${fields}}`);
    expect(Object.keys(user_group)).toEqual(["team_id", "token", "name", "provided_id"]);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in user_group).toBe(false);
    await expectUnharmed(1);
  });

  it("takes no field of the service out of __proto__", async () => {
    const parts = [sent('{"__proto__":{"user_group_id":"raw","name":"Raw"}}')];
    expectRow(await exchange(mock().url, parts), { parts, status: 400, code: "invalid_body" });
    await expectUnharmed(0);
  });

  it("keeps __proto__ as data inside properties and mapping", async () => {
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

describe("a state of 600 kB, which is read in several turns", () => {
  const put = async (body: string | Buffer) => {
    const [answer] = await exchange(mock().url, [request({ method: "PUT", path: "/__admin/state", body })]);
    return [answer?.status, JSON.parse(answer?.body ?? "").error?.message];
  };
  const state = (value: string) =>
    `{"teams":[{"team_id":3,"api_tokens":["t"]}],"user_groups":[{"team_id":3,"provided_id":"a","name":"${"x".repeat(600_000)}","properties":{"n":${value}}}]}`;

  it("is loaded", async () => {
    expect(await put(state("1"))).toEqual([200, undefined]);
    expect((await mock().state()).user_groups).toHaveLength(1);
  });

  it.each([
    ["is not JSON", state("{"), /^The body is not JSON: /],
    ["is not UTF-8", Buffer.from(state('"é"'), "latin1"), /^The body is not UTF-8\./],
    ["holds a number that is too large", state("1e400"), /^The number 1e400 is too large\./],
  ])("is refused when it %s", async (_, body, message) => {
    expect(await put(body)).toEqual([400, expect.stringMatching(message)]);
    await expectUnharmed(0);
  });
});

function withFalseChecksum(zipped: Buffer): Buffer {
  const copy = Buffer.from(zipped);
  copy.writeUInt8(copy.readUInt8(copy.length - 8) ^ 1, copy.length - 8);
  return copy;
}
