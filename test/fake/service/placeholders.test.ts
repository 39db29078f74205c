import { describe, expect, it } from "vitest";
import type { KnownSituations, Mock } from "../../../src/index.js";
import { startWithTwoTeams } from "./meet-situation.js";
import { acme } from "./meeting.js";
import { type SentRequest, send } from "./send-request.js";

const startKnowing = (situations: KnownSituations) => startWithTwoTeams({ profile: { situations } });

/** All that a request can send. */
const sent = {
  user_group_id: "new",
  name: "Näme",
  mapping: { "40": "213" },
  properties: { plan: ["a"] },
};

/** Placeholders of what was sent, as whole values. */
const ofRequest = {
  id: "{user_group_id}",
  name: "{name}",
  mapping: "{mapping}",
  properties: "{properties}",
  token: "{current_token}",
  path: "{path}",
  url: "{url}",
  method: "{method}",
  text: "{body}",
};

describe("the placeholders of a rejection", () => {
  it("are what the request sent, and keep their JSON type as whole values", async () => {
    await using mock = await startKnowing({ "properties: text": { body: ofRequest } });
    const body = { ...sent, user_group_id: 7, properties: 7 };
    const { json } = await send(mock.url, { path: "/api/user?x=1", body });
    expect(json).toEqual({
      ...{ id: 7, name: "Näme", mapping: sent.mapping, properties: 7, token: null },
      ...{ path: "/api/user", url: "/api/user?x=1", method: "GET", text: JSON.stringify(body) },
    });
  });

  it("are empty in a text, and null as a whole value, if the request does not send them", async () => {
    const body = { text: "<{name}{current_token}>", name: "{name}", mapping: "{mapping}", "{name}": 1 };
    await using mock = await startKnowing({ "GET: no body": { body } });
    const { json } = await send(mock.url, {});
    expect(json).toEqual({ text: "<>", name: null, mapping: null, "": 1 });
  });

  it("are filled in within texts, keys, lists and headers", async () => {
    await using mock = await startKnowing({
      "name: number": {
        headers: { "X-Sent": "{method} {path}: {name}, {user_group_id}{unknown}" },
        body: { "no {name} {8} {nmae}": ["{user_group_id}{name}", { deep: "{name}{name}" }], "{mapping}": 1 },
      },
    });
    const { headers, json } = await send(mock.url, { body: { ...sent, user_group_id: "é😀 /a%", name: 7 } });
    expect(headers["x-sent"]).toBe("GET /api/user: 7, %C3%A9%F0%9F%98%80%20/a%{unknown}");
    expect(json).toEqual({ "no 7 {8} {nmae}": ["é😀 /a%7", { deep: "77" }], "{mapping}": 1 });
  });

  it("can be the name of a field, also if it is __proto__", async () => {
    await using mock = await startKnowing({
      "several problems": "all",
      "mapping value: number": { body: { errors: { "{field}": ["a number"] } } },
      "properties: text": { body: { errors: { "{field}": ["a text"] } } },
    });
    const body = '{"user_group_id":"a","name":"A","mapping":{"__proto__":1},"properties":"text"}';
    const { text } = await send(mock.url, { body });
    expect(text).toBe('{"errors":{"__proto__":["a number"],"properties":["a text"]}}');
  });

  it("cannot add a line to the headers, and half of a surrogate pair is replaced", async () => {
    await using mock = await startKnowing({
      "user_group_id: unstorable": { headers: { "X-Id": "{user_group_id}" } },
    });
    const { headers } = await send(mock.url, {
      body: String.raw`{"user_group_id":"a\r\nX-Other: 1\u0000\ud800","name":"A"}`,
    });
    expect(headers).not.toHaveProperty("x-other");
    expect(headers["x-id"]).toBe("a%0D%0AX-Other:%201%00%EF%BF%BD");
  });

  it.each<[field: string | null, row: keyof KnownSituations, body: unknown]>([
    ["name", "name: null", { ...sent, name: null }],
    ["user_group_id", "user_group_id: missing", { name: "A" }],
    ["40", "mapping value: number", { ...sent, mapping: { "40": 213 } }],
    ["a/b", "mapping value: null", { ...sent, mapping: { "a/b": null } }],
    ["colour", "GET: unknown field", { ...sent, colour: "red" }],
    [null, "GET: not an object", []],
    [null, "GET: broken JSON", "{"],
    ["name", "existing group: other name", { user_group_id: "acme", name: "Other" }],
    ["name", "name of another group", { ...sent, name: "Acme" }],
  ])("have the field that is wrong: %s of %s", async (field, row, body) => {
    const response = {
      headers: { "X-Field": "{field}" },
      body: { "{field}": ["no {field}"], whole: "{field}" },
    };
    await using mock = await startKnowing({ [row]: response });
    const { headers, json } = await send(mock.url, { body });
    expect(headers["x-field"]).toBe(field ?? "");
    expect(json).toEqual({ [field ?? ""]: [`no ${field ?? ""}`], whole: field });
  });
});

