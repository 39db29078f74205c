import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import request from "supertest";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fixedChoices } from "../src/fake/contract/assumptions.js";
import { allowedMethods } from "../src/fake/contract/operations.js";
import { type Mock, startMock } from "../src/index.js";
import { unusedMethods } from "./unused-methods.js";

// The interface document of the service as a test: in its order, in its words, and over the wire only.
//
// A title is a fact of the document. Where the document says "not shown", the mock fills the gap:
// - "created-status=200: …" is an assumption and one of its values, the default first. You choose another value with
//   `--assume`, in `startMock()` or, as here, over HTTP.
// - "fixed: …" is a gap that leaves you no choice.
//
// The dashboards and the SQL editor, which use tokens and properties, are not part of the interface.

let mock: Mock;
let baseUrl: string;
beforeAll(async () => {
  mock = await startMock();
  baseUrl = mock.url;
});
beforeEach(() => request(baseUrl).post("/__admin/reset").expect(200));
afterAll(() => mock.stop());

/** The API token of team 3, and that of team 4. */
const ours = "Token test-api-token";
const theirs = "Token other-api-token";

const call = (method: string, path = "/api/user") =>
  new request.Test(baseUrl, method, path).set("Authorization", ours).set("Content-Type", "application/json");

/** GET {base_url}/api/user */
const getOrCreate = (body: object) => call("get").send(body);

/** POST {base_url}/api/user */
const rotate = (current_token: unknown, more: object = {}) => call("post").send({ current_token, ...more });

const acme = { user_group_id: "acme", name: "Acme" };

/** The token of the group acme, which is created if it does not exist. */
async function tokenOfAcme(): Promise<string> {
  return (await getOrCreate(acme)).body.user_group.token;
}

/** The fields of the group acme that no response shows, from the admin API. */
async function storedAcme(): Promise<{ mapping: object; properties: object }> {
  const { body } = await request(baseUrl).get("/__admin/groups").expect(200);
  return body.groups.find((group: { provided_id: string }) => group.provided_id === "acme");
}

/** The values of each assumption that this file shows, in order. */
const shown: Record<string, string[]> = {};

/** A test of what the mock does with one value of an assumption. */
function assumed(id: string, value: string, fact: string, show: () => Promise<unknown>): void {
  shown[id] = [...(shown[id] ?? []), value];
  it(`${id}=${value}: ${fact}`, async () => {
    await request(baseUrl)
      .patch("/__admin/assumptions")
      .send({ [id]: value })
      .expect(200);
    await show();
  });
}

/** The fixed choices that this file does not show. */
const notShown = new Set<string>(Object.keys(fixedChoices));

/** A test of what the mock does and no option changes. */
function fixed(id: keyof typeof fixedChoices, show: () => Promise<unknown>): void {
  notShown.delete(id);
  it(`fixed: ${fixedChoices[id]}`, show);
}

describe("What the service does", () => {
  it("a user group belongs to a team and carries a token", async () => {
    const { body } = await getOrCreate(acme).expect(200);
    expect(body.user_group).toMatchObject({ team_id: 3, token: expect.any(String) });
  });

  it("1. GET /api/user looks up or creates a user group that the caller identifies with the caller's own id", async () => {
    const created = await getOrCreate(acme).expect(200);
    const lookedUp = await getOrCreate(acme).expect(200);
    expect(created.body.user_group.provided_id).toBe("acme");
    expect(lookedUp.body.user_group).toEqual(created.body.user_group);
  });

  it("it returns the user group and a flag saying whether it was newly created", async () => {
    expect((await getOrCreate(acme)).body).toMatchObject({ new_user_group: true, user_group: {} });
    expect((await getOrCreate(acme)).body).toMatchObject({ new_user_group: false, user_group: {} });
  });

  it("2. POST /api/user takes the user group's current token and returns the user group", async () => {
    const { body } = await rotate(await tokenOfAcme()).expect(200);
    expect(body.user_group).toMatchObject({ team_id: 3, name: "Acme", provided_id: "acme" });
  });

  it("the token being sent is the one to rotate, and the returned user group carries a token", async () => {
    const { body } = await rotate(await tokenOfAcme()).expect(200);
    expect(body.user_group.token).toBe(await tokenOfAcme());
  });

  describe("whether it is another token: not shown", () => {
    assumed("rotated-token", "new", "it is", async () => {
      const before = await tokenOfAcme();
      expect((await rotate(before).expect(200)).body.user_group.token).not.toBe(before);
    });

    assumed("rotated-token", "same", "it is not", async () => {
      const before = await tokenOfAcme();
      expect((await rotate(before).expect(200)).body.user_group.token).toBe(before);
    });
  });

  describe("scope of the service beyond these two operations: not shown", () => {
    it("OPTIONS gets 204; HEAD, PUT and other methods get 405, other paths 404", async () => {
      await call("options").expect(204);
      for (const method of [...unusedMethods, "HEAD"])
        await call(method).expect(405).expect("Allow", allowedMethods);
      for (const path of ["/api/users", "/api/user/acme"]) await call("get", path).send(acme).expect(404);
    });
  });
});

