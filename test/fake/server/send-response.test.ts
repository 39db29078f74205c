import { describe, expect, it } from "vitest";
import { allowedMethods } from "../../../src/fake/contract/operations.js";
import { exchange as send } from "../../../src/foundation/exchange.js";
import type { Fault, FaultRequest } from "../../../src/index.js";
import { call, type RequestOptions } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { unusedMethod } from "../../unused-methods.js";
import { ownMock } from "../world/own-world.js";
import { exchange } from "./raw-socket.js";
import { request } from "./raw-table.js";

const own = ownMock();
const group = { user_group_id: "a", name: "A" };
const ask = (method: string, body?: unknown, options?: RequestOptions, path = "/api/user") =>
  call(method, `${own.mock.url}${path}`, body, options);

const timeoutMs = 30_000;

type Case = readonly [what: string, () => ReturnType<typeof ask>, status: number, special: object];

describe("a text of a fault cannot run scripts in the origin of the mock:", () => {
  const policy = "default-src 'none'";
  it.each<readonly [what: string, fault: Partial<Fault>, policy: string | undefined]>([
    ["HTML", { text: "<h1>Not Found</h1>" }, "sandbox"],
    ["SVG", { headers: { "Content-Type": "image/svg+xml" }, text: "<svg/>" }, "sandbox"],
    ["a text of any type", { headers: { "Content-Type": "*/*" }, text: "<script>" }, "sandbox"],
    ["a text of an unknown type", { headers: { "content-type": "x" }, text: "<script>" }, "sandbox"],
    ["plain text", { text: "Not Found" }, "sandbox"],
    ["JSON that is sent as HTML", { headers: { "content-type": "text/html" }, body: { a: 1 } }, "sandbox"],
    [
      "a list of types, of which a browser takes the last",
      { headers: { "Content-Type": "application/json, text/html" }, text: "<script>" },
      "sandbox",
    ],
    [
      "HTML with a policy",
      { headers: { "content-security-policy": policy }, text: "<h1>Not Found</h1>" },
      `${policy}, sandbox`,
    ],
    ["JSON with a policy", { headers: { "Content-Security-Policy": policy }, body: { a: 1 } }, policy],
    ["JSON of a type of its own", { headers: { "Content-Type": "application/problem+json" } }, undefined],
    ["JSON", {}, undefined],
    ["JSON, if the fault wants browsers to guess", { headers: { "x-content-type-options": "" } }, undefined],
  ])("%s", async (_, rule, expected) => {
    const { mock } = own;
    await mock.fault({ status: 404, ...rule } as FaultRequest);
    const options = {
      method: "GET",
      headers: { "Content-Type": "application/json", Authorization: "Token test-api-token" },
    };
    const response = await send(new URL(`${mock.url}/api/user`), {
      ...options,
      text: JSON.stringify(group),
      timeoutMs,
    });
    const sent = ["content-security-policy", "x-content-type-options"].map((name) => response.headers[name]);
    expect([response.status, ...sent]).toEqual([404, expected, "nosniff"]);
    const headers = (await mock.requests())[0]?.response?.headers;
    expect(headers?.["content-security-policy"]).toBe(expected);
  });
});

describe("a browser does not guess the type of", () => {
  const inWorld = (path: string) => [path, `/worlds/w3${path}`];
  it.each([
    ...inWorld("/__admin/health"),
    ...inWorld("/__admin"),
    "/__admin/",
    "/__admin/inspector.js",
    "/__admin/report.html",
    "/__admin/nowhere",
    "/__admin/requests/1",
    "/__admin/openapi.json",
    "/",
    "/favicon.ico",
    "/nowhere",
    "/%zz",
    "/worlds/a%20b/api/user",
  ])("the response to %s, whatever the method", async (path) => {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST", "PUT", unusedMethod]) {
      const { headers } = await send(new URL(own.mock.url + path), { method, timeoutMs });
      expect([method, headers["x-content-type-options"]]).toEqual([method, "nosniff"]);
    }
  });

  it.each([
    ["an unknown host", { Host: "evil.test" }],
    ["a page", { Origin: "https://evil.test" }],
  ])("the rejection of %s", async (_, headers) => {
    const response = await send(new URL(`${own.mock.url}/api/user`), { method: "GET", headers, timeoutMs });
    expect([response.status, response.headers["x-content-type-options"]]).toEqual([403, "nosniff"]);
  });
});

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
    ["another Content-Type", () => ask("GET", "{}", { headers: { "Content-Type": "text/plain" } }), 415, {}],
  ];

  it.each(cases)("for %s", async (_, make, status, wanted) => {
    const { status: got, headers } = await make();
    expect(got).toBe(status);
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => special.includes(name)))).toEqual(
      wanted,
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "usergroup-mock-request": "1",
    });
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(10_000);
    for (const name of ["x-powered-by", "etag"]) expect(headers).not.toHaveProperty(name);
  });

  it("have no policy for a page if there is no body", async () => {
    const { status, headers } = await ask("OPTIONS");
    expect(status).toBe(204);
    expect(headers).not.toHaveProperty("content-security-policy");
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
    const [response] = await exchange(own.mock.url, [request(parts)], options);
    expect(response?.headers.connection).toBe(connection);
    expect((await own.mock.requests())[0]?.response?.headers).toEqual(response?.headers);
  });
});