describe("the placeholders of a success", () => {
  const body = { ...ofRequest, user_group: { id: "{number}", uuid: "{uuid}", plan: "{properties}" } };
  const known: KnownSituations = {
    created: { headers: { Location: "/groups/{number}/{name}" }, body },
    found: { body },
    rotated: { body },
    "existing group: other mapping": "merged",
    "user_group_id: capitals": "same group",
  };

  it("are those of the group after the request, and otherwise what the request sent", async () => {
    await using mock = await startKnowing(known);
    const created = await send(mock.url, { body: sent });
    expect(created.json).toMatchObject({
      ...{ id: "new", name: "Näme", mapping: sent.mapping, properties: sent.properties, token: null },
      ...{ path: "/api/user", url: "/api/user", method: "GET", text: JSON.stringify(sent) },
    });
    expect(created.headers.location).toBe("/groups/3/N%C3%A4me");
    const found = await send(mock.url, { body: { user_group_id: "NEW", mapping: { 41: "x" } } });
    expect(found.json).toMatchObject({ id: "new", name: "Näme", mapping: { 40: "213", 41: "x" } });
    const rotated = await send(mock.url, rotation(acme.token));
    expect(rotated.json).toMatchObject({ id: "acme", name: "Acme", token: acme.token, method: "POST" });
    expect(rotated.json.user_group.plan).toEqual(acme.properties);
  });

  it("have a number for each group of the epoch, which goes on after a load, and begins again after a reset", async () => {
    await using mock = await startKnowing(known);
    const numberOf = async (user_group_id: string) => (await shown(mock, user_group_id)).id;
    expect([await numberOf("acme"), await numberOf("a"), await numberOf("b")]).toEqual([1, 3, 4]);
    expect([await numberOf("a"), await numberOf("acme")]).toEqual([3, 1]);
    await mock.load(await mock.state());
    const afterLoad = [await numberOf("acme"), await numberOf("c")];
    expect(Math.min(...afterLoad)).toBeGreaterThan(4);
    expect(new Set(afterLoad).size).toBe(2);
    await mock.reset();
    expect([await numberOf("acme"), await numberOf("a")]).toEqual([1, 3]);
  });

  it("have a UUID for each group, which is another one after a reset, but for those of the seed", async () => {
    await using mock = await startKnowing(known);
    const uuidOf = async (user_group_id: string) => (await shown(mock, user_group_id)).uuid;
    const [seeded, created, other] = [await uuidOf("acme"), await uuidOf("a"), await uuidOf("b")];
    expect(created).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([await uuidOf("a"), new Set([seeded, created, other]).size]).toEqual([created, 3]);
    await mock.reset();
    expect([await uuidOf("acme"), (await uuidOf("a")) === created]).toEqual([seeded, false]);
  });

  it("are not filled in where they are names of fields", async () => {
    await using mock = await startKnowing({ found: { body: { "{name}": 1 } } });
    expect((await send(mock.url, { body: { user_group_id: "acme" } })).json).toMatchObject({ "{name}": 1 });
  });
});

describe("{mapping|[]}", () => {
  it.each<[what: string, mapping: object, written: unknown]>([
    ["an empty mapping as a list", {}, []],
    ["another one as an object", { "40": "213" }, { "40": "213" }],
  ])("writes %s", async (_, mapping, written) => {
    const body = { mapping: "{mapping|[]}", properties: "{properties|[]}", text: "{mapping|[]} {name|[]}" };
    await using mock = await startKnowing({ created: { body } });
    const { json } = await send(mock.url, { body: { ...sent, mapping, properties: {} } });
    expect(json).toMatchObject({ mapping: written, properties: [], text: "{mapping|[]} {name|[]}" });
  });
});

describe("a response of the profile that would have more than 1 MB", () => {
  const long: SentRequest = { body: { ...sent, properties: { text: "x".repeat(60_000) }, name: 7 } };

  it.each<[what: string, response: object]>([
    ["a text", { text: "{body}".repeat(17) }],
    ["values", { body: Array(17).fill("{properties}") }],
    ["keys", { body: { ["{body}".repeat(17)]: 1 } }],
    ["values of several kinds", { body: Array(9).fill(["{body}", "{properties}"]) }],
  ])("is that of the mock, with a note: %s", async (_, response) => {
    const headers = { "Content-Type": "text/csv", "X-A": "a" };
    await using mock = await startKnowing({ "name: number": { status: 422, headers, ...response } });
    const received = await send(mock.url, long);
    expect([received.status, received.headers["x-a"]]).toEqual([422, "a"]);
    expect(received.json.error.code).toBe("invalid_body");
    const [entry] = await mock.requests();
    expect(entry?.notes).toEqual([expect.stringContaining("more than 1000000 characters")]);
  });

  it("is sent up to that length", async () => {
    await using mock = await startKnowing({ "name: number": { text: "{body}".repeat(16) } });
    const { text } = await send(mock.url, long);
    expect(text).toBe(JSON.stringify(long.body).repeat(16));
  });
});

async function shown(mock: Mock, user_group_id: string) {
  return (await send(mock.url, { body: { user_group_id, name: user_group_id } })).json.user_group;
}

const rotation = (current_token: string): SentRequest => ({ method: "POST", body: { current_token } });
