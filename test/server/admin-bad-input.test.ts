import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { call, getOrCreate } from "../call.js";
import { exchange } from "./raw-socket.js";
import { expectNoPage, request } from "./raw-table.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const admin = (method: string, path: string, body?: unknown) =>
  call(method, `${mock.url}/__admin${path}`, body);
const everything = async () => [
  await mock.state(),
  await mock.faults(),
  await mock.assumptions(),
  await mock.requests(),
];

/** Sends the path as it is: a URL would normalise dots and escapes. */
async function raw(method: string, path: string): Promise<{ status: number; code: string | undefined }> {
  const [response] = await exchange(mock.url, [request({ method, path, length: [], body: "" })]);
  expectNoPage(response);
  return { status: response?.status ?? 0, code: JSON.parse(response?.body ?? "{}").error?.code };
}

describe("ids in paths of the admin API", () => {
  const places = [
    ["GET", "/requests/{id}", "unknown_request"],
    ["GET", "/requests/{id}/body", "unknown_request"],
    ["DELETE", "/faults/{id}", "unknown_fault"],
    ["POST", "/faults/{id}/release", "unknown_fault"],
  ] as const;
  const ids = [
    "0",
    "-1",
    "4000000",
    "1.5",
    "1e0",
    "0x1",
    "0b1",
    "01",
    "+1",
    "%201",
    "1%20",
    "1%00",
    "NaN",
    "Infinity",
    "null",
    "undefined",
    "__proto__",
    "constructor",
    "9007199254740993",
    "9".repeat(400),
    "%F0%9F%98%80",
  ];

  beforeEach(async () => {
    await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    await mock.fault({ hold: true });
  });

  it.each(places.flatMap(([method, path, code]) => ids.map((id) => ({ method, path, id, code }))))(
    "reject an unknown id: $method $path with $id",
    async ({ method, path, id, code }) => {
      const before = await everything();
      const expected = /^[1-9]\d{0,14}$/.test(id) ? code : "not_found";
      const response = await raw(method, `/__admin${path.replace("{id}", id)}`);
      expect(response).toEqual({ status: 404, code: expected });
      expect(await everything()).toEqual(before);
    },
  );

  it.each(places)("reject a broken escape: %s %s", async (method, path) => {
    const response = await raw(method, `/__admin${path.replace("{id}", "%zz")}`);
    expect(response).toEqual({ status: 404, code: "not_found" });
  });
});

describe("PATCH /__admin/assumptions", () => {
  it.for<unknown>([
    { constructor: "x" },
    { hasOwnProperty: "x" },
    { toString: "accepted" },
    { "old-token": "constructor" },
    { "old-token": "__proto__" },
    { "old-token": null },
    { "old-token": ["accepted"] },
    { "old-token": { toString: null } },
    { "old-token": { toString: "accepted", valueOf: "accepted" } },
    { "old-token": true },
    { "created-status": 200.5 },
    { "created-status": [201] },
  ])("rejects an unknown id or value: %j", async (choice) => {
    const before = await everything();
    const { status, body } = await admin("PATCH", "/assumptions", choice);
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
    expect(await everything()).toEqual(before);
  });

  it("rejects __proto__, and changes nothing", async () => {
    const before = await everything();
    const { status, body } = await admin("PATCH", "/assumptions", '{"__proto__":{"old-token":"accepted"}}');
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
    expect(await everything()).toEqual(before);
  });

  it.each(["null", "[]", '"a"', "1", "true"])("rejects %s", async (text) => {
    const { status, body } = await admin("PATCH", "/assumptions", text);
    expect([status, body.error.code]).toEqual([400, "invalid_assumption"]);
  });
});

describe("POST /__admin/faults", () => {
  it.for<unknown>([
    { constructor: 1, status: 503 },
    { toString: 1, status: 503 },
    { status: 1e308 },
    { status: 503.5 },
    { status: "503" },
    { delayMs: 1e300 },
    { delayMs: 600_001 },
    { status: 503, times: 0 },
    { status: 503, times: 1.5 },
    { status: 503, times: "forever" },
    { status: 503, skip: -1 },
    { status: 503, match: [] },
    { status: 503, match: null },
    { status: 503, phase: "during" },
    { hold: "yes" },
    { reset: 1 },
    {},
    [],
    null,
  ])("rejects an invalid fault: %j", async (fault) => {
    const { status, body } = await admin("POST", "/faults", fault);
    expect([status, body.error.code]).toEqual([400, "invalid_fault"]);
    expect(await mock.faults()).toEqual([]);
  });

  it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
    "a match on %s meets only requests that send it",
    async (field) => {
      const { status } = await admin(
        "POST",
        "/faults",
        `{"status":503,"match":{"properties":{"${field}":1}}}`,
      );
      expect(status).toBe(200);
      const send = (properties: string) =>
        getOrCreate(mock.url, `{"user_group_id":"a","name":"A","properties":${properties}}`);
      expect((await send("{}")).status).toBe(200);
      expect((await send(`{"${field}":2}`)).status).toBe(200);
      expect((await send(`{"${field}":1}`)).status).toBe(503);
    },
  );

  it("a fault responds with any JSON as it was given", async () => {
    for (const body of ["null", "0", '""', "[]", '{"__proto__":{"a":1}}', '{"toString":1}']) {
      await admin("POST", "/faults", `{"status":503,"body":${body}}`);
      const [response] = await exchange(mock.url, [request({})]);
      expect([response?.status, response?.body]).toEqual([503, body]);
    }
  });
});