describe("Resources and their fields", () => {
  describe("user group (response object user_group)", () => {
    it("team_id: number, the identifier of the team that owns the user group", async () => {
      expect((await getOrCreate(acme)).body.user_group.team_id).toBe(3);
      expect((await getOrCreate(acme).set("Authorization", theirs)).body.user_group.team_id).toBe(4);
    });

    it("token: string", async () => {
      expect((await getOrCreate(acme)).body.user_group.token).toEqual(expect.any(String));
    });

    it("name: string, the name of the user group", async () => {
      expect((await getOrCreate(acme)).body.user_group.name).toBe("Acme");
    });

    it("provided_id: string, which corresponds to the request field user_group_id", async () => {
      expect((await getOrCreate(acme)).body.user_group.provided_id).toBe("acme");
    });

    it("no other field", async () => {
      const { body } = await getOrCreate({ ...acme, mapping: { "40": "213" }, properties: { a: 1 } });
      expect(Object.keys(body.user_group).sort()).toEqual(["name", "provided_id", "team_id", "token"]);
    });
  });

  describe("request-side structures", () => {
    it("mapping: object, from schema id to data source", async () => {
      const mapping = { "40": "213", "41": "the id that the caller gave it" };
      await getOrCreate({ ...acme, mapping }).expect(200);
      expect((await storedAcme()).mapping).toEqual(mapping);
    });

    describe("its keys and values are strings in the shape shown; other values: not shown", () => {
      assumed("mapping-values", "rejected", "they are invalid", () =>
        getOrCreate({ ...acme, mapping: { "40": 213 } }).expect(400),
      );

      assumed("mapping-values", "accepted", "they are kept as sent", async () => {
        await getOrCreate({ ...acme, mapping: { "40": 213 } }).expect(200);
        expect((await storedAcme()).mapping).toEqual({ "40": 213 });
      });
    });

    it("properties: object, with free-form keys and values", async () => {
      const properties = { filterValue: "value", "any key": [1, null, { deep: true }], "": 0.5 };
      await getOrCreate({ ...acme, properties }).expect(200);
      expect((await storedAcme()).properties).toEqual(properties);
    });
  });

  describe("format and length constraints on token, name, provided_id, mapping keys and properties: not shown", () => {
    fixed("tokens", async () => {
      const token = await tokenOfAcme();
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(await tokenOfAcme()).toBe(token);
    });

    const text = ` Grüße 😀 \n"'<&%/\\ ${"x".repeat(10_000)}`;

    fixed("ids", async () => {
      for (const user_group_id of [text, "acme", "\u00e9", "e\u0301"]) {
        const { body } = await getOrCreate({ user_group_id, name: text }).expect(200);
        expect(body).toMatchObject({
          new_user_group: true,
          user_group: { provided_id: user_group_id, name: text },
        });
      }
      for (const user_group_id of ["a\0", "\ud800"])
        await getOrCreate({ user_group_id, name: "A" }).expect(400);
    });

    const foundAs = async (...ids: readonly string[]) => {
      await getOrCreate(acme).expect(200);
      const responses = [];
      for (const user_group_id of ids)
        responses.push(await getOrCreate({ user_group_id, name: "B" }).expect(200));
      return responses.map(({ body }) => !body.new_user_group && body.user_group.provided_id === "acme");
    };

    assumed("id-matching", "exact", "ids are compared character by character", async () => {
      expect(await foundAs("ACME", "acme ", " Acme ")).toEqual([false, false, false]);
    });

    assumed("id-matching", "any-case", "upper and lower case do not matter", async () => {
      expect(await foundAs("ACME", "acme ", " Acme ")).toEqual([true, false, false]);
    });

    assumed("id-matching", "trimmed", "white space at the ends does not matter", async () => {
      expect(await foundAs("ACME", "acme ", " Acme ")).toEqual([false, true, false]);
    });

    assumed("id-matching", "trimmed-any-case", "neither of them matters", async () => {
      expect(await foundAs("ACME", "acme ", " Acme ")).toEqual([true, true, true]);
    });

    const sameName = { user_group_id: "other", name: "Acme" };

    assumed("unique-names", "allowed", "two groups of a team may have the same name", async () => {
      await getOrCreate(acme).expect(200);
      await getOrCreate(sameName).expect(200);
    });

    assumed("unique-names", "rejected", "a name belongs to one group of a team", async () => {
      await getOrCreate(acme).expect(200);
      await getOrCreate(sameName).expect(409);
      await getOrCreate(acme).expect(200);
      await getOrCreate(sameName).set("Authorization", theirs).expect(200);
    });

    fixed("mapping", () => getOrCreate({ ...acme, mapping: { [text]: "no data source" } }).expect(200));

    fixed("properties", async () => {
      const properties = { [text]: [null, 1.5, { deep: true }] };
      await getOrCreate({ ...acme, properties }).expect(200);
      expect((await storedAcme()).properties).toEqual(properties);
    });

    it("`null` is rejected where a string or an object is expected", async () => {
      for (const field of ["user_group_id", "name", "mapping", "properties"])
        await getOrCreate({ ...acme, [field]: null }).expect(400);
      await rotate(null).expect(400);
    });

    fixed("equal-keys", async () => {
      const { body } = await call("get").send('{"user_group_id":"first","name":"A","user_group_id":"last"}');
      expect(body.user_group.provided_id).toBe("last");
    });

    assumed("numeric-ids", "rejected", "a number as user_group_id is invalid", () =>
      getOrCreate({ user_group_id: 42, name: "Forty-two" }).expect(400),
    );

    assumed("numeric-ids", "coerced", "a number as user_group_id becomes a string", async () => {
      const { body } = await getOrCreate({ user_group_id: 42, name: "Forty-two" }).expect(200);
      expect(body.user_group.provided_id).toBe("42");
    });

    assumed("empty-strings", "rejected", "an empty id, name or token is invalid", async () => {
      await getOrCreate({ user_group_id: "", name: "Acme" }).expect(400);
      await getOrCreate({ user_group_id: "acme", name: "" }).expect(400);
      await rotate("").expect(400);
    });

    assumed("empty-strings", "accepted", "an empty text is one like any other", async () => {
      const { body } = await getOrCreate({ user_group_id: "", name: "" }).expect(200);
      expect(body.user_group).toMatchObject({ provided_id: "", name: "" });
      await rotate("").expect(404);
    });
  });
});

