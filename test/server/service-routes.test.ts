import request from "supertest";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allowedMethods } from "../../src/contract/operations.js";
import { type Mock, startMock } from "../../src/index.js";
import { call } from "../call.js";
import { seededToken } from "../seeded.js";
import { unusedMethods } from "../unused-methods.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const get = (body?: object, apiToken = "test-api-token") =>
  request(mock.url).get("/api/user").set("Authorization", `Token ${apiToken}`).send(body);
const post = (body?: object, apiToken = "test-api-token") =>
  request(mock.url).post("/api/user").set("Authorization", `Token ${apiToken}`).send(body);

const seeded = {
  team_id: 3,
  token: seededToken,
  name: "Example 1",
  provided_id: "example_1",
};

describe("get-or-create", () => {
  it("returns the four fields of an existing group", async () => {
    const { status, body, headers } = await get({ user_group_id: "example_1" });
    expect(status).toBe(200);
    expect(body).toEqual({ success: 1, new_user_group: false, user_group: seeded });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["usergroup-mock-request"]).toBe("1");
    expect(headers).not.toHaveProperty("usergroup-mock-assumed");
  });

  it("creates a new group, and returns it with the same token afterwards", async () => {
    const sent = { user_group_id: "new", name: "New", mapping: { "40": "213" }, properties: { a: [1] } };
    const first = await get(sent);
    expect(first.body).toEqual({
      success: 1,
      new_user_group: true,
      user_group: {
        team_id: 3,
        token: expect.stringMatching(/^[0-9a-f]{64}$/),
        name: "New",
        provided_id: "new",
      },
    });
    expect(first.status).toBe(200);
    expect(first.headers["usergroup-mock-assumed"]).toBe("created-status=200");
    const second = await get(sent);
    expect(second.body).toEqual({ ...first.body, new_user_group: false });
    const { user_groups = [] } = await mock.state();
    expect(user_groups.find(({ provided_id }) => provided_id === "new")).toEqual({
      ...first.body.user_group,
      mapping: { "40": "213" },
      properties: { a: [1] },
    });
  });

  it("keeps groups of two teams with one id separate", async () => {
    const other = await get({ user_group_id: "example_1" }, "other-api-token");
    expect(other.body.user_group).toMatchObject({ team_id: 4, name: "The same id in another team" });
  });

  it("does not create a group without a name", async () => {
    const { status, body } = await get({ user_group_id: "nameless" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: "invalid_body",
      details: [{ path: "/name", message: "is required to create a group" }],
    });
    expect((await mock.health()).groups).toBe(5);
  });

  it("lists every error of a body", async () => {
    const { status, body } = await get({
      user_group_id: 7,
      name: "",
      mapping: { "40": 1, "a/b": null },
      properties: 1,
    });
    expect(status).toBe(400);
    expect(body.success).toBe(0);
    expect(body.error.code).toBe("invalid_body");
    expect(body.error.message).toContain("Invalid body for get-or-create: /user_group_id must be string");
    expect(body.error.message).toContain("and 2 more");
    expect(body.error.details).toEqual([
      { path: "/user_group_id", message: "must be string" },
      { path: "/name", message: "must not be empty" },
      { path: "/mapping/40", message: "must be string" },
      { path: "/mapping/a~1b", message: "must be string" },
      { path: "/properties", message: "must be object" },
    ]);
  });
});

