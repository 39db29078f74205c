import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { adminCall, adminCallIds } from "../../../src/fake/contract/admin-calls.js";
import { call, getOrCreate } from "../../call.js";
import { ownMock } from "../world/own-world.js";
import { exchange } from "./raw-socket.js";
import { expectNoPage, request } from "./raw-table.js";

const own = ownMock();

const admin = (method: string, path: string, body?: unknown) =>
  call(method, `${own.mock.url}/__admin${path}`, body);
const everything = async () => [
  await own.mock.state(),
  await own.mock.faults(),
  await own.mock.assumptions(),
  await own.mock.requests(),
];

/** What wrong input is called, if it is not a request. */
const codes: Readonly<Record<string, string>> = {
  "fault.request.json": "invalid_fault",
  "group.request.json": "invalid_group",
  "assumptions.request.json": "invalid_assumption",
  "fixture.json": "invalid_fixture",
};

/** Sends the path as it is: a URL would normalise dots and escapes. */
async function raw(method: string, path: string): Promise<{ status: number; code: string | undefined }> {
  const [response] = await exchange(own.mock.url, [request({ method, path, length: [], body: "" })]);
  expectNoPage(response);
  return { status: response?.status ?? 0, code: JSON.parse(response?.body ?? "{}").error?.code };
}

/** The admin calls whose query or body has a schema. */
const withInput = adminCallIds.map(adminCall).filter(({ query, request }) => query ?? request);

describe("every admin call with input", () => {
  beforeEach(() => getOrCreate(own.mock.url, { user_group_id: "a", name: "A" }));

  // test/fake/contract/wrong-input.test.ts has what each schema rejects.
  it.each(withInput)(
    "rejects what its schema does not have, and changes nothing: $method $path",
    async (call) => {
      const before = await everything();
      const path = call.path.replace("{id}", "1");
      const { status, body } = call.query
        ? await admin(call.method, `${path}?wrong=1`)
        : await admin(call.method, path, { wrong: 1 });
      expect([status, body.error.code]).toEqual([400, codes[call.request ?? ""] ?? "invalid_request"]);
      expect(body.error.message).toMatch(/\/wrong is not (?:a known field|an assumption or a situation)/);
      expect(body.error.details).toContainEqual(expect.objectContaining({ path: "/wrong" }));
      expect(await everything()).toEqual(before);
    },
  );
});

describe("ids in paths of the admin API", () => {
  const places = [
    ["GET", "/requests/{id}", "unknown_request"],
    ["GET", "/requests/{id}/body", "unknown_request"],
    ["DELETE", "/faults/{id}", "unknown_fault"],
    ["POST", "/faults/{id}/release", "unknown_fault"],
  ] as const;
  const ids = ["0", "-1", "1.5", "0x1", "01", "%201", "1%00", "__proto__", "4000000", "9".repeat(400), "%zz"];

  beforeEach(async () => {
    await getOrCreate(own.mock.url, { user_group_id: "a", name: "A" });
    await own.mock.fault({ hold: true });
  });

  it.each(places)("reject an unknown id: %s %s", async (method, path, code) => {
    const before = await everything();
    for (const id of ids) {
      const expected = /^[1-9]\d{0,14}$/.test(id) ? code : "not_found";
      const response = await raw(method, `/__admin${path.replace("{id}", id)}`);
      expect([id, response]).toEqual([id, { status: 404, code: expected }]);
    }
    expect(await everything()).toEqual(before);
  });
});

describe("POST /__admin/faults", () => {
  it.each(["toString", "__proto__"])("a match on %s meets only requests that send it", async (field) => {
    const { status } = await admin("POST", "/faults", `{"status":503,"match":{"properties":{"${field}":1}}}`);
    expect(status).toBe(200);
    const send = (properties: string) =>
      getOrCreate(own.mock.url, `{"user_group_id":"a","name":"A","properties":${properties}}`);
    expect((await send("{}")).status).toBe(200);
    expect((await send(`{"${field}":2}`)).status).toBe(200);
    expect((await send(`{"${field}":1}`)).status).toBe(503);
  });

  it("a fault responds with any JSON as it was given", async () => {
    for (const body of ["null", "0", '""', "[]", '{"__proto__":{"a":1}}', '{"toString":1}']) {
      await admin("POST", "/faults", `{"status":503,"body":${body}}`);
      const [response] = await exchange(own.mock.url, [request({})]);
      expect([response?.status, response?.body]).toEqual([503, body]);
    }
  });
});

describe("GET /__admin/requests", () => {
  it.each(["after=", "after=0x0", "constructor=a", "user_group_id[]=a", "=a"])(
    "rejects a query that cannot be a filter: ?%s",
    async (query) => {
      const { status, body } = await admin("GET", `/requests?${query}`);
      expect([status, body.error.code]).toEqual([400, "invalid_request"]);
    },
  );
});

describe("PUT /__admin/state", () => {
  it("rejects the path of a file, and does not read it", async () => {
    const path = fileURLToPath(new URL("../../../fixtures/default.json", import.meta.url));
    const { status, body } = await admin("PUT", "/state", JSON.stringify(path));
    expect([status, body.error.details]).toEqual([400, [{ path: "", message: "must be object" }]]);
    await expect(Reflect.apply(own.mock.load, own.mock, [path])).rejects.toThrow("must be object");
  });

  it("accepts names of Object.prototype as ids, tokens and fields", async () => {
    const keys = ["constructor", "toString", "hasOwnProperty", "__proto__"];
    const groups = keys.map(
      (key) =>
        `{"team_id":9,"provided_id":"${key}","name":"${key}","token":"${key}","mapping":{"${key}":"1"},"properties":{"${key}":{}}}`,
    );
    const text = `{"teams":[{"team_id":9,"api_tokens":["__proto__","toString"]}],"user_groups":[${groups.join(",")}]}`;
    expect((await admin("PUT", "/state", text)).status).toBe(200);
    const [response] = await exchange(own.mock.url, [
      request({ path: "/__admin/state", length: [], body: "" }),
    ]);
    for (const key of keys) {
      expect(response?.body).toContain(`"mapping":{"${key}":"1"},"properties":{"${key}":{}}`);
    }
    for (const key of keys) {
      const { status, body } = await getOrCreate(
        own.mock.url,
        { user_group_id: key },
        { apiToken: "toString" },
      );
      expect([status, body.user_group.token]).toEqual([200, key]);
    }
    expect((await getOrCreate(own.mock.url, { user_group_id: "x" }, { apiToken: "valueOf" })).status).toBe(
      401,
    );
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

describe("names of worlds in paths", () => {
  const names = async () => (await own.mock.worlds()).map(({ name }) => name);

  it.each([
    "",
    ".",
    "..",
    "a%20b",
    "%2e%2e",
    "..%2f",
    "w%31",
    "w1%00",
    "w1;x=1",
    "w1:80",
    "*",
    "x".repeat(65),
    "%zz",
    "w1%0d%0aX-Y:%20a",
  ])("reject %s", async (name) => {
    const before = await names();
    for (const rest of ["/api/user", "/__admin/health", "/__admin/state", ""]) {
      // A path without a name, or one that cannot be decoded, is not found.
      const code = /^$|%(?![\da-f]{2})/i.test(name) ? "not_found" : "invalid_world";
      expect(await raw("GET", `/worlds/${name}${rest}`)).toEqual({ status: 404, code });
    }
    expect(await names()).toEqual(before);
  });

  it.each(["..", "a%2fb", "x".repeat(65), "__proto__", "%00"])(
    "DELETE rejects an unknown world: %s",
    async (name) => {
      await own.mock.world("w9").reset();
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