describe("States and transitions", () => {
  describe("states and transitions of a user group: not shown", () => {
    fixed("existing-group", async () => {
      const first = await tokenOfAcme();
      const second = (await rotate(first).expect(200)).body.user_group.token;
      const third = (await rotate(second).expect(200)).body.user_group.token;
      const { body } = await getOrCreate({ user_group_id: "acme" }).expect(200);
      expect(body).toMatchObject({ new_user_group: false, user_group: { token: third } });
    });

    const renamed = { user_group_id: "acme", name: "Acme Ltd", mapping: { "40": "213" } };

    assumed("existing-group", "unchanged", "a group stays as it was created", async () => {
      await getOrCreate(acme).expect(200);
      expect((await getOrCreate(renamed).expect(200)).body.user_group.name).toBe("Acme");
      expect((await storedAcme()).mapping).toEqual({});
    });

    assumed("existing-group", "updated", "a group takes over the fields that are sent", async () => {
      await getOrCreate(acme).expect(200);
      expect((await getOrCreate(renamed).expect(200)).body.user_group.name).toBe("Acme Ltd");
      expect((await storedAcme()).mapping).toEqual({ "40": "213" });
    });

    assumed("existing-group", "merged", "mapping and properties take over key by key", async () => {
      await getOrCreate({ ...acme, mapping: { "39": "1", "40": "2" } }).expect(200);
      expect((await getOrCreate(renamed).expect(200)).body.user_group.name).toBe("Acme Ltd");
      expect((await storedAcme()).mapping).toEqual({ "39": "1", "40": "213" });
    });

    assumed("existing-group", "rejected", "a request that differs fails", async () => {
      await getOrCreate(acme).expect(200);
      await getOrCreate(acme).expect(200);
      await getOrCreate({ ...acme, mapping: { "40": "213" } }).expect(409);
      expect((await storedAcme()).mapping).toEqual({});
    });

    assumed("existing-group", "name-rejected", "a request with another name fails", async () => {
      await getOrCreate(acme).expect(200);
      await getOrCreate(renamed).expect(409);
      await getOrCreate({ ...acme, mapping: { "40": "213" } }).expect(200);
      expect((await storedAcme()).mapping).toEqual({});
    });

    it("a field that is not sent stays as it is", async () => {
      await request(baseUrl).patch("/__admin/assumptions").send({ "existing-group": "updated" }).expect(200);
      await getOrCreate({ ...acme, mapping: { "40": "213" }, properties: { a: 1, b: 2 } }).expect(200);
      await getOrCreate({ ...acme, properties: { c: 3 } }).expect(200);
      expect(await storedAcme()).toMatchObject({ mapping: { "40": "213" }, properties: { c: 3 } });
      expect((await storedAcme()).properties).toEqual({ c: 3 });
    });

    fixed("rejections", async () => {
      const token = await tokenOfAcme();
      await rotate(token, { filename: 5 }).expect(400);
      await getOrCreate({ user_group_id: "other" }).expect(400);
      expect(await tokenOfAcme()).toBe(token);
      expect((await getOrCreate({ user_group_id: "other", name: "B" })).body.new_user_group).toBe(true);
    });
  });
});

