import { describe, expect, it } from "vitest";
import { operationIds, operations } from "../../../src/fake/contract/operations.js";
import { responseNames, successes } from "../../../src/fake/contract/response-names.js";
import { exchange } from "../../../src/foundation/exchange.js";
import {
  type Accepts,
  type AssumptionChoice,
  type Mock,
  type MockOptions,
  type Profile,
  startMock,
} from "../../../src/index.js";
import { call, create, getOrCreate, type RequestOptions, rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { unusedMethod } from "../../unused-methods.js";
import { ownMock } from "../world/own-world.js";

describe("a failure without a profile", () => {
  it("names its assumptions in the response of a fault too", async () => {
    await using mock = await startMock();
    await mock.fault({ status: 503 });
    expect((await create(mock.url)).headers["usergroup-mock-assumed"]).toBe("failure-body=error-object");
  });

  it("has status 200 with failure-status=always-200, but only at /api/user", async () => {
    await using mock = await startMock({
      assume: { "failure-status": "always-200", "failure-body": "bare" },
    });
    for (const method of [...operationIds.map((id) => operations[id].method), unusedMethod]) {
      const { status, body, headers } = await call(method, `${mock.url}/api/user`, "{");
      expect([status, body]).toEqual([200, { success: 0 }]);
      expect(headers).not.toHaveProperty("www-authenticate");
    }
    const { status, body } = await call("GET", `${mock.url}/api/users`);
    expect([status, body.error.code]).toEqual([404, "not_found"]);
  });
});

/** A request that gets each response. */
const get = (body: unknown, options?: RequestOptions) => (url: string) => getOrCreate(url, body, options);
const post = (body: unknown) => (url: string) => call("POST", `${url}/api/user`, body);
const withHeader = (headers: Record<string, string>) => get({ user_group_id: "a", name: "A" }, { headers });
const requests: Readonly<Record<string, (url: string) => ReturnType<typeof call>>> = {
  created: (url) => create(url),
  found: get({ user_group_id: "example_1" }),
  rotated: (url) => rotate(url, seededToken),
  "missing_body.get-or-create": (url) => call("GET", `${url}/api/user`),
  "missing_body.rotate": (url) => call("POST", `${url}/api/user`),
  invalid_json: get("{"),
  invalid_body: get([]),
  "invalid_body.user_group_id.format": get({ user_group_id: "\0" }),
  "invalid_body.user_group_id.null": get({ user_group_id: null }),
  "invalid_body.user_group_id.long": get({ user_group_id: "x".repeat(41), name: "A" }),
  "invalid_body.user_group_id.missing": get({ name: 5 }),
  "invalid_body.user_group_id.type": get({ user_group_id: 5, mapping: 5 }),
  "invalid_body.user_group_id.empty": get({ user_group_id: "", name: "A" }),
  "invalid_body.name.missing": get({ user_group_id: "a" }),
  "invalid_body.name.type": get({ properties: 5, user_group_id: "a", name: 5 }),
  "invalid_body.name.empty": get({ user_group_id: "a", name: "" }),
  "invalid_body.name.null": get({ user_group_id: "a", name: null }),
  "invalid_body.name.long": get({ user_group_id: "a", name: "x".repeat(41), mapping: 5 }),
  "invalid_body.name.format": get({ user_group_id: "a", name: "wrong" }),
  "invalid_body.mapping.missing": get({ user_group_id: "complete", name: "A" }),
  "invalid_body.mapping.null": get({ user_group_id: "a", name: "A", mapping: null }),
  "invalid_body.mapping.type": get({ user_group_id: "a", name: "A", mapping: [] }),
  "invalid_body.mapping.long": get({ user_group_id: "a", name: "A", mapping: { 1: "a", 2: 5 } }),
  "invalid_body.mapping.value": get({ user_group_id: "a", name: "A", mapping: { "40": 213 } }),
  "invalid_body.properties.missing": get({ user_group_id: "complete", name: "A", mapping: {} }),
  "invalid_body.properties.null": get({ user_group_id: "a", name: "A", properties: null }),
  "invalid_body.properties.type": get({ user_group_id: "a", name: "A", properties: "red" }),
  "invalid_body.properties.long": get({ user_group_id: "a", name: "A", properties: { a: 1, region: 2 } }),
  "invalid_body.properties.format": get({ user_group_id: "a", name: "A", properties: { region: "Mars" } }),
  "invalid_body.type.get-or-create": get("[]"),
  "invalid_body.type.rotate": post("[]"),
  "invalid_body.unknown.get-or-create": get({ user_group_id: "a", name: "A", colour: "red" }),
  "invalid_body.unknown.rotate": post({ current_token: seededToken, colour: "red" }),
  "invalid_body.current_token.missing": post({ filename: 5 }),
  "invalid_body.current_token.type": post({ current_token: { toString: 1 } }),
  "invalid_body.current_token.empty": post({ current_token: "" }),
  "invalid_body.current_token.null": post({ current_token: null }),
  "invalid_body.filename.missing": post({ current_token: seededToken }),
  "invalid_body.filename.null": post({ current_token: seededToken, filename: null }),
  "invalid_body.filename.empty": post({ current_token: seededToken, filename: "" }),
  "invalid_body.filename.long": post({ current_token: seededToken, filename: "x".repeat(41) }),
  "invalid_body.filename.format": post({ current_token: seededToken, filename: "wrong" }),
  "invalid_body.filename.type": post({ current_token: seededToken, filename: 5 }),
  "unauthorized.missing": (url) => fetch(`${url}/api/user`, { method: "POST", body: "{}" }).then(asResponse),
  "unauthorized.scheme": withHeader({ Authorization: "token test-api-token" }),
  "unauthorized.unknown": withHeader({ Authorization: "Token unknown" }),
  "unknown_token.unknown": (url) => rotate(url, "f".repeat(64)),
  "unknown_token.malformed": (url) => rotate(url, "unknown"),
  "unknown_token.rotated": async (url) => {
    await rotate(url, seededToken);
    return rotate(url, seededToken);
  },
  "unknown_token.foreign": (url) => rotate(url, seededToken, { apiToken: "other-api-token" }),
  "conflict.name": get({ user_group_id: "a", name: "Example 1" }),
  "conflict.changed": get({ user_group_id: "example_1", name: "No mapping" }),
  not_found: (url) => call("GET", `${url}/api/users`),
  method_not_allowed: (url) => call(unusedMethod, `${url}/api/user`, {}),
  payload_too_large: get({ user_group_id: "x".repeat(101_000) }),
  unsupported_media_type: withHeader({ "Content-Type": "text/plain" }),
};

async function asResponse(response: Response) {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.json() };
}

