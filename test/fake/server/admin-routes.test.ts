import request from "supertest";
import { describe, expect, it } from "vitest";
import { adminCall, adminCallIds } from "../../../src/fake/contract/admin-calls.js";
import { getOrCreate, rotate } from "../../call.js";
import { ownMock } from "../world/own-world.js";

const own = ownMock();

const admin = () => request(own.mock.url);

describe("the admin API", () => {
  it("returns its health", async () => {
    const { status, body } = await admin().get("/__admin/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ok", version: "1.0.0", world: "default", worlds: 1, groups: 5 });
    expect(body.uptimeMs).toBeGreaterThan(0);
  });

  it("counts the groups that are new or have changed", async () => {
    const { url } = own.mock.world("changed");
    const count = async () => (await request(url).get("/__admin/health")).body.changedGroups;
    const [seeded] = await own.mock.groups();
    await getOrCreate(url, { user_group_id: seeded?.provided_id });
    expect(await count()).toBe(0);
    await rotate(url, seeded?.token ?? "");
    await getOrCreate(url, { user_group_id: "new", name: "New" });
    expect(await count()).toBe(2);
  });

  it("returns a body character by character, and 404 for an unknown request", async () => {
    const sent = '{ "user_group_id": 9007199254740993 }';
    await getOrCreate(own.mock.url, sent);
    expect((await admin().get("/__admin/requests/1/body")).body).toMatchObject({ request: sent });
    expect((await admin().get("/__admin/requests/2/body")).status).toBe(404);
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
      const { status, text } = await request(own.mock.url).head(`/worlds/unused/__admin${path}`);
      expect([path, status, text ?? ""]).toEqual([path, 200, ""]);
    }
    expect((await own.mock.worlds()).map(({ name }) => name)).not.toContain("unused");
  });

  it.each(["/__admin/Health", "/__admin/health/", "/__ADMIN/health", "/__admin//health"])(
    "has exact paths: %s",
    async (path) => {
      expect((await admin().get(path)).status).toBe(404);
    },
  );

  it("rejects an unknown path with 404, and another method with 405 and Allow", async () => {
    const nowhere = await admin().get("/__admin/nowhere?x=1");
    expect([nowhere.status, nowhere.body.error]).toEqual([
      404,
      {
        code: "not_found",
        message: "There is no GET /__admin/nowhere?x=1. See /__admin/openapi.json for all paths.",
      },
    ]);
    const wrong = await admin().put("/__admin/faults").send({});
    expect([wrong.status, wrong.headers.allow, wrong.body.error]).toEqual([
      405,
      "GET, HEAD, POST, DELETE",
      {
        code: "method_not_allowed",
        message: "PUT is not allowed here. Use GET, HEAD, POST or DELETE.",
      },
    ]);
  });
});