describe("Endpoints", () => {
  describe("both operations use the header Content-Type: application/json; without it: not shown", () => {
    const asText = (method: "get" | "post", body: object) =>
      call(method).set("Content-Type", "text/plain").send(JSON.stringify(body));

    assumed("content-type", "rejected", "the request fails", async () => {
      const current_token = await tokenOfAcme();
      await asText("get", acme).expect(415);
      await asText("post", { current_token }).expect(415);
    });

    assumed("content-type", "accepted", "the body is read as JSON anyway", async () => {
      const current_token = await tokenOfAcme();
      await asText("get", acme).expect(200);
      await asText("post", { current_token }).expect(200);
    });

    assumed("content-type", "optional", "only a body with another type fails", async () => {
      // A Buffer is sent without Content-Type.
      const untyped = (method: "get" | "post", body: object) =>
        request(baseUrl)
          [method]("/api/user")
          .set("Authorization", ours)
          .send(Buffer.from(JSON.stringify(body)));
      const current_token = await tokenOfAcme();
      await asText("get", acme).expect(415);
      await untyped("get", acme).expect(200);
      await untyped("post", { current_token }).expect(200);
    });
  });

  it("both carry a JSON body, including the GET", async () => {
    const { body } = await call("get").expect(400);
    expect(body.error.code).toBe("missing_body");
    expect((await call("post").expect(400)).body.error.code).toBe("missing_body");
    expect((await call("get").send("no JSON").expect(400)).body.error.code).toBe("invalid_json");
  });

  describe("4.1 Get or create a user group", () => {
    it("method: GET, path: /api/user", async () => {
      const { body } = await call("get", "/api/user").send(acme).expect(200);
      expect(body).toHaveProperty("new_user_group");
    });

    describe("a query string, and a slash at the end of the path: not shown", () => {
      fixed("query-string", () => call("get", "/api/user?user_group_id=5").send(acme).expect(200));

      assumed("trailing-slash", "rejected", "there is no such path", () =>
        call("get", "/api/user/").send(acme).expect(404),
      );

      assumed("trailing-slash", "accepted", "it is the same path", () =>
        call("get", "/api/user/").send(acme).expect(200),
      );
    });

    it("body: user_group_id (string), name (string), mapping (object), properties (object)", async () => {
      const body = { ...acme, mapping: { "40": "213" }, properties: { filterValue: "value" } };
      await getOrCreate(body).expect(200);
      for (const field of Object.keys(body)) {
        const { error } = (await getOrCreate({ ...body, [field]: true }).expect(400)).body;
        expect(error.details).toEqual([{ path: `/${field}`, message: expect.any(String) }]);
      }
    });

    describe("other fields of a body: not shown", () => {
      assumed("unknown-fields", "ignored", "they have no effect", () =>
        getOrCreate({ ...acme, colour: "red" }).expect(200),
      );

      assumed("unknown-fields", "rejected", "they are invalid", () =>
        getOrCreate({ ...acme, colour: "red" }).expect(400),
      );
    });

    it("response: success (number), new_user_group (boolean), user_group (object)", async () => {
      const { body } = await getOrCreate(acme)
        .expect(200)
        .expect("Content-Type", /^application\/json/);
      expect(body).toEqual({ success: 1, new_user_group: true, user_group: expect.any(Object) });
    });

    it("new_user_group: true when a new user group was created by this call", async () => {
      const atOnce = await Promise.all([getOrCreate(acme), getOrCreate(acme), getOrCreate(acme)]);
      const created = atOnce.filter(({ body }) => body.new_user_group);
      expect(created).toHaveLength(1);
    });

    describe("whether two teams can use one id: not shown", () => {
      assumed("group-scope", "per-team", "each team has its own group", async () => {
        await getOrCreate(acme).expect(200);
        const { body } = await getOrCreate(acme).set("Authorization", theirs).expect(200);
        expect(body).toMatchObject({ new_user_group: true, user_group: { team_id: 4 } });
      });

      assumed("group-scope", "global", "both teams find the same group", async () => {
        await getOrCreate(acme).expect(200);
        const { body } = await getOrCreate(acme).set("Authorization", theirs).expect(200);
        expect(body).toMatchObject({ new_user_group: false, user_group: { team_id: 3 } });
      });
    });
  });

  describe("4.2 Rotate a user group token", () => {
    it("method: POST, path: /api/user", async () => {
      const current_token = await tokenOfAcme();
      const { body } = await call("post", "/api/user").send({ current_token }).expect(200);
      expect(body).not.toHaveProperty("new_user_group");
    });

    it("body: current_token (string), the current token held for the user group", async () => {
      await rotate(await tokenOfAcme()).expect(200);
      await rotate(42).expect(400);
      await rotate("a token of no group").expect(404);
    });

    describe("a token that was current before the last rotation: not shown", () => {
      assumed("old-token", "rejected", "it belongs to no group", async () => {
        const old = await tokenOfAcme();
        await rotate(old).expect(200);
        await rotate(old).expect(404);
      });

      assumed("old-token", "accepted", "it rotates its group again", async () => {
        const old = await tokenOfAcme();
        await rotate(old).expect(200);
        expect((await rotate(old).expect(200)).body.user_group.provided_id).toBe("acme");
      });

      assumed("old-token", "previous", "only the one before the current one rotates its group", async () => {
        const first = await tokenOfAcme();
        await rotate(first).expect(200);
        const third = (await rotate(first).expect(200)).body.user_group.token;
        await rotate(first).expect(404);
        await rotate(third).expect(200);
      });
    });

    it("response: success (number), user_group (object), carrying its token", async () => {
      const { body } = await rotate(await tokenOfAcme()).expect(200);
      const user_group = { team_id: 3, name: "Acme", provided_id: "acme", token: await tokenOfAcme() };
      expect(body).toEqual({ success: 1, user_group });
    });

    describe("the reference entry also heads itself with the path /videos; what it does: not shown", () => {
      assumed("videos-path", "absent", "there is no such path", async () => {
        const current_token = await tokenOfAcme();
        await call("post", "/videos").send({ current_token }).expect(404);
      });

      assumed("videos-path", "rotates", "it is another path of the operation", async () => {
        const current_token = await tokenOfAcme();
        await call("post", "/videos").send({ current_token }).expect(200);
      });
    });

    describe("it lists a body field filename; its meaning for this operation: not shown", () => {
      it("`filename` in a rotation must be a string, and has no effect", async () => {
        await rotate(await tokenOfAcme(), { filename: "video.mp4" }).expect(200);
        await rotate(await tokenOfAcme(), { filename: 42 }).expect(400);
      });
    });
  });

  describe("which body fields are required: not shown", () => {
    it("`user_group_id` and `current_token` are required", async () => {
      const created = await getOrCreate({ name: "Acme" }).expect(400);
      expect(created.body.error.details).toMatchObject([{ path: "/user_group_id" }]);
      const rotated = await call("post").send({}).expect(400);
      expect(rotated.body.error.details).toMatchObject([{ path: "/current_token" }]);
    });

    assumed("name-on-create", "required", "name too, to create a group", () =>
      getOrCreate({ user_group_id: "acme" }).expect(400),
    );

    assumed("name-on-create", "defaults-to-id", "its name is its user_group_id", async () => {
      expect((await getOrCreate({ user_group_id: "acme" }).expect(200)).body.user_group.name).toBe("acme");
    });
  });
});

