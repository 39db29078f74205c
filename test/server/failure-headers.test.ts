import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allowedMethods } from "../../src/contract/operations.js";
import { type Mock, startMock } from "../../src/index.js";
import { call, type RequestOptions } from "../call.js";
import { unusedMethod } from "../unused-methods.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const group = { user_group_id: "a", name: "A" };
const ask = (method: string, body?: unknown, options?: RequestOptions, path = "/api/user") =>
  call(method, `${mock.url}${path}`, body, options);

type Case = readonly [what: string, () => ReturnType<typeof ask>, status: number, special: object];

/** Headers that only some failures have. */
const special = ["www-authenticate", "allow"];

describe("response headers", () => {
  const cases: readonly Case[] = [
    ["a success", () => ask("GET", group), 200, {}],
    [
      "an unknown API token",
      () => ask("GET", group, { apiToken: "x" }),
      401,
      { "www-authenticate": "Token" },
    ],
    ["another method", () => ask(unusedMethod), 405, { allow: allowedMethods }],
    ["OPTIONS", () => ask("OPTIONS"), 204, { allow: allowedMethods }],
    ["an unknown path", () => ask("GET", group, {}, "/api/users"), 404, {}],
    ["an unknown token", () => ask("POST", { current_token: "x" }), 404, {}],
    ["invalid JSON", () => ask("GET", "{"), 400, {}],
    ["an invalid body", () => ask("GET", {}), 400, {}],
    ["no body", () => ask("GET"), 400, {}],
    ["a body that is too large", () => ask("GET", `{"a":"${"x".repeat(100_000)}"}`), 413, {}],
    ["another Content-Type", () => ask("GET", "{}", { headers: { "Content-Type": "text/plain" } }), 415, {}],
  ];

  it.each(cases)("for %s", async (_, make, status, wanted) => {
    const { status: got, headers } = await make();
    expect(got).toBe(status);
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => special.includes(name)))).toEqual(
      wanted,
    );
    expect(headers).toMatchObject({ "cache-control": "no-store", "usergroup-mock-request": "1" });
    for (const name of ["x-powered-by", "etag"]) expect(headers).not.toHaveProperty(name);
  });

  it("name the assumptions that decided the response", async () => {
    expect((await ask("OPTIONS", undefined, {}, "/api/user/")).headers["usergroup-mock-assumed"]).toBe(
      "trailing-slash=rejected",
    );
    await mock.assume({ "trailing-slash": "accepted" });
    const { status, headers } = await ask("OPTIONS", undefined, {}, "/api/user/");
    expect([status, headers["usergroup-mock-assumed"]]).toEqual([204, "trailing-slash=accepted"]);
    expect((await ask("OPTIONS")).headers).not.toHaveProperty("usergroup-mock-assumed");
  });
});

describe("failure messages", () => {
  const type = (value: string) => ({ headers: { "Content-Type": value } });
  const encoding = { headers: { "Content-Encoding": "zstd" } };

  it.each([
    ["GET", undefined, {}, /^No body arrived with this GET\. .*drop the body of a GET.*Content-Length/],
    ["POST", undefined, {}, /^No body arrived with this POST\. Send a JSON body/],
    [
      "GET",
      "{}",
      type("text/plain"),
      /^Content-Type: text\/plain is not JSON\. Send Content-Type: application\/json\.$/,
    ],
    ["GET", "{}", type(""), /^Content-Type: {2}is not JSON\./],
    [
      "GET",
      "{}",
      type("application/json; charset=xutf-8"),
      /^The charset xutf-8 is not supported\. JSON must be UTF-8\. Send/,
    ],
    [
      "GET",
      "{}",
      type("application/json; charset=utf-8x"),
      /^The charset utf-8x is not supported\. JSON must be UTF-8\. Send/,
    ],
    [
      "GET",
      "{}",
      encoding,
      /^Content-Encoding: zstd is not supported\. Send one of gzip, deflate, br, identity\.$/,
    ],
    [
      unusedMethod,
      undefined,
      {},
      new RegExp(`^${unusedMethod} is not supported\\. The service has GET .*POST`),
    ],
  ])("for %s with %j and %j", async (method, body, options, message) => {
    const { body: response } = await ask(method, body, options);
    expect(response.error.message).toMatch(message);
  });

  it.each(['application/json; charset="UTF-8"', "application/json;charset=utf8", "Application/JSON"])(
    "are absent for Content-Type: %s",
    async (value) => {
      expect((await ask("GET", JSON.stringify(group), type(value))).status).toBe(200);
    },
  );

  it("name a missing Content-Type", async () => {
    const [response] = await exchange(mock.url, [request({ type: undefined })]);
    const body = JSON.parse(response?.body ?? "");
    expect(body.error.message).toMatch(/^There is no Content-Type\. Send/);
  });
});

describe("paths of the admin API", () => {
  it.each(["/__admin/Health", "/__admin/health/", "/__ADMIN/health", "/__admin//health"])(
    "are exact: %s",
    async (path) => {
      expect((await ask("GET", undefined, {}, path)).status).toBe(404);
    },
  );

  it("are suggested in the messages of 404 and 405", async () => {
    const nowhere = await ask("GET", undefined, {}, "/__admin/nowhere?x=1");
    expect(nowhere.body.error.message).toBe(
      "There is no GET /__admin/nowhere?x=1. See /__admin/openapi.json for all paths.",
    );
    const wrong = await ask("PUT", {}, {}, "/__admin/faults");
    expect([wrong.status, wrong.headers.allow, wrong.body.error.message]).toEqual([
      405,
      "GET, HEAD, POST, DELETE",
      "PUT is not allowed here. Use GET, HEAD, POST or DELETE.",
    ]);
    expect(wrong.body.error).not.toHaveProperty("details");
  });
});