const names = Object.keys(responseNames);

/** Rules that some of the requests break, and no other. */
const text = { maxLength: 40, pattern: "^(?!wrong)" };
const rulesFor: { readonly [Name in string]?: Accepts } = {
  "invalid_body.mapping.missing": { "get-or-create": { required: ["user_group_id", "mapping"] } },
  "invalid_body.properties.missing": { "get-or-create": { required: ["user_group_id", "properties"] } },
  "invalid_body.filename.missing": { rotate: { required: ["current_token", "filename"] } },
};
const rules: Accepts = {
  "get-or-create": {
    additionalProperties: false,
    properties: {
      user_group_id: text,
      name: text,
      mapping: { maxProperties: 1 },
      properties: { maxProperties: 1, properties: { region: { enum: ["EU", "US"] } } },
    },
  },
  rotate: { additionalProperties: false, properties: { filename: { ...text, minLength: 1 } } },
};

describe("a response of the profile", () => {
  /** Different for every name. */
  const responseTo = (name: string) => ({
    status: name in successes ? 206 + names.indexOf(name) : 420 + names.indexOf(name),
    headers: { "X-Name": name },
    body: { named: name },
  });

  it.each(names)("is sent for %s, and the cause stays that of the mock", async (name) => {
    const isNarrower = (other: string) => other.startsWith(`${name}.`);
    const others = names.filter((other) => !isNarrower(other));
    const sent = name in requests ? name : (names.find((one) => isNarrower(one) && one in requests) ?? "");
    await using mock = await startMock({
      profile: {
        accepts: rulesFor[sent] ?? rules,
        assume: { "existing-group": "rejected", "unique-names": "rejected" },
        responses: Object.fromEntries(others.map((other) => [other, responseTo(other)])),
      },
    });
    const request = requests[sent] ?? expect.fail("there is no request for it");
    const { status, headers, body } = await request(mock.url);
    expect([status, headers["x-name"], body.named]).toEqual([responseTo(name).status, name, name]);
    const entry = (await mock.requests()).at(-1);
    expect(entry?.cause?.code).toBe(name in successes ? undefined : name.split(".")[0]);
    expect(entry?.known[0]).toBe(name);
    expect(headers["usergroup-mock-assumed"] ?? "").not.toMatch(/failure-|created-status/);
    expect(Object.keys(entry?.assumed ?? {}).join()).not.toMatch(/failure-|created-status/);
  });

  it("takes what it leaves out from the wider names, then from the mock; body and text hide each other", async () => {
    await using mock = await startMock({
      profile: {
        responses: {
          invalid_body: { status: 422, headers: { "X-Wide": "1" }, body: { wide: true } },
          "invalid_body.name": { text: "<h1>name</h1>" },
          "invalid_body.name.empty": { status: 409, headers: {} },
          "unknown_token.rotated": { body: { gone: 1 } },
        },
      },
    });
    const raw = async (body: object) => {
      const text = JSON.stringify(body);
      const headers = { Authorization: "Token test-api-token", "Content-Type": "application/json" };
      const sized = { ...headers, "Content-Length": text.length };
      const request = { method: "GET", headers: sized, text, timeoutMs: 10_000 };
      const response = await exchange(new URL(`${mock.url}/api/user`), request);
      return [response.status, response.headers["content-type"], response.headers["x-wide"], response.text];
    };
    expect(await raw([])).toEqual([422, "application/json; charset=utf-8", "1", '{"wide":true}']);
    const html = "text/html; charset=utf-8";
    expect(await raw({ user_group_id: "a" })).toEqual([422, html, "1", "<h1>name</h1>"]);
    expect(await raw({ user_group_id: "a", name: "" })).toEqual([409, html, undefined, "<h1>name</h1>"]);
    await rotate(mock.url, seededToken);
    const { status, body, headers } = await rotate(mock.url, seededToken);
    expect([status, body, headers["usergroup-mock-assumed"]]).toEqual([
      404,
      { gone: 1 },
      "old-token=rejected, failure-status=by-kind",
    ]);
  });

  it.each([
    ["status", { status: 410 }, ["failure-body"]],
    ["body", { body: { gone: 1 } }, ["failure-status"]],
    ["text", { text: '"gone"' }, ["failure-status"]],
    ["headers", { headers: { "X-Mine": "1" } }, ["failure-status", "failure-body"]],
  ])(
    "is named in the journal if it has nothing but %s, and leaves the rest to assumptions",
    async (_, response, assumed) => {
      await using mock = await startMock({ profile: { responses: { unknown_token: response } } });
      await rotate(mock.url, "unknown");
      const [entry] = await mock.requests();
      expect(entry?.known).toEqual(["unknown_token"]);
      expect(Object.keys(entry?.assumed ?? {})).toEqual(assumed);
    },
  );

  it("is not named in the journal if assumptions made on purpose replace all of it", async () => {
    const profile: Profile = { responses: { unknown_token: { status: 410, body: { gone: 1 } } } };
    const assume: AssumptionChoice = { "failure-status": "by-kind", "failure-body": "error-object" };
    await using mock = await startMock({ profile, assume });
    await rotate(mock.url, "unknown");
    const [entry] = await mock.requests();
    expect([entry?.known, entry?.assumed]).toEqual([[], assume]);
  });

  it("that has only a status or headers leaves the body to the mock, with the type in the headers", async () => {
    const type = "application/problem+json";
    const responses = {
      unknown_token: { status: 410, headers: { "Content-Type": type } },
      unauthorized: { status: 403 },
    };
    await using mock = await startMock({ profile: { responses } });
    const rejected = await rotate(mock.url, "unknown");
    expect([rejected.status, rejected.headers["content-type"]]).toEqual([410, type]);
    expect(rejected.body).toMatchObject({ success: 0, error: { code: "unknown_token" } });
    const { status, body } = await getOrCreate(mock.url, {}, { apiToken: "wrong" });
    expect([status, body.error.code]).toEqual([403, "unauthorized"]);
  });

  it("without headers gives way to the body of an assumption made on purpose", async () => {
    const profile: Profile = { responses: { unknown_token: { body: { gone: 1 } } } };
    await using mock = await startMock({ profile, assume: { "failure-body": "bare" } });
    const { status, body } = await rotate(mock.url, "unknown");
    expect([status, body]).toEqual([404, { success: 0 }]);
  });

  it("for a group that exists has status 200 unless it has its own, whatever a created group has", async () => {
    const profile: Profile = { responses: { found: { body: { seen: true } } } };
    await using mock = await startMock({ profile, assume: { "created-status": "201" } });
    const { status, body, headers } = await getOrCreate(mock.url, { user_group_id: "example_1" });
    expect([status, body.seen]).toEqual([200, true]);
    expect(headers).not.toHaveProperty("usergroup-mock-assumed");
  });

  it("for a text that is too short is not that for an empty one", async () => {
    const responses = {
      "invalid_body.name.empty": { status: 421 },
      "invalid_body.name.format": { status: 422 },
    };
    const accepts: Accepts = { "get-or-create": { properties: { name: { minLength: 3 } } } };
    await using mock = await startMock({ profile: { accepts, responses } });
    const statusFor = async (name: string) =>
      (await getOrCreate(mock.url, { user_group_id: "a", name })).status;
    expect([await statusFor(""), await statusFor("A")]).toEqual([421, 422]);
  });

  it("for an unknown field is not that for a field with which its name begins", async () => {
    const responses = { "invalid_body.unknown": { status: 421 }, "invalid_body.name": { status: 422 } };
    const accepts: Accepts = { "get-or-create": { additionalProperties: false } };
    await using mock = await startMock({ profile: { accepts, responses } });
    const { status } = await getOrCreate(mock.url, { user_group_id: "a", name: "A", "name/first": "A" });
    expect(status).toBe(421);
  });

  it("for a malformed token is that for an unknown one, unless it has its own", async () => {
    await using mock = await startMock({
      profile: { responses: { unknown_token: { status: 421 }, "unknown_token.unknown": { status: 422 } } },
    });
    expect((await rotate(mock.url, "malformed")).status).toBe(422);
  });

  it("adds its headers to ours, replaces them, or leaves them out with null", async () => {
    await using mock = await startMock({
      profile: {
        responses: {
          unauthorized: { headers: { "X-Mine": "1" } },
          "unauthorized.scheme": { headers: { "www-authenticate": "Bearer" } },
          "unauthorized.unknown": { headers: { "WWW-Authenticate": null, "X-Other": null } },
          method_not_allowed: { status: 410, headers: { allow: null, "X-Mine": "2" } },
        },
      },
    });
    const sent = async (headers: Record<string, string>) => {
      const response = await getOrCreate(mock.url, {}, { headers });
      return [response.headers["x-mine"], response.headers["www-authenticate"]];
    };
    expect(await sent({ Authorization: "" })).toEqual([undefined, "Bearer"]);
    expect(await sent({ Authorization: "Token wrong" })).toEqual([undefined, undefined]);
    const missing = await fetch(`${mock.url}/api/user`, { method: "POST", body: "{}" });
    expect([missing.headers.get("x-mine"), missing.headers.get("www-authenticate")]).toEqual(["1", "Token"]);
    const head = await call("HEAD", `${mock.url}/api/user`);
    expect([head.status, head.headers["x-mine"], head.headers.allow, head.body]).toEqual([
      410,
      "2",
      undefined,
      undefined,
    ]);
    const known = (await mock.requests()).map((entry) => entry.known);
    expect(known).toEqual([
      ["unauthorized.scheme"],
      ["unauthorized.unknown"],
      ["unauthorized"],
      ["method_not_allowed"],
    ]);
  });
});