describe("Authentication", () => {
  const as = (authorization: string) => getOrCreate(acme).set("Authorization", authorization);

  it("header: Authorization: Token <token>, the scheme word Token, then a space, then the value", async () => {
    await as("Token test-api-token").expect(200);
    for (const other of ["test-api-token", "Token", "Tokentest-api-token", "Bearer test-api-token"]) {
      await as(other).expect(401).expect("WWW-Authenticate", "Token");
    }
  });

  describe("the scheme word in another case: not shown", () => {
    assumed("auth-scheme", "exact", "it is not the scheme word", () =>
      as("token test-api-token").expect(401),
    );
    assumed("auth-scheme", "any-case", "it is the scheme word", () => as("token test-api-token").expect(200));
  });

  it("applies to both operations", async () => {
    const current_token = await tokenOfAcme();
    await request(baseUrl).get("/api/user").send(acme).expect(401);
    await request(baseUrl).post("/api/user").send({ current_token }).expect(401);
  });

  describe("how the token in the Authorization header is issued: not shown", () => {
    assumed("api-tokens", "listed", "the fixtures list the API tokens of each team", () =>
      as("Token unheard-of").expect(401),
    );

    assumed("api-tokens", "any", "every API token is valid, and belongs to the first team", async () => {
      expect((await as("Token unheard-of").expect(200)).body.user_group.team_id).toBe(3);
    });
  });

  describe("its scope: not shown", () => {
    fixed("api-tokens", async () => {
      await call("get").set("Authorization", "Token unheard-of").send("no JSON").expect(401);
    });

    assumed("foreign-token", "rejected", "a team rotates the tokens of its own groups only", async () => {
      await rotate(await tokenOfAcme())
        .set("Authorization", theirs)
        .expect(404);
    });

    assumed("foreign-token", "accepted", "a team rotates the tokens of any group", async () => {
      const { body } = await rotate(await tokenOfAcme())
        .set("Authorization", theirs)
        .expect(200);
      expect(body.user_group.team_id).toBe(3);
    });
  });

  describe("its difference from the user group token: not shown", () => {
    fixed("kinds-of-tokens", async () => {
      await as(`Token ${await tokenOfAcme()}`).expect(401);
      await rotate("test-api-token").expect(404);
    });
  });
});

