import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Mock, startMock } from "../../src/index.js";
import { type Client, headersOf, script, usesTheService } from "../server/clients/uses-the-service.js";
import { installInCache } from "./install-in-cache.mjs";

const folder = await installInCache("http-clients", ["axios@1", "got@14", "superagent@10", "undici@7"]);
const load = createRequire(join(folder, "package.json"));
const { default: axios } = load("axios");
const { default: got } = load("got");
const superagent = load("superagent");
const undici = load("undici");

/** Without the second compiler, such a short program takes a third less time. */
const javaOptions = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** test/server/clients.test.ts has the clients that need no registry. */
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
