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

/** The headers that only some failures have. */
const special = ["www-authenticate", "allow"];

describe("the headers of an answer", () => {
  const cases: readonly Case[] = [
    ["a success", () => ask("GET", group), 200, {}],
    ["a wrong API token", () => ask("GET", group, { apiToken: "x" }), 401, { "www-authenticate": "Token" }],
    ["a wrong method", () => ask(unusedMethod), 405, { allow: allowedMethods }],
    ["a question what there is", () => ask("OPTIONS"), 204, { allow: allowedMethods }],
    ["a wrong path", () => ask("GET", group, {}, "/api/users"), 404, {}],
    ["an unknown token", () => ask("POST", { current_token: "x" }), 404, {}],
    ["broken JSON", () => ask("GET", "{"), 400, {}],
    ["a wrong body", () => ask("GET", {}), 400, {}],
    ["no body", () => ask("GET"), 400, {}],
    ["too long a body", () => ask("GET", `{"a":"${"x".repeat(100_000)}"}`), 413, {}],
    ["another type", () => ask("GET", "{}", { headers: { "Content-Type": "text/plain" } }), 415, {}],
  ];

  it.each(cases)("to %s are those that it needs", async (_, make, status, wanted) => {
    const { status: got, headers } = await make();
    expect(got).toBe(status);
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => special.includes(name)))).toEqual(
      wanted,
    );
    expect(headers).toMatchObject({ "cache-control": "no-store", "usergroup-mock-request": "1" });
    for (const name of ["x-powered-by", "etag"]) expect(headers).not.toHaveProperty(name);
  });

  it("say of what was asked which assumptions decided it", async () => {
    expect((await ask("OPTIONS", undefined, {}, "/api/user/")).headers["usergroup-mock-assumed"]).toBe(
      "trailing-slash=rejected",
    );
    await mock.assume({ "trailing-slash": "accepted" });
    const { status, headers } = await ask("OPTIONS", undefined, {}, "/api/user/");
    expect([status, headers["usergroup-mock-assumed"]]).toEqual([204, "trailing-slash=accepted"]);
    expect((await ask("OPTIONS")).headers).not.toHaveProperty("usergroup-mock-assumed");
  });
});

describe("the words of a failure", () => {
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
    ["GET", "{}", type("application/json; charset=xutf-8"), /^JSON travels in UTF-8, not in xutf-8\./],
    ["GET", "{}", type("application/json; charset=utf-8x"), /^JSON travels in UTF-8, not in utf-8x\./],
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
  ])("%s with %j and %j", async (method, body, options, words) => {
    const { body: answer } = await ask(method, body, options);
    expect(answer.error.message).toMatch(words);
  });

  it.each(['application/json; charset="UTF-8"', "application/json;charset=utf8", "Application/JSON"])(
    "are not needed for %s",
    async (value) => {
      expect((await ask("GET", JSON.stringify(group), type(value))).status).toBe(200);
    },
  );

  it("tell a missing Content-Type from a wrong one", async () => {
    const [answer] = await exchange(mock.url, [request({ type: undefined })]);
    const body = JSON.parse(answer?.body ?? "");
    expect(body.error.message).toMatch(/^There is no Content-Type\. Send/);
  });
});

describe("a path of the admin API", () => {
  it.each(["/__admin/Health", "/__admin/health/", "/__ADMIN/health", "/__admin//health"])(
    "is what it is, to the letter: %s",
    async (path) => {
      expect((await ask("GET", undefined, {}, path)).status).toBe(404);
    },
  );

  it("that there is not says where to look, and so does a wrong method", async () => {
    const nowhere = await ask("GET", undefined, {}, "/__admin/nowhere?x=1");
    expect(nowhere.body.error.message).toBe(
      "There is no GET /__admin/nowhere?x=1. See /__admin/openapi.json for what there is.",
    );
    const wrong = await ask("PUT", {}, {}, "/__admin/faults");
    expect([wrong.status, wrong.headers.allow, wrong.body.error.message]).toEqual([
      405,
      "GET, POST, DELETE",
      "PUT is not allowed here. Use GET, POST or DELETE.",
    ]);
    expect(wrong.body.error).not.toHaveProperty("details");
  });
});