describe("Events", () => {
  describe("events: not shown", () => {
    fixed("events", () =>
      getOrCreate(acme)
        .set("Accept", "text/event-stream")
        .expect("Content-Type", /^application\/json/),
    );
  });
});

describe("Errors", () => {
  it("success: 1 on success and 0 when the call was not successful", async () => {
    expect((await getOrCreate(acme)).body.success).toBe(1);
    expect((await rotate(await tokenOfAcme())).body.success).toBe(1);
    expect((await getOrCreate({})).body.success).toBe(0);
    expect((await rotate("a token of no group")).body.success).toBe(0);
  });

  describe("HTTP status codes: not shown", () => {
    assumed("created-status", "200", "a call that created a group has status 200", () =>
      getOrCreate(acme).expect(200),
    );

    assumed("created-status", "201", "a call that created a group has status 201", async () => {
      await getOrCreate(acme).expect(201);
      await getOrCreate(acme).expect(200);
    });

    assumed("failure-status", "by-kind", "a failed call has the status that fits", async () => {
      await getOrCreate({}).expect(400);
      await getOrCreate(acme).set("Authorization", "Token unheard-of").expect(401);
      await rotate("a token of no group").expect(404);
    });

    assumed("failure-status", "always-200", "a failed call has status 200", async () => {
      await getOrCreate({}).expect(200);
      await getOrCreate(acme).set("Authorization", "Token unheard-of").expect(200);
      await rotate("a token of no group").expect(200);
    });
  });

  describe("error codes and the body shape of a failed call: not shown", () => {
    const failed = async () => (await rotate("a token of no group")).body;
    const message = expect.stringContaining("belongs to no group of this team");

    assumed("failure-body", "error-object", "an error with a code and a message", async () => {
      expect(await failed()).toEqual({ success: 0, error: { code: "unknown_token", message } });
    });

    assumed("failure-body", "message", "a message", async () => {
      expect(await failed()).toEqual({ success: 0, message });
    });

    assumed("failure-body", "bare", "nothing but success", async () => {
      expect(await failed()).toEqual({ success: 0 });
    });
  });
});