describe("placeholders of a profile", () => {
  const all = {
    whole: [
      "{user_group_id}",
      "{name}",
      "{current_token}",
      "{mapping}",
      "{properties}",
      "{path}",
      "{method}",
    ],
    text: "{method} {path}: {user_group_id}/{name}/{current_token}, {mapping} {other}",
  };
  const own = ownMock({
    profile: {
      responses: {
        created: { body: all },
        rotated: { body: { user_group: { echo: all } } },
        invalid_body: { body: all },
        not_found: { text: "No {method} {path} for {name}" },
      },
    },
  });

  it("are what the request sent, with their JSON types, or null and empty if it did not", async () => {
    const { body } = await call("GET", `${own.mock.url}/api/user?x=1`, {
      user_group_id: "a",
      name: 7,
      mapping: { "40": "1" },
    });
    expect(body).toEqual({
      whole: ["a", 7, null, { "40": "1" }, null, "/api/user", "GET"],
      text: "GET /api/user: a/7/, {mapping} {other}",
    });
    const world = own.mock.world("w3").url;
    expect((await getOrCreate(world, [])).body.text).toBe("GET /api/user: //, {mapping} {other}");
    const response = await fetch(`${world}/nowhere?token=x`);
    expect(await response.text()).toBe("No GET /nowhere for ");
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("are JSON in a text if the request sent no text", async () => {
    const textFor = async (name: unknown) =>
      (await getOrCreate(own.mock.url, { user_group_id: 5, name })).body.text;
    for (const name of [[1, "2"], { first: "A" }, true])
      expect(await textFor(name)).toBe(`GET /api/user: 5/${JSON.stringify(name)}/, {mapping} {other}`);
  });

  it("are left as they are in the names of fields of a success", async () => {
    const profile: Profile = { responses: { created: { body: { "{name}": "{name}" } } } };
    await using mock = await startMock({ profile });
    expect((await create(mock.url, "a")).body).toMatchObject({ "{name}": "a" });
  });

  it("are the fields of the group after a request that succeeded", async () => {
    const created = await create(own.mock.url, "acme", { properties: { region: "EU" } });
    expect(created.body).toMatchObject({ success: 1, new_user_group: true, user_group: { name: "acme" } });
    expect(created.body.whole).toEqual(["acme", "acme", null, {}, { region: "EU" }, "/api/user", "GET"]);
    const { token } = created.body.user_group;
    const { echo, ...group } = (await rotate(own.mock.url, token)).body.user_group;
    expect(Object.keys(group)).toEqual(["team_id", "token", "name", "provided_id"]);
    expect(echo.whole).toEqual(["acme", "acme", token, {}, { region: "EU" }, "/api/user", "POST"]);
  });
});

describe("the field that is wrong", () => {
  const content = { message: "{field} is wrong", errors: { "{field}": ["no"] }, fields: ["{field}"] };
  const own = ownMock({
    profile: {
      accepts: { "get-or-create": { additionalProperties: false }, rotate: { additionalProperties: false } },
      responses: {
        invalid_body: { body: content },
        "invalid_body.filename": { text: "<p>{field}</p>" },
        unknown_token: { body: content },
      },
    },
  });

  it.each([
    ["an unknown field", { user_group_id: "a", name: "A", colour: 1, size: 2 }, "colour"],
    ["an unknown field with signs", { user_group_id: "a", name: "A", "a/b~c": 1 }, "a/b~c"],
    ["an unknown field named __proto__", '{"user_group_id":"a","name":"A","__proto__":1}', "__proto__"],
    ["a field of the document", { user_group_id: "a", name: 5, colour: 1 }, "name"],
    ["a name that is missing", { user_group_id: "a" }, "name"],
    ["the key of a mapping", { user_group_id: "a", name: "A", mapping: { "7": "x", "12": 4 } }, "12"],
  ])("is filled in for %s, also in the names of fields", async (_, sent, field) => {
    const { body } = await call("GET", `${own.mock.url}/api/user`, sent);
    expect(body).toEqual({
      message: `${field} is wrong`,
      errors: JSON.parse(`{${JSON.stringify(field)}:["no"]}`),
      fields: [field],
    });
  });

  it("is filled in in a text, and is not a field of that name which the request sent", async () => {
    const wrong = await fetch(`${own.mock.url}/api/user`, {
      method: "POST",
      headers: { Authorization: "Token test-api-token", "Content-Type": "application/json" },
      body: JSON.stringify({ current_token: seededToken, filename: 5, field: "sent" }),
    });
    expect(await wrong.text()).toBe("<p>filename</p>");
  });

  it("is empty, or null as a whole value, where no field is wrong", async () => {
    const nothing = { message: " is wrong", errors: { "": ["no"] }, fields: [null] };
    expect((await getOrCreate(own.mock.url, [])).body).toEqual(nothing);
    expect((await rotate(own.mock.url, "unknown")).body).toEqual(nothing);
  });
});

describe("the number and the UUID of a group", () => {
  const body = { user_group: { id: "{number}", uuid: "{uuid}", text: "group {number}" } };
  const own = ownMock({ profile: { responses: { created: { body }, found: { body }, rotated: { body } } } });
  const group = async (url: string, id: string) => (await create(url, id)).body.user_group;

  it("stay the same for a group, and count the groups of the seed first", async () => {
    const { user_groups } = await own.mock.state();
    const created = await group(own.mock.url, "new");
    expect([created.id, created.text]).toEqual([user_groups.length + 1, `group ${user_groups.length + 1}`]);
    expect(created.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    const rotated = (await rotate(own.mock.url, created.token)).body.user_group;
    const found = await group(own.mock.url, "new");
    for (const later of [rotated, found]) expect([later.id, later.uuid]).toEqual([created.id, created.uuid]);
    expect((await group(own.mock.url, "example_1")).id).toBe(1);
  });

  it("do not repeat within an epoch, whatever adds groups", async () => {
    const world = own.mock.world("numbers");
    const seen: { id: number; uuid: string }[] = [];
    for (let n = 0; n < 1_000; n += 100)
      seen.push(...(await Promise.all(Array.from({ length: 100 }, (_, m) => group(world.url, `g${n + m}`)))));
    await world.addGroup({ provided_id: "added", name: "Added", token: "given" });
    seen.push(await group(world.url, "added"));
    const { teams } = await world.state();
    for (const id of ["loaded", "loaded later"]) {
      await world.load({ teams, user_groups: [{ team_id: 3, provided_id: id, name: "L" }] });
      seen.push(await group(world.url, id), await group(world.url, `after ${id}`));
    }
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1_005);
    expect(new Set(seen.map(({ uuid }) => uuid)).size).toBe(1_005);
    // Those of the seed have numbers too: a load goes on counting.
    expect(seen.at(-1)?.id).toBe(Math.max(...seen.map(({ id }) => id)));
    await world.reset();
    expect((await group(world.url, "g0")).id).toBe(Math.min(...seen.map(({ id }) => id)));
    const other = await group(own.mock.world("other").url, "g0");
    expect(other.uuid).not.toBe(seen.find(({ id }) => id === other.id)?.uuid);
  });
});

describe("several profiles", () => {
  it("a later one wins entry by entry", async () => {
    const learned: Profile = {
      verified: { against: "https://service.example", on: "2026-11-18" },
      accepts: { "get-or-create": { additionalProperties: false, properties: { name: { maxLength: 3 } } } },
      assume: { "old-token": "accepted", "created-status": "201" },
      responses: {
        unauthorized: { status: 403, headers: { "X-A": "1", "X-B": "1" }, text: "no" },
        not_found: { status: 404, text: "none" },
      },
    };
    const own: Profile = {
      accepts: { "get-or-create": { properties: { name: { pattern: "^[A-Z]" } } } },
      assume: { "created-status": "200" },
      responses: { unauthorized: { headers: { "X-B": null }, body: { denied: 1 } } },
    };
    await using mock = await startMock({ profile: [learned, own] });
    const rejected = await getOrCreate(mock.url, {}, { apiToken: "wrong" });
    expect([rejected.status, rejected.body]).toEqual([403, { denied: 1 }]);
    expect([rejected.headers["x-a"], rejected.headers["x-b"]]).toEqual(["1", undefined]);
    const wrong = (body: object) => getOrCreate(mock.url, { user_group_id: "a", ...body });
    for (const body of [{ name: "Long" }, { name: "a" }, { name: "A", extra: 1 }])
      expect((await wrong(body)).status).toBe(400);
    expect((await wrong({ name: "A" })).status).toBe(200);
    const { body } = await call("GET", `${mock.url}/__admin/assumptions`);
    expect(body.verified).toEqual(learned.verified);
    expect((await fetch(`${mock.url}/nowhere`)).status).toBe(404);
  });
});

describe("set on purpose, a response of the profile, a value of the profile and the default", () => {
  const responses = {
    created: { status: 202 },
    unknown_token: {
      status: 410,
      headers: { "content-type": "text/css", "X-Content-Type": "1", "Content-Type-Of": "2" },
      text: "gone",
    },
    not_found: { status: 421, body: { lost: 1 } },
  };
  const ours = "error" as const;

  it.each<
    [title: string, options: MockOptions, created: number, status: number, body: string, assumed: string]
  >([
    ["default", {}, 200, 404, ours, "failure-status=by-kind, failure-body=error-object"],
    [
      "values of the profile",
      { profile: { assume: { "failure-status": "always-200" } } },
      200,
      200,
      ours,
      "failure-body=error-object",
    ],
    [
      "responses",
      { profile: { responses, assume: { "failure-status": "always-200" } } },
      202,
      410,
      "gone",
      "",
    ],
    [
      "set status",
      { profile: { responses }, assume: { "failure-status": "by-kind" } },
      202,
      404,
      "gone",
      "failure-status=by-kind",
    ],
    [
      "set body",
      { profile: { responses }, assume: { "failure-body": "bare" } },
      202,
      410,
      '{"success":0}',
      "failure-body=bare",
    ],
    ["set created", { profile: { responses }, assume: { "created-status": "201" } }, 201, 410, "gone", ""],
    [
      "set over a value",
      { profile: { assume: { "created-status": "201" } }, assume: { "created-status": "200" } },
      200,
      404,
      ours,
      "failure-status=by-kind, failure-body=error-object",
    ],
  ])("%s", async (_, options, created, status, body, assumed) => {
    await using mock = await startMock(options);
    expect((await create(mock.url)).status).toBe(created);
    const response = await fetch(`${mock.url}/api/user`, {
      method: "POST",
      headers: { Authorization: "Token test-api-token", "Content-Type": "application/json" },
      body: JSON.stringify({ current_token: "unknown" }),
    });
    expect([response.status, response.headers.get("usergroup-mock-assumed") ?? ""]).toEqual([
      status,
      assumed,
    ]);
    expect(await response.text()).toContain(body);
    const isText = body === "gone";
    expect(response.headers.get("content-type")).toMatch(isText ? "text/css" : "application/json");
    const known = (options.profile as { responses?: object } | undefined)?.responses;
    const others = ["x-content-type", "content-type-of"].map((name) => response.headers.get(name));
    expect(others).toEqual(known === undefined ? [null, null] : ["1", "2"]);
    const elsewhere = await call("GET", `${mock.url}/api/users`);
    expect(elsewhere.status).toBe(known === undefined ? 404 : 421);
  });

  it("assume() wins in its world only, until a reset", async () => {
    await using mock = await startMock({ profile: { responses } });
    const world = mock.world("w3");
    await world.assume({ "created-status": "200", "failure-status": "always-200" });
    const statusesOf = async ({ url }: Pick<Mock, "url">) => [
      (await create(url)).status,
      (await fetch(`${url}/api/user`, { method: unusedMethod })).status,
      (await fetch(`${url}/api/user`, { method: "POST", body: "{}" })).status,
    ];
    expect(await statusesOf(world)).toEqual([200, 200, 200]);
    expect(await statusesOf(mock)).toEqual([202, 405, 401]);
    await world.reset();
    expect(await statusesOf(world)).toEqual([202, 405, 401]);
  });
});
