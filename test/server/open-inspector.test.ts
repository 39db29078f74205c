import request from "supertest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.stop());

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

describe("a base URL in a browser", () => {
  it.each([
    ["/", "/__admin/"],
    ["/?x=1", "/__admin/"],
    ["/worlds/w3", "/worlds/w3/__admin/"],
    ["/worlds/w3/", "/worlds/w3/__admin/"],
  ])("redirects to the inspector: %s", async (path, location) => {
    const response = await request(mock.url).get(path).set("Accept", html);
    expect([response.status, response.headers.location, response.text]).toEqual([302, location, ""]);
    expect(await mock.requests()).toEqual([]);
    expect((await mock.worlds()).map(({ name }) => name)).toEqual(["default"]);
  });

  it.each(["/api/user", "/worlds/", "/nowhere", "//evil.test"])(
    "is not redirected at another path: %s",
    async (path) => {
      const response = await request(mock.url).get(path).set("Accept", html);
      expect([400, 401, 404]).toContain(response.status);
    },
  );

  it("redirects tools that wait for the mock, with GET and HEAD, and is in no journal", async () => {
    await mock.reset();
    expect((await request(mock.url).get("/")).status).toBe(302);
    expect((await request(mock.url).head("/")).status).toBe(302);
    expect(await mock.requests()).toEqual([]);
  });

  it("is a request to the service with Authorization, or with another method", async () => {
    await mock.reset();
    expect((await request(mock.url).get("/").set("Authorization", "Token x")).status).toBe(404);
    expect((await request(mock.url).post("/").set("Accept", html)).status).toBe(404);
    expect((await mock.requests()).map(({ request }) => `${request.method} ${request.path}`)).toEqual([
      "GET /",
      "POST /",
    ]);
  });
});
