import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { type Client, headersOf, script, usesTheService } from "../heavy/clients/uses-the-service.js";
import { installInCache } from "./install-in-cache.mjs";

const folder = await installInCache("http-clients", [
  ...(["axios@1", "got@14", "superagent@10", "undici@7"] as const),
  ...(["needle@3", "ky@1", "node-fetch@3"] as const),
]);
const load = createRequire(join(folder, "package.json"));
const { default: axios } = load("axios");
const { default: got } = load("got");
const superagent = load("superagent");
const undici = load("undici");
const needle = load("needle");
const { default: ky } = await import(load.resolve("ky"));
const { default: nodeFetch } = await import(load.resolve("node-fetch"));

/** Without the second compiler, such a short program takes a third less time. */
const javaOptions = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** test/heavy/clients.test.ts has the clients that need no registry. */
const clients: Readonly<Record<string, Client>> = {
  axios: {
    send: async ({ method, url, body: data, ...sent }) => {
      const response = await axios.request({ method, url, headers: headersOf(sent), data, proxy: false });
      return { status: response.status, body: response.data };
    },
  },
  got: {
    send: async ({ method, url, body, ...sent }) => {
      const response = await got(url, { method, headers: headersOf(sent), body, allowGetBody: true });
      return { status: response.statusCode, body: JSON.parse(response.body) };
    },
  },
  superagent: {
    send: async ({ method, url, body, ...sent }) => {
      const response = await superagent(method, url).set(headersOf(sent)).send(body);
      return { status: response.status, body: response.body };
    },
  },
  needle: {
    send: async ({ method, url, body, ...sent }) => {
      const options = { headers: headersOf(sent), json: true };
      const response = await needle(method.toLowerCase(), url, JSON.parse(body), options);
      return { status: response.statusCode, body: response.body };
    },
  },
  undici: {
    send: async ({ method, url, body, ...sent }) => {
      const response = await undici.request(url, { method, headers: headersOf(sent), body });
      return { status: response.statusCode, body: await response.body.json() };
    },
  },
  "undici with a stream, in chunks": {
    send: async ({ method, url, body, ...sent }) => {
      const stream = Readable.from([body.slice(0, 10), body.slice(10)]);
      const response = await undici.request(url, { method, headers: headersOf(sent), body: stream });
      return { status: response.statusCode, body: await response.body.json() };
    },
  },
  // By default, it requests an upgrade to HTTP/2.
  "Java's HttpClient": {
    program: "java",
    send: (sent) => script("java", javaOptions, "UserCall.java", sent),
  },
};

const withBody = { method: "GET", body: "{}" };

const others: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  fetch: (url) => fetch(url, withBody),
  ky: async (url) => ky(url, withBody),
  "node-fetch": (url) => nodeFetch(url, withBody),
  "axios with the adapter fetch": (url) => axios.get(url, { data: "{}", adapter: "fetch" }),
};

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

describe("clients that send a body with a GET", () => {
  it.for(Object.entries(clients))("%s creates, gets and rotates", async ([id, client], context) => {
    await mock.reset();
    await usesTheService(mock, id, client, context);
    expect(await mock.requests()).toHaveLength(3);
  });
});

describe("clients that cannot send a body with a GET", () => {
  it.each(Object.entries(others))("%s rejects it", async (_, send) => {
    await mock.reset();
    await expect(send(`${mock.url}/api/user`)).rejects.toThrow("GET/HEAD method cannot have body");
    expect(await mock.requests()).toEqual([]);
  });
});

describe("a client that retries a GET by itself", () => {
  it("is got: after one 503 there are two requests", async () => {
    await mock.reset();
    await mock.fault({ status: 503 });
    const headers = headersOf({ authorization: `Token ${mock.apiToken}` });
    const json = { user_group_id: "a", name: "A" };
    await got(`${mock.url}/api/user`, { headers, json, allowGetBody: true });
    expect((await mock.requests()).map(({ outcome }) => outcome)).toEqual(["fault", "success"]);
  });
});
