import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("a base URL in a browser", () => {
  it.each([
    ["/", "/__admin/"],
    ["/?x=1", "/__admin/"],
    ["/worlds/w3", "/worlds/w3/__admin/"],
    ["/worlds/w3/", "/worlds/w3/__admin/"],
  ])("redirects to the inspector: %s", async (path, inspector) => {
    const response = await request(own.mock.url).get(path).set("Accept", html);
    expect([response.status, response.text]).toEqual([302, ""]);
    const { pathname } = new URL(response.headers.location ?? "", own.mock.url + path);
    expect(pathname).toBe(inspector);
    expect(await own.mock.requests()).toEqual([]);
    expect((await own.mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it.each(["/api/user", "/worlds/", "/nowhere", "//evil.test"])(
    "is not redirected at another path: %s",
    async (path) => {
      const response = await request(own.mock.url).get(path).set("Accept", html);
      expect([400, 401, 404]).toContain(response.status);
    },
  );

  it("redirects tools that wait for the mock, with GET and HEAD, and is in no journal", async () => {
    expect((await request(own.mock.url).get("/")).status).toBe(302);
    expect((await request(own.mock.url).head("/")).status).toBe(302);
    expect(await own.mock.requests()).toEqual([]);
  });

  it("is a request to the service with Authorization, or with another method", async () => {
    expect((await request(own.mock.url).get("/").set("Authorization", "Token x")).status).toBe(404);
    expect((await request(own.mock.url).post("/").set("Accept", html)).status).toBe(404);
    expect((await own.mock.requests()).map(({ request }) => `${request.method} ${request.path}`)).toEqual([
      "GET /",
      "POST /",
    ]);
  });
});

describe("behind a proxy that adds a prefix", () => {
  it.each(["", "/worlds/w3"])("redirects and OpenAPI lead back to the proxy: %s", async (world) => {
    const proxy = createServer((req, res) => {
      const path = req.url?.replace(/^\/mock(?=\/)/, "");
      const options = { method: req.method, path, headers: req.headers };
      const passed = send(own.mock.url, options, (from) => {
        res.writeHead(from.statusCode ?? 0, from.headers);
        from.pipe(res);
      });
      req.pipe(passed);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const root = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mock${world}`;
    const page = await fetch(`${root}/`);
    expect([page.status, page.url]).toEqual([200, `${root}/__admin/`]);
    const document = await fetch(`${root}/__admin/openapi.json`);
    const { servers } = (await document.json()) as { servers: { url: string }[] };
    expect(new URL(servers[0]?.url ?? "", document.url).href).toBe(`${root}/`);
    proxy.close();
  });
});