describe("GET /__admin/requests", () => {
  beforeEach(() => getOrCreate(mock.url, { user_group_id: "a", name: "A" }));

  it.each([
    "after=-1",
    "after=NaN",
    "after=1.5",
    "after=x",
    "after=",
    "after=0x0",
    "after=1e1",
    "after=%20",
    "limit=0",
    "limit=-1",
    "limit=Infinity",
    "limit=0x1",
    "operation=remove",
    "operation=__proto__",
    "outcome=toString",
    "__proto__=a",
    "constructor=a",
    "user_group_id[]=a",
    "=a",
  ])("rejects an invalid filter: ?%s", async (query) => {
    const { status, body } = await admin("GET", `/requests?${query}`);
    expect([status, body.error.code]).toEqual([400, "invalid_request"]);
  });

  it.each(["constructor", "toString", "%00", "%F0%9F%98%80", "__proto__"])(
    "finds nothing for an unknown group: %s",
    async (id) => {
      const { status, body } = await admin("GET", `/requests?user_group_id=${id}`);
      expect([status, body.requests]).toEqual([200, []]);
    },
  );
});

describe("PUT /__admin/state", () => {
  const team = { team_id: 9, api_tokens: ["nine"] };

  it.each<[string, unknown]>([
    ["null", null],
    ["an array", []],
    ["a team with a string as id", { teams: [{ ...team, team_id: "9" }] }],
    ["a team with the id 1.5", { teams: [{ ...team, team_id: 1.5 }] }],
    ["a team without an API token", { teams: [{ team_id: 9, api_tokens: [] }] }],
    ["an API token with a space", { teams: [{ team_id: 9, api_tokens: ["a b"] }] }],
    [
      "a group of an unknown team",
      { teams: [team], user_groups: [{ team_id: 8, provided_id: "a", name: "A" }] },
    ],
    ["an unknown field", { teams: [team], constructor: [] }],
    [
      "an id with a lone surrogate",
      {
        teams: [team],
        user_groups: [{ team_id: 9, provided_id: "a\ud800", name: "A" }],
      },
    ],
  ])("rejects %s, and changes nothing", async (_, state) => {
    const before = await everything();
    const { status, body } = await admin("PUT", "/state", JSON.stringify(state));
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ["a fixture", fileURLToPath(new URL("../../fixtures/default.json", import.meta.url))],
    ["a directory", fileURLToPath(new URL("../../fixtures", import.meta.url))],
    ["a missing file", "/no/such/file.json"],
  ])("rejects the path of %s, and does not read it", async (_, path) => {
    const before = await everything();
    const { status, body } = await admin("PUT", "/state", JSON.stringify(path));
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(body.error.details).toEqual([{ path: "", message: "must be object" }]);
    await expect(Reflect.apply(mock.load, mock, [path])).rejects.toThrow("must be object");
    expect(await everything()).toEqual(before);
  });

  it("accepts names of Object.prototype as ids, tokens and fields", async () => {
    const keys = ["constructor", "toString", "hasOwnProperty", "__proto__"];
    const groups = keys.map(
      (key) =>
        `{"team_id":9,"provided_id":"${key}","name":"${key}","token":"${key}","mapping":{"${key}":"1"},"properties":{"${key}":{}}}`,
    );
    const text = `{"teams":[{"team_id":9,"api_tokens":["__proto__","toString"]}],"user_groups":[${groups.join(",")}]}`;
    expect((await admin("PUT", "/state", text)).status).toBe(200);
    const [response] = await exchange(mock.url, [request({ path: "/__admin/state", length: [], body: "" })]);
    for (const key of keys) {
      expect(response?.body).toContain(`"mapping":{"${key}":"1"},"properties":{"${key}":{}}`);
    }
    for (const key of keys) {
      const { status, body } = await getOrCreate(mock.url, { user_group_id: key }, { apiToken: "toString" });
      expect([status, body.user_group.token]).toEqual([200, key]);
    }
    expect((await getOrCreate(mock.url, { user_group_id: "x" }, { apiToken: "valueOf" })).status).toBe(401);
  });

  it("rejects 100 MB before the body arrives", async () => {
    const length = ["Content-Length: 100000001"];
    const sent = request({ method: "PUT", path: "/__admin/state", length, body: "" });
    const [response] = await exchange(mock.url, [sent]);
    expect([response?.status, JSON.parse(response?.body ?? "").error.code]).toEqual([
      413,
      "payload_too_large",
    ]);
  });

  it.each([
    [110, "invalid_fixture"],
    [111, "invalid_json"],
  ])("rejects %i nested levels with %s", async (levels, code) => {
    const deep = `${'{"x":'.repeat(levels - 1)}1${"}".repeat(levels - 1)}`;
    const { status, body } = await admin("PUT", "/state", `{"teams":${deep}}`);
    expect([status, body.error.code]).toEqual([400, code]);
  });
});

