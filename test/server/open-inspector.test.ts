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
  ])("redirects to the inspector: %s", async (path, location) => {
    const response = await request(own.mock.url).get(path).set("Accept", html);
    expect([response.status, response.headers.location, response.text]).toEqual([302, location, ""]);
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
