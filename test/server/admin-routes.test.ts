import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import request from "supertest";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminCall, adminCallIds } from "../../src/contract/admin-calls.js";
import { operationIds, operations, servicePath } from "../../src/contract/operations.js";
import { type Mock, startMock } from "../../src/index.js";
import { call, getOrCreate, rotate } from "../call.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const admin = () => request(mock.url);

describe("the admin API", () => {
  it("returns its health", async () => {
    const { status, body } = await admin().get("/__admin/health");
    expect(status).toBe(200);
    expect(body).toEqual({
      status: "ok",
      version: "1.0.0",
      world: "default",
      worlds: 1,
      groups: 5,
      uptimeMs: expect.any(Number),
    });
    expect(body.uptimeMs).toBeGreaterThan(0);
  });

  it("resets to the seed, and counts requests from 1 again", async () => {
    await getOrCreate(mock.url, { user_group_id: "a", name: "A" });
    const { status, body } = await admin().post("/__admin/reset");
    expect([status, body]).toEqual([200, { status: "ok" }]);
    const { body: state } = await admin().get("/__admin/state");
    expect(state.user_groups).toHaveLength(5);
    const { headers } = await getOrCreate(mock.url, { user_group_id: "example_1" });
    expect(headers["usergroup-mock-request"]).toBe("1");
  });

  it("lists groups with seeded and rotations", async () => {
    const created = await getOrCreate(mock.url, { user_group_id: "a", name: "A", mapping: { "40": "1" } });
    const { token } = created.body.user_group;
    const rotated = await rotate(mock.url, token);
    const { status, body } = await admin().get("/__admin/groups");
    expect(status).toBe(200);
    expect(body.groups).toHaveLength(6);
    expect(body.groups[0]).toMatchObject({ provided_id: "example_1", seeded: true, rotations: 0 });
    expect(body.groups).toContainEqual({
      team_id: 3,
      provided_id: "a",
      name: "A",
      token: rotated.body.user_group.token,
      mapping: { "40": "1" },
      properties: {},
      seeded: false,
      rotations: 1,
    });
  });

  it("returns a body character by character", async () => {
    const sent = '{ "user_group_id": 9007199254740993 }';
    await getOrCreate(mock.url, sent);
    await getOrCreate(mock.url, sent, { apiToken: "unknown" });
    expect((await admin().get("/__admin/requests/1/body")).body).toMatchObject({ request: sent });
    expect((await admin().get("/__admin/requests/2/body")).body).toMatchObject({ request: sent });
    expect((await admin().get("/__admin/requests/3/body")).status).toBe(404);
  });

  it("replaces the state until the next reset", async () => {
    const state = {
      teams: [{ team_id: 9, api_tokens: ["nine"] }],
      user_groups: [{ team_id: 9, provided_id: "x", name: "X" }],
    };
    const put = await admin().put("/__admin/state").send(state);
    expect([put.status, put.body]).toEqual([200, { status: "ok" }]);
    expect((await getOrCreate(mock.url, { user_group_id: "x" }, { apiToken: "nine" })).status).toBe(200);
    expect((await getOrCreate(mock.url, { user_group_id: "x" })).status).toBe(401);
    await admin().post("/__admin/reset");
    expect((await getOrCreate(mock.url, { user_group_id: "example_1" })).status).toBe(200);
  });

  it("rejects an invalid state with every error, and changes nothing", async () => {
    const before = await mock.state();
    const { status, body } = await admin()
      .put("/__admin/state")
      .send({ teams: [{ team_id: "9", api_tokens: [] }], user_groups: [{}] });
    expect(status).toBe(400);
    expect(body.error.code).toBe("invalid_fixture");
    expect(body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      "/teams/0/team_id",
      "/user_groups/0/team_id",
      "/user_groups/0/provided_id",
      "/user_groups/0/name",
    ]);
    expect(await mock.state()).toEqual(before);
  });

  it.each([
    ["no body", undefined, "application/json", 400, "missing_body"],
    ["invalid JSON", "{", "application/json", 400, "invalid_json"],
    ["another Content-Type", "{}", "text/plain", 415, "unsupported_media_type"],
  ])("rejects a state with %s", async (_, text, type, status, code) => {
    const response = await admin().put("/__admin/state").set("Content-Type", type).send(text);
    expect([response.status, response.body.error.code]).toEqual([status, code]);
  });

  it("responds to HEAD wherever it responds to GET, and opens no event stream", async () => {
    const paths = adminCallIds.map((id) => adminCall(id)).filter(({ method }) => method === "GET");
    for (const { path } of paths.filter((call) => !call.path.includes("{"))) {
      const { status, text } = await request(mock.url).head(`/worlds/unused/__admin${path}`);
      expect([path, status, text ?? ""]).toEqual([path, 200, ""]);
    }
    expect((await mock.worlds()).map(({ name }) => name)).not.toContain("unused");
  });

  it("rejects an unknown path with 404, and another method with 405 and Allow", async () => {
    const nowhere = await admin().get("/__admin/nowhere");
    expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "not_found"]);
    const wrong = await admin().delete("/__admin/state");
    expect([wrong.status, wrong.headers.allow, wrong.body.error.code]).toEqual([
      405,
      "GET, HEAD, PUT",
      "method_not_allowed",
    ]);
  });
});

describe("GET /__admin/openapi.json", () => {
  const documented = async () => {
    const { body } = await admin().get("/__admin/openapi.json");
    return Object.entries<object>(body.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
      .sort();
  };

  it.each([
    ["", "/"],
    ["/worlds/w3", "/worlds/w3"],
  ])("names the base path of its world: %j", async (base, url) => {
    const { body } = await call("GET", `${mock.url}${base}/__admin/openapi.json`);
    expect(body.servers).toEqual([{ url }]);
  });

  it("lists only calls that exist", async () => {
    for (const line of (await documented()).filter((line) => !/events|html$/.test(line))) {
      const [method = "", path = ""] = line.split(" ");
      const sent = path.endsWith("/wait") ? { timeoutMs: 1 } : undefined;
      const { status, body } = await call(method, `${mock.url}${path.replace(/\{\w+\}/, "7")}`, sent);
      expect([line, status, body.error?.code]).not.toEqual([line, 405, "method_not_allowed"]);
      expect([line, status, body.error?.code]).not.toEqual([line, 404, "not_found"]);
    }
  });

  it("lists the calls of docs/admin-api.md, and no others", async () => {
    const readme = readFileSync(new URL("../../docs/admin-api.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| `([A-Z]+ \/__admin[^`]*)` \|/gm)].map(([, call = ""]) => call);
    const service = operationIds.map((id) => `${operations[id].method} ${servicePath}`);
    expect([...listed, ...service].sort()).toEqual(await documented());
  });

  it("includes the schemas of --schemas", async () => {
    const folder = fileURLToPath(new URL("../contract/stricter-schemas", import.meta.url));
    await using strict = await startMock({ schemas: folder });
    const { body } = await request(strict.url).get("/__admin/openapi.json");
    expect(body.components.schemas.GetOrCreateRequest.allOf[1].required).toEqual(["properties"]);
  });
});