describe("Limits", () => {
  describe("limits (rate, size, time-outs): not shown", () => {
    it("a body must be UTF-8, at most 100 kB, and nested at most 100 levels deep; it is inflated", async () => {
      await getOrCreate({ ...acme, properties: { text: "x".repeat(99_000) } }).expect(200);
      await getOrCreate({ ...acme, properties: { text: "x".repeat(110_000) } }).expect(413);
      const deep = `{"user_group_id":"a","name":"A","properties":{"a":${"[".repeat(100)}${"]".repeat(100)}}}`;
      await call("get").send(deep).expect(400);
      for (const [encoding, encode] of Object.entries({
        gzip: gzipSync,
        deflate: deflateSync,
        br: brotliCompressSync,
      })) {
        const encoded = encode(JSON.stringify(acme));
        const sent = call("get")
          .set("Content-Encoding", encoding)
          .serialize((bytes) => bytes);
        await sent.send(encoded).expect(200);
      }
    });

    fixed("limits", async () => {
      const atOnce = await Promise.all(Array.from({ length: 100 }, () => getOrCreate(acme)));
      expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([200]));
      await request(baseUrl).post("/__admin/faults").send({ hold: true }).expect(200);
      await expect(getOrCreate(acme).timeout(100)).rejects.toThrow("Timeout of 100ms exceeded");
    });
  });
});

describe("Versioning", () => {
  describe("versioning: not shown", () => {
    fixed("versions", async () => {
      await getOrCreate(acme).set("Accept-Version", "2").expect(200);
      await call("get", "/v2/api/user").send(acme).expect(404);
    });
  });
});

describe("Every gap of the document", () => {
  it("that the mock fills with an assumption is above, with each value of it, the default first", async () => {
    const { body } = await request(baseUrl).get("/__admin/assumptions").expect(200);
    const listed: { id: string; default: string; values: { value: string }[] }[] = body.assumptions;
    const valuesById = listed.map(({ id, default: first, values }) => {
      const others = values.map(({ value }) => value).filter((value) => value !== first);
      return [id, [first, ...others]];
    });
    expect(shown).toEqual(Object.fromEntries(valuesById));
  });

  it("that no option fills is above", () => {
    expect([...notShown]).toEqual([]);
  });
});