describe("what is no longer part of the mock", () => {
  it.each([
    ["POST", "/snapshots"],
    ["POST", "/snapshots/1/restore"],
    ["GET", "/requests.har"],
  ])("is an unknown path: %s %s", async (method, path) => {
    const { status, body } = await admin(method, path);
    const message = `There is no ${method} /__admin${path}. See /__admin/openapi.json for all paths.`;
    expect([status, body.error]).toEqual([404, { code: "not_found", message }]);
  });

  it.each([
    ["probability", { status: 503, probability: 0.5 }],
    ["dribble", { dribble: true, delayMs: 5 }],
    ["latencyMs", { latencyMs: { min: 1, max: 2 } }],
    ["rateLimit", { rateLimit: { requests: 1, perSeconds: 1 } }],
  ])("is an unknown field of a fault: %s", async (field, fault) => {
    const { status, body } = await admin("POST", "/faults", fault);
    const problem = { path: `/${field}`, message: expect.stringMatching(/^is not a known field/) };
    expect([status, body.error.details]).toEqual([400, [problem]]);
  });
});

describe("names of worlds in paths", () => {
  const names = async () => (await mock.worlds()).map(({ name }) => name);

  it.each([
    "%2e%2e",
    "%2E",
    "..%2f",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%5c",
    "w%31",
    "w1%00",
    "w1;x=1",
    "w1,w2",
    "w1@evil.test",
    "w1:80",
    "*",
    "~root",
    "$%7BHOME%7D",
    "x".repeat(65),
    "x".repeat(8_000),
    "%zz",
    "%",
    "w1%0d%0aX-Y:%20a",
  ])("reject %s", async (name) => {
    const before = await names();
    for (const rest of ["/api/user", "/__admin/health", "/__admin/state", ""]) {
      // A path that cannot be decoded is not found.
      const code = /%(?![\da-f]{2})/i.test(name) ? "not_found" : "invalid_world";
      expect(await raw("GET", `/worlds/${name}${rest}`)).toEqual({ status: 404, code });
    }
    expect(await names()).toEqual(before);
  });

  it.each(["..", "%2e%2e%2f", "a%2fb", "x".repeat(65), "__proto__", "toString", "%00"])(
    "DELETE rejects an unknown world: %s",
    async (name) => {
      await mock.world("w9").reset();
      const before = await names();
      const { status, code } = await raw("DELETE", `/__admin/worlds/${name}`);
      // A name with a slash, or one that cannot be decoded, is not found.
      expect([status, ["unknown_world", "not_found"]]).toEqual([404, expect.arrayContaining([code])]);
      expect(await names()).toEqual(before);
    },
  );

  it("reject a world inside a world", async () => {
    expect((await raw("GET", "/worlds/w1/worlds/w2/api/user")).status).toBe(404);
    expect(await names()).not.toContain("w2");
  });
});

describe("paths of the inspector", () => {
  it.each([
    "/__admin/../package.json",
    "/__admin/..%2fpackage.json",
    "/__admin/%2e%2e/%2e%2e/etc/passwd",
    "/__admin/inspector.js/../../package.json",
    "/__admin/inspector.js%00.html",
    "/__admin/index.html%2f..%2f..%2fpackage.json",
    "/__admin//etc/passwd",
    "/__admin/.env",
  ])("lead to no other file: %s", async (path) => {
    const { status, code } = await raw("GET", path);
    expect([status, code]).toEqual([404, "not_found"]);
  });
});
