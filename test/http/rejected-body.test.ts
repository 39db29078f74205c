import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { maskBody, maskedToken } from "../../src/world/journal/mask.js";
import { call, getOrCreate, rotate } from "../call.js";
import { seededToken } from "../seeded.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock({ bodyLimit: 1_000 });
});
afterAll(() => mock.stop());
beforeEach(() => mock.reset());

const apiToken = "nobody's";

describe("the body of a request with a wrong API token", () => {
  it("is in the journal, character by character", async () => {
    const sent = '{ "user_group_id": "a",  "name": 1.0 }';
    expect((await getOrCreate(mock.url, sent, { apiToken })).status).toBe(401);
    const [entry] = await mock.requests();
    expect(entry?.request.body).toEqual({ user_group_id: "a", name: 1 });
    const { body } = await call("GET", `${mock.url}/__admin/requests/1/body`);
    expect(body.request).toBe(sent);
  });

  it("has no token that the mock did not issue", async () => {
    const foreign = "e".repeat(64);
    await rotate(mock.url, seededToken, { apiToken });
    await rotate(mock.url, foreign, { apiToken });
    const bodies = (await mock.requests()).map(({ request }) => request.body);
    expect(bodies).toEqual([{ current_token: seededToken }, { current_token: "********eeee" }]);
    expect(JSON.stringify(await mock.har())).not.toContain(foreign);
  });

  it("is kept up to the limit, and answered with 401", async () => {
    const answer = await getOrCreate(mock.url, { user_group_id: "a", name: "n".repeat(3_000) }, { apiToken });
    expect(answer.status).toBe(401);
    const [entry] = await mock.requests();
    expect(String(entry?.request.body)).toHaveLength(1_000);
  });

  it("is kept as far as it arrives within a second, and the response is 401", async () => {
    const { hostname, port } = new URL(mock.url);
    const socket = connect(Number(port), hostname);
    const head = `GET /api/user HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Token ${apiToken}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"user_group_id": "a"`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
    const [entry] = await mock.requests();
    expect(entry?.request.body).toBe('{"user_group_id": "a"');
    expect(entry?.durationMs).toBeGreaterThan(900);
    expect(await mock.groups()).toHaveLength(5);
  });

  it("is not waited for where there is none, or where it is compressed", async () => {
    const began = performance.now();
    expect((await call("GET", `${mock.url}/api/user`, undefined, { apiToken })).status).toBe(401);
    const headers = { "Content-Encoding": "gzip" };
    expect((await getOrCreate(mock.url, "{}", { apiToken, headers })).status).toBe(401);
    const entries = await mock.requests();
    expect(entries.map(({ request }) => request.body)).toEqual([null, null]);
    expect(performance.now() - began).toBeLessThan(900);
  });
});

describe("a mask", () => {
  it("shows the last four characters of a token that is long enough", () => {
    expect(maskedToken("0123456789abcdef")).toBe("********cdef");
    expect(maskedToken("0123456789abcde")).toBe("********");
    expect(maskedToken("two words of a secret")).toBe("********");
  });

  it.each([
    ['{"current_token":"abc"}', '{"current_token":"********"}'],
    ['{"current_token":"mine"}', '{"current_token":"mine"}'],
    ['{"properties":{"apiKey":"abc","n":1}}', '{"properties":{"apiKey":"********","n":1}}'],
    ['{"current_token": "abc", broken', '{"current_token": "********", broken'],
    ['{"current_token": "cut of', '{"current_token": "********'],
    ['{"name": "abc"', '{"name": "abc"'],
  ])("hides secrets in %s", (text, shown) => {
    expect(maskBody(text, (token) => token === "mine")).toBe(shown);
  });

  it("hides a secret in a body that nests deep", () => {
    const deep = `${"[".repeat(50_000)}{"token":"abc"}${"]".repeat(50_000)}`;
    expect(maskBody(deep, () => false)).not.toContain("abc");
  });
});