describe("rotate", () => {
  it("issues a new token, and rejects the old one", async () => {
    const rotated = await post({ current_token: seeded.token });
    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({
      success: 1,
      user_group: { ...seeded, token: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(rotated.body.user_group.token).not.toBe(seeded.token);
    expect((await get({ user_group_id: "example_1" })).body.user_group).toEqual(rotated.body.user_group);

    const again = await post({ current_token: seeded.token });
    expect(again.status).toBe(404);
    expect(again.body.error).toMatchObject({
      code: "unknown_token",
      message: expect.stringContaining("was rotated out by request 1."),
    });
    expect(again.headers["usergroup-mock-assumed"]).toBe(
      "old-token=rejected, failure-status=by-kind, failure-body=error-object",
    );
  });

  it("ignores filename", async () => {
    const { status } = await post({ current_token: seeded.token, filename: "film.mp4" });
    expect(status).toBe(200);
  });

  it("rejects the token of another team's group", async () => {
    const { status, body, headers } = await post({ current_token: seeded.token }, "other-api-token");
    expect(status).toBe(404);
    expect(body.error.code).toBe("unknown_token");
    expect(headers["usergroup-mock-assumed"]).toContain("foreign-token=rejected");
    expect((await post({ current_token: seeded.token })).status).toBe(200);
  });

  it("rejects a token that was never issued", async () => {
    const { status, body, headers } = await post({ current_token: "f".repeat(64) });
    expect([status, body.error.code]).toEqual([404, "unknown_token"]);
    expect(headers["usergroup-mock-assumed"]).toBe("failure-status=by-kind, failure-body=error-object");
  });
});

describe("/api/user", () => {
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
  ])("rejects %s with 401", async (_, header, message) => {
    const sent = request(mock.url).get("/api/user").send({ user_group_id: "a", name: "A" });
    const { status, body, headers } = await (header === undefined ? sent : sent.set("Authorization", header));
    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Token");
    expect(body).toEqual({
      success: 0,
      error: { code: "unauthorized", message: expect.stringContaining(message) },
    });
    expect(JSON.stringify(body)).not.toContain("production-secret");
    expect((await mock.health()).groups).toBe(5);
  });

  it("rejects other methods with 405, and HEAD creates nothing", async () => {
    for (const method of unusedMethods) {
      const { status, headers, body } = await call(method, `${mock.url}/api/user`);
      expect([status, headers.allow, body.error.code]).toEqual([405, allowedMethods, "method_not_allowed"]);
    }
    const head = await request(mock.url).head("/api/user").set("Authorization", "Token test-api-token");
    expect([head.status, head.headers.allow, head.text]).toEqual([405, allowedMethods, undefined]);
    // A response to HEAD has no body, so the assumption failure-body does not decide it.
    expect(head.headers["usergroup-mock-assumed"]).toBe("failure-status=by-kind");
    expect((await mock.health()).groups).toBe(5);
  });

  it("gets 204 with Allow and without CORS headers for OPTIONS", async () => {
    const { status, headers } = await request(mock.url).options("/api/user");
    expect([status, headers.allow]).toEqual([204, allowedMethods]);
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it.each(["/", "/api", "/api/users", "/api/user/", "/videos", "/API/USER"])(
    "gets 404 in JSON at %s",
    async (path) => {
      const { status, body, headers } = await request(mock.url).post(path).send({});
      expect(status).toBe(404);
      expect(body.error).toEqual({
        code: "not_found",
        message: expect.stringContaining(`There is no POST ${path}.`),
      });
      expect(headers["usergroup-mock-request"]).toBe("1");
    },
  );

  it("explains why a GET without a body failed", async () => {
    const { status, body } = await get();
    expect([status, body.error.code]).toEqual([400, "missing_body"]);
    expect(body.error.message).toContain("Many HTTP clients drop the body of a GET");
    expect((await post()).body.error.message).not.toContain("Many HTTP clients");
  });

  it("never gets a 304, and is not cached", async () => {
    const first = await get({ user_group_id: "example_1" });
    expect(first.headers).not.toHaveProperty("etag");
    expect(first.headers["cache-control"]).toBe("no-store");
    const second = await get({ user_group_id: "example_1" }).set("If-None-Match", "*");
    expect(second.status).toBe(200);
  });

  it("numbers requests without a gap", async () => {
    const ids = [];
    for (const sent of [
      get({ user_group_id: "example_1" }),
      get(),
      post({}),
      request(mock.url).get("/nowhere"),
    ]) {
      ids.push((await sent).headers["usergroup-mock-request"]);
    }
    expect(ids).toEqual(["1", "2", "3", "4"]);
  });
});

describe("concurrent requests", () => {
  it("create a group once", async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => get({ user_group_id: "race", name: "Race" })),
    );
    expect(responses.filter(({ body }) => body.new_user_group)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body.user_group.token)).size).toBe(1);
  });

  it("rotate a token once", async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => post({ current_token: seeded.token })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(404)]);
  });
});
