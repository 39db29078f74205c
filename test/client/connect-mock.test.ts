import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { readMockUrl } from "../../src/client/mock-url.js";
import { startMock } from "../../src/client/start-mock.js";
import { rejectionOf } from "../fake/world/rejection.js";

describe("connectMock", () => {
  it("rejects an unknown option, and suggests the closest match", async () => {
    const connected = Reflect.apply(connectMock, undefined, ["http://127.0.0.1:1", { adminTokn: "s3cret" }]);
    await expect(connected).rejects.toThrow("connectMock has no option adminTokn; did you mean adminToken?");
  });

  /** The URL of a server on a free port, which is closed after the test. */
  async function serve(server: Server): Promise<string> {
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const json =
    (status: number, body: unknown): RequestListener =>
    (_req, res) => {
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };

  it.each(["/", "\n", "/\n"])("accepts a URL that ends with %j, as in a ready file", async (end) => {
    await using mock = await startMock();
    expect((await connectMock(`${mock.url}${end}`)).url).toBe(mock.url);
    expect((await connectMock(`${mock.url}/worlds/w1${end}`)).url).toBe(`${mock.url}/worlds/w1`);
  });

  it("accepts a URL below the path of a proxy", () => {
    const read = (path: string) => readMockUrl(`https://proxy.test${path}`, "connectMock", "");
    expect(read("/base/")).toEqual({ root: "https://proxy.test/base", world: undefined });
    expect(read("/base/worlds/w1")).toEqual({ root: "https://proxy.test/base", world: "w1" });
  });

  it.each(["/?x=1", "/#x", "?x"])("rejects a URL with a query or a fragment: %s", async (end) => {
    await using mock = await startMock();
    await expect(connectMock(`${mock.url}${end}`)).rejects.toMatchObject({ code: "invalid_option" });
    expect(await mock.requests()).toEqual([]);
  });

  it.each(["user:secret-7f3a@", "secret-7f3a@", "a:%zz@"])(
    "rejects a URL with credentials, and does not repeat them: %s",
    async (credentials) => {
      await using mock = await startMock({ adminToken: "secret-7f3a" });
      const rejected = connectMock(mock.url.replace("//", `//${credentials}`));
      const { code, message } = await rejectionOf(rejected);
      expect([code, message]).toEqual([
        "invalid_option",
        expect.stringContaining("use the option adminToken"),
      ]);
      expect(message).not.toMatch(/secret|%zz/);
    },
  );

  it("works again after the mock was restarted on its port", async () => {
    const mock = await startMock();
    const world = await connectMock(mock.url);
    await mock.stop();
    await expect(world.reset()).rejects.toMatchObject({ name: "MockError", code: "unreachable" });
    await using _again = await startMock({ port: Number(new URL(mock.url).port) });
    await world.reset();
    expect((await world.health()).groups).toBe(5);
  });

  it("has the API token of the seed again after a world with another one was dropped", async () => {
    await using mock = await startMock();
    const world = (await connectMock(mock.url)).world("w");
    await world.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    expect(world.apiToken).toBe("nine");
    await world.drop();
    expect(world.apiToken).toBe(mock.apiToken);
  });

  it("has the API token of a state that another client has loaded, until it resets the world", async () => {
    await using mock = await startMock();
    const { apiToken } = mock;
    await mock.load({ teams: [{ team_id: 9, api_tokens: ["nine"] }] });
    const world = await connectMock(mock.url);
    expect(world.apiToken).toBe("nine");
    await world.reset();
    expect(world.apiToken).toBe(apiToken);
  });

  it("accepts null as options, and ignores invalid details of an error", async () => {
    await using mock = await startMock();
    expect((await Reflect.apply(connectMock, undefined, [mock.url, null])).url).toBe(mock.url);
    const odd = createServer(json(400, { error: { code: "odd", message: "Odd.", details: [null, "x"] } }));
    expect(await rejectionOf(connectMock(await serve(odd)))).toMatchObject({ code: "odd", details: [] });
  });

  it("leaves no connection open", async () => {
    await using mock = await startMock();
    const open = new Set<Socket>();
    const proxy = createTcpServer((socket) => {
      open.add(socket.on("close", () => open.delete(socket)));
      socket.pipe(connect(Number(new URL(mock.url).port), "127.0.0.1")).pipe(socket);
    });
    const world = await connectMock(await serve(proxy));
    await world.health();
    await world.reset();
    await expect.poll(() => open.size).toBe(0);
  });

  it("rejects if nothing listens, with the URL and what to do", async () => {
    const mock = await startMock();
    await mock.stop();
    const { code, message } = await rejectionOf(connectMock(mock.url));
    expect(code).toBe("unreachable");
    expect(message).toContain(mock.url);
    expect(message).toMatch(/ECONNREFUSED.*Start it, or fix the URL/);
  });

  it.each<[what: string, server: () => Server]>([
    ["an HTML page", () => createServer((_req, res) => res.end("<!doctype html><title>A site</title>"))],
    ["other JSON", () => createServer(json(200, { hello: "world" }))],
    ["JSON null", () => createServer(json(200, null))],
    ["invalid teams", () => createServer(json(200, { teams: [null] }))],
    ["invalid API tokens", () => createServer(json(200, { teams: [{ api_tokens: 5 }] }))],
    ["404 and an error as text", () => createServer(json(404, { error: "Not Found" }))],
    ["a redirect", () => createServer((_req, res) => res.writeHead(302, { Location: "/login" }).end())],
    [
      "something that is not HTTP",
      () => createTcpServer((socket) => socket.resume().end("220 mail.test ESMTP\r\n")),
    ],
    ["a closed connection", () => createTcpServer((socket) => socket.destroy())],
  ])("rejects a server that is not a usergroup-mock, and responds with %s", async (_, make) => {
    const url = await serve(make());
    const { code, message } = await rejectionOf(connectMock(url));
    expect([code, message]).toEqual(["unreachable", expect.stringContaining(url)]);
  });

  it.each(["", "127.0.0.1:4010", "//localhost:4010", "ftp://localhost:4010", undefined])(
    "rejects an invalid URL, and names what it needs: %j",
    async (url) => {
      // In JavaScript, an environment variable that is not set is undefined.
      const { code, message } = await rejectionOf(Reflect.apply(connectMock, undefined, [url]));
      expect([code, message]).toEqual(["invalid_option", expect.stringContaining("needs the URL")]);
    },
  );
});
