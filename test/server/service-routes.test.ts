import request from "supertest";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allowedMethods } from "../../src/contract/operations.js";
import { type Mock, startMock } from "../../src/index.js";
import { call, type RequestOptions } from "../call.js";
import { seededToken } from "../seeded.js";
import { unusedMethod, unusedMethods } from "../unused-methods.js";
import { exchange } from "./raw-socket.js";
import { request as rawRequest } from "./raw-table.js";

// What every response of the service has. test/interface-document.test.ts has what the two operations do.

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const group = { user_group_id: "a", name: "A" };
const ask = (method: string, body?: unknown, options?: RequestOptions, path = "/api/user") =>
  call(method, `${mock.url}${path}`, body, options);
const typed = (type: string) => ({ headers: { "Content-Type": type } });

type Case = readonly [what: string, () => ReturnType<typeof ask>, status: number, special: object];

describe("response headers", () => {
  /** Headers that only some responses have. */
  const special = ["www-authenticate", "allow"];
  const allow = allowedMethods;
  const cases: readonly Case[] = [
    ["a success", () => ask("GET", group), 200, {}],
    [
      "an unknown API token",
      () => ask("GET", group, { apiToken: "x" }),
      401,
      { "www-authenticate": "Token" },
    ],
    ["another method", () => ask(unusedMethod), 405, { allow }],
    ["OPTIONS", () => ask("OPTIONS"), 204, { allow }],
    ["an unknown path", () => ask("GET", group, {}, "/api/users"), 404, {}],
    ["an unknown token", () => ask("POST", { current_token: "x" }), 404, {}],
    ["invalid JSON", () => ask("GET", "{"), 400, {}],
    ["an invalid body", () => ask("GET", {}), 400, {}],
    ["no body", () => ask("GET"), 400, {}],
    ["a body that is too large", () => ask("GET", `{"a":"${"x".repeat(100_000)}"}`), 413, {}],
    ["another Content-Type", () => ask("GET", "{}", typed("text/plain")), 415, {}],
  ];

  it.each(cases)("for %s", async (_, make, status, wanted) => {
    const { status: got, headers } = await make();
    expect(got).toBe(status);
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => special.includes(name)))).toEqual(
      wanted,
    );
    expect(headers).toMatchObject({ "cache-control": "no-store", "usergroup-mock-request": "1" });
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(10_000);
    for (const name of ["x-powered-by", "etag"]) expect(headers).not.toHaveProperty(name);
  });

  it("number requests without a gap, whatever their responses are", async () => {
    const responses = [await ask("GET", group), await ask("GET"), await ask("GET", group, {}, "/nowhere")];
    expect(responses.map(({ headers }) => headers["usergroup-mock-request"])).toEqual(["1", "2", "3"]);
  });

  it("name the assumptions that decided the response", async () => {
    const assumed = async (...sent: Parameters<typeof ask>) =>
      (await ask(...sent)).headers["usergroup-mock-assumed"];
    expect(await assumed("GET", group)).toBe("created-status=200");
    expect(await assumed("GET", group)).toBeUndefined();
    expect(await assumed("OPTIONS", undefined, {}, "/api/user/")).toBe("trailing-slash=rejected");
    await ask("POST", { current_token: seededToken });
    expect(await assumed("POST", { current_token: seededToken })).toBe(
      "old-token=rejected, failure-status=by-kind, failure-body=error-object",
    );
    // A response to HEAD has no body, so the assumption failure-body does not decide it.
    expect(await assumed("HEAD")).toBe("failure-status=by-kind");
  });

  it("never lead to a 304", async () => {
    expect((await ask("GET", group, { headers: { "If-None-Match": "*" } })).status).toBe(200);
  });
});

describe("the Connection header", () => {
  it.each([
    ["keep-alive", "after a success", { close: false }, { keptOpen: true }],
    ["close", "if the client sends it", { close: true }, {}],
    ["keep-alive", "after an invalid body", { body: "[]", close: false }, { keptOpen: true }],
    ["close", "after a GET without a length", { length: [], body: "", close: false }, {}],
    ["close", "after a body that is too large", { length: ["Content-Length: 999999999"], close: false }, {}],
  ])("is %s %s, in the journal too", async (connection, _, parts, options) => {
    const [response] = await exchange(mock.url, [rawRequest(parts)], options);
    expect(response?.headers.connection).toBe(connection);
    expect((await mock.requests())[0]?.response?.headers).toEqual(response?.headers);
  });
});

describe("failure messages", () => {
  it.each<[RegExp, ...sent: Parameters<typeof ask>]>([
    [/^No body arrived with this GET\. .*Many HTTP clients drop the body of a GET.*Content-Length/, "GET"],
    [/^No body arrived with this POST\. Send a JSON body/, "POST"],
    [
      /^Content-Type: text\/plain is not JSON\. Send Content-Type: application\/json\.$/,
      "GET",
      "{}",
      typed("text/plain"),
    ],
    [
      /^The charset xutf-8 is not supported\. JSON must be UTF-8\. Send/,
      "GET",
      "{}",
      typed("application/json; charset=xutf-8"),
    ],
    [
      /^Content-Encoding: zstd is not supported\. Send one of gzip, deflate, br, identity\.$/,
      "GET",
      "{}",
      { headers: { "Content-Encoding": "zstd" } },
    ],
    [new RegExp(`^${unusedMethod} is not supported\\. The service has GET .*POST`), unusedMethod],
    [/^There is no POST \/videos\./, "POST", {}, {}, "/videos"],
  ])("say what to do: %s", async (message, ...sent) => {
    expect((await ask(...sent)).body.error.message).toMatch(message);
  });

  it("name a missing Content-Type", async () => {
    const [response] = await exchange(mock.url, [rawRequest({ type: undefined })]);
    expect(JSON.parse(response?.body ?? "").error.message).toMatch(/^There is no Content-Type\. Send/);
  });

  it("name the request that rotated a token out", async () => {
    await ask("POST", { current_token: seededToken });
    const { error } = (await ask("POST", { current_token: seededToken })).body;
    expect(error.message).toContain("was rotated out by request 1.");
  });

  it("list every error of a body", async () => {
    const mapping = { "40": 1, "a/b": null };
    const { error } = (await ask("GET", { user_group_id: 7, name: "", mapping, properties: 1 })).body;
    expect(error.message).toContain("Invalid body for get-or-create: /user_group_id must be string");
    expect(error.message).toContain("and 2 more");
    expect(error.details).toEqual([
      { path: "/user_group_id", message: "must be string" },
      { path: "/name", message: "must not be empty" },
      { path: "/mapping/40", message: "must be string" },
      { path: "/mapping/a~1b", message: "must be string" },
      { path: "/properties", message: "must be object" },
    ]);
  });

  it.each([
    ["a missing Authorization", undefined, "There is no Authorization header"],
    ["another scheme", "Bearer test-api-token", "has the scheme Bearer, not Token"],
    ["no scheme", "test-api-token", "does not begin with"],
    ["the text undefined", "Token undefined", 'the text "undefined"'],
    ["the text null", "Token null", 'the text "null"'],
    ["quotes", 'Token "test-api-token"', "has quotes around it"],
    ["another case", "Token Test-Api-Token", "in upper and lower case"],
    ["a missing token", "Token", "is empty"],
    ["two tokens", "Token a b", "has white space in it"],
    ["the scheme in another case", "token test-api-token", 'is "token"'],
    ["an unknown token", "Token production-secret", "No fixture lists this API token"],
  ])("explain %s", async (_, header, message) => {
    const sent = request(mock.url).get("/api/user").send(group);
    const { status, body } = await (header === undefined ? sent : sent.set("Authorization", header));
    expect([status, body.error.code]).toEqual([401, "unauthorized"]);
    expect(body.error.message).toContain(message);
    expect(body.error.message).toContain("This mock accepts test-api-token.");
    expect(JSON.stringify(body)).not.toContain("production-secret");
    expect((await mock.health()).groups).toBe(5);
  });
});

it("other methods of /api/user create nothing", async () => {
  for (const method of [...unusedMethods, "HEAD"]) {
    expect([method, (await ask(method, group)).status]).toEqual([method, 405]);
  }
  expect((await mock.health()).groups).toBe(5);
});
