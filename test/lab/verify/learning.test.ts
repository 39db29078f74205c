import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { resolveResponses } from "../../../src/fake/contract/profile.js";
import { isObject, type JsonObject } from "../../../src/foundation/json.js";
import type { Profile } from "../../../src/generated/types.js";
import { startMock } from "../../../src/index.js";
import { actions, create } from "../../../src/lab/verify/further/further-actions.js";
import { Walk } from "../../../src/lab/verify/further/further-walk.js";
import { learnResponses } from "../../../src/lab/verify/learn/learn-responses.js";
import { writeAccepts } from "../../../src/lab/verify/learn/write-accepts.js";
import { furtherCosts } from "../../../src/lab/verify/service/budget.js";
import { GroupClient } from "../../../src/lab/verify/service/group-client.js";
import { readResponse } from "../../../src/lab/verify/service/received-response.js";
import { findDrift } from "../../../src/lab/verify/show/drift.js";
import { frameworkService, type Style } from "./framework-service.js";
import { askQuickly, verifyQuickly, verifyWhole } from "./known-service.js";

vi.setConfig({ testTimeout: 60_000 });

const apiToken = "api-token-of-one";
const failed = { status: 422, body: { success: 0 } };

async function learn(style: Style) {
  await using service = await frameworkService(style);
  return await verifyWhole({ baseUrl: service.url, apiToken });
}

const uuidOf = (id: number) => {
  const hex = createHash("md5").update(String(id)).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

it("verify learns the fields of groups that the document does not show", async () => {
  const { profile, replay } = await learn({
    reject: () => failed,
    addToGroup: ({ id, name, mapping }) => ({
      id: 1000 + 3 * id,
      uuid: uuidOf(id),
      plan: "free",
      size: 5,
      url: `/groups/${name}`,
      created: 1_790_000_000_000 + id,
      note: `note ${id % 7}`,
      sources: mapping,
      score: id % 3,
      tags: ["red", "blue"],
    }),
  });
  expect(profile.responses.created?.body).toEqual({
    user_group: {
      id: "{number}",
      uuid: "{uuid}",
      plan: "free",
      size: 5,
      url: "/groups/{name}",
      created: 1_790_000_000_001,
      note: "example",
      sources: "{mapping}",
      score: 1,
      // The values of a list count as one, and these two differ.
      tags: ["example", "example"],
    },
  });
  expect(replay.exact).toBe(replay.same);
});

describe("verify learns words in braces as examples where they would be placeholders", () => {
  it("in rejections", async () => {
    const { profile, further, replay } = await learn({
      reject: ({ kind }) => {
        if (kind === "not_found")
          return { status: 404, body: "No {uuid} for {user}, {mapping}", type: "text/plain" };
        const body = { success: 0, message: "At least {number} of {name}", list: ["{mapping}"] };
        return { status: 422, body };
      },
    });
    const learned = { success: 0, message: "At least example of example", list: ["example"] };
    expect(profile.responses.invalid_body).toEqual({ status: 422, body: learned });
    expect(profile.responses.not_found?.text).toBe("No example for {user}, {mapping}");
    expect([replay.same, replay.exact]).toEqual([replay.of, replay.of]);
    expect(further.exact).toBe(further.same);
  });

  it("in the names of fields of rejections", () => {
    const response = readResponse({
      status: 422,
      headers: { "content-type": "application/json" },
      text: '{"success":0,"errors":{"a {uuid}":["no"]}}',
    });
    const request = { method: "GET", path: "/api/user", headers: {}, text: "{}" };
    const named = { name: "invalid_body", wrongField: undefined, mockHeaders: undefined };
    const { responses } = learnResponses([{ question: "any", request, response, ...named }], (text) => text);
    const body = { success: 0, errors: { "a example": ["no"] } };
    expect(responses.get("invalid_body")?.body).toEqual(body);
  });

  it("in added fields", async () => {
    const { profile, replay } = await learn({
      reject: () => failed,
      addToGroup: ({ name }) => ({ url: `/{field}/{name}/{user}/${name}`, "{name}": 1 }),
    });
    const user_group = { url: "/example/example/{user}/{name}", "{name}": 1 };
    expect(profile.responses.created?.body).toEqual({ user_group });
    expect([replay.same, replay.exact]).toEqual([replay.of, replay.of]);
  });
});

it("verify does not take a field of a sample for a placeholder of the same name", () => {
  const entries = ["a", "b"].map((id) => {
    const sample = { field: "north-east", path: "/north/east", method: "north" };
    const text = JSON.stringify({ user_group_id: id, name: id, ...sample });
    const user_group = { team_id: 1, token: `token of ${id}`, name: id, provided_id: id, ...sample };
    const response = readResponse({
      status: 200,
      headers: { "content-type": "application/json" },
      text: JSON.stringify({ success: 1, new_user_group: true, user_group }),
    });
    const request = { method: "GET", path: "/api/user", headers: {}, text };
    return {
      question: "any",
      request,
      response,
      name: "created",
      wrongField: undefined,
      mockHeaders: undefined,
    };
  });
  expect(learnResponses(entries, (text) => text).responses.get("created")?.body).toEqual({
    user_group: { field: "north-east", path: "/north/east", method: "north" },
  });
});

describe("the wide name of verify's profile", () => {
  type Seen = readonly [name: string, sent: string, status: number, body: JsonObject | string];

  /** Learns from rejections with these names. */
  function learnNamed(seen: readonly Seen[]) {
    const entries = seen.map(([name, sent, status, body]) => {
      const request = { method: "GET", path: "/api/user", headers: {}, text: sent };
      const type = typeof body === "string" ? "text/html" : "application/json";
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const response = readResponse({ status, headers: { "content-type": type }, text });
      return { question: "any", request, response, name, wrongField: undefined, mockHeaders: undefined };
    });
    return learnResponses(entries, (text) => text).responses;
  }
  const crash = "<h1>Crash</h1>";
  const error = (words: string) => ({ success: 0, error: words });

  it("has the most frequent of its narrower responses, and not a crash", () => {
    const known = learnNamed([
      ["invalid_body.mapping.type", '{"mapping":1}', 500, crash],
      ["invalid_body.properties.type", '{"properties":1}', 500, crash],
      ["invalid_body.name.type", '{"name":1}', 500, crash],
      ["invalid_body.user_group_id.missing", '{"name":"n"}', 422, error("missing")],
      ["invalid_body.user_group_id.missing", '{"name":"m"}', 422, error("missing")],
      ["invalid_body.current_token.missing", "{}", 422, error("invalid")],
      ["invalid_body.current_token.type", '{"current_token":1}', 422, error("invalid")],
    ]);
    expect(known.get("invalid_body")).toEqual({ status: 422, body: error("invalid") });
    expect(known.get("invalid_body.mapping.type")).toEqual({ status: 500, text: crash });
    expect(known.get("invalid_body.user_group_id")).toEqual({ status: 422, body: error("missing") });
  });

  it("has not the response to a body that is not an object", () => {
    const known = learnNamed([
      ["invalid_body.type", "[]", 400, error("other")],
      ["invalid_body.type", '"text"', 400, error("other")],
      ["invalid_body.name.type", '{"name":1}', 422, error("name")],
    ]);
    expect(known.get("invalid_body")).toEqual({ status: 422, body: error("name") });
    expect(known.get("invalid_body.type")).toEqual({ status: 400, body: error("other") });
  });
});

describe("verify learns the content of rejections", () => {
  it("with codes in words, also where they differ within a name", async () => {
    const { profile } = await learn({
      reject: ({ kind, why }, { json }) => {
        const value = Object.values(Object(json.mapping))[0];
        const isNull = kind === "field" && value === null;
        return { status: 422, body: { success: 0, code: isNull ? "null_value" : `wrong_${kind}`, why } };
      },
      deviate: (correct, { json, method }) => {
        const values = Object.values(Object(json.mapping));
        const code = values.includes(null) ? "null_value" : "wrong_value";
        const isWrong = method === "GET" && values.some((value) => typeof value !== "string");
        return isWrong ? { status: 422, body: { success: 0, code, request: `r-${++requests}` } } : correct;
      },
    });
    const { body } = resolveResponses(profile.responses).get("invalid_body.mapping.value") ?? {};
    expect(body).toEqual({ success: 0, code: "wrong_value", request: "example" });
  });
  let requests = 0;

  it("with a placeholder for an unknown field or a key of a mapping, and none for a field of the document", async () => {
    const { profile, replay } = await learn({
      reject: ({ field }) => ({
        status: 422,
        body: { success: 0, path: [field], message: `${field} is wrong` },
      }),
      before: ({ json, method }) => {
        const [field = ""] = Object.keys(json).filter((name) => !documented.includes(name));
        if (field !== "" && method === "GET")
          return { status: 422, body: { success: 0, errors: { [field]: ["Unknown."] } } };
        if (field !== "")
          return { status: 400, body: { success: 0, message: `property ${field} should not exist` } };
        const [key] =
          Object.entries(Object(json.mapping)).find(([, value]) => typeof value !== "string") ?? [];
        if (method === "POST" || key === undefined) return undefined;
        const body = { success: 0, path: ["mapping", key], message: `mapping.${key} of 1400 is wrong` };
        return { status: 422, body };
      },
    });
    const known = resolveResponses(profile.responses);
    const rejected = { status: 422, body: { success: 0, errors: { "{field}": ["Unknown."] } } };
    expect(known.get("invalid_body.unknown.get-or-create")).toEqual(rejected);
    const message = "property {field} should not exist";
    expect(known.get("invalid_body.unknown.rotate")).toEqual({ status: 400, body: { success: 0, message } });
    expect(JSON.stringify(profile)).not.toContain("verify_field");
    expect(known.get("invalid_body.mapping.value")?.body).toEqual({
      success: 0,
      path: ["mapping", "{field}"],
      message: "mapping.{field} of 1400 is wrong",
    });
    expect(known.get("invalid_body.name.type")?.body).toEqual({
      success: 0,
      path: ["name"],
      message: "name is wrong",
    });
    expect(replay.exact).toBe(replay.of);
  });
  const documented = ["user_group_id", "name", "mapping", "properties", "current_token", "filename"];

  it("by operation, from a service that takes no body, or a list, for an empty object", async () => {
    const unreadable = ["no_body", "object"];
    const { profile, replay } = await learn({
      reject: ({ kind, field }, { method }) => {
        const required = method === "POST" ? "current_token" : "user_group_id";
        const wrong = unreadable.includes(kind) ? required : field || "request";
        return { status: 422, body: { success: 0, errors: { [wrong]: "is wrong" } } };
      },
    });
    const known = resolveResponses(profile.responses);
    for (const name of ["missing_body", "invalid_body.type"]) {
      const bodies = ["get-or-create", "rotate"].map((operation) => known.get(`${name}.${operation}`)?.body);
      expect(bodies, name).toEqual([
        { success: 0, errors: { user_group_id: "is wrong" } },
        { success: 0, errors: { current_token: "is wrong" } },
      ]);
    }
    expect(replay.exact).toBe(replay.of);
  });

  it("with one time for all, where each has another one in a sentence", async () => {
    let now = Date.UTC(2026, 10, 18);
    const { profile } = await learn({
      reject: () => {
        now += 1_000;
        return { status: 422, body: { success: 0, error: `Wrong at ${new Date(now).toISOString()}.` } };
      },
    });
    const known = [...resolveResponses(profile.responses).values()];
    expect(new Set(known.flatMap(({ body }) => Object(body).error ?? [])).size).toBe(1);
  });
});

it("verify learns what a service ignores in place of an object, kind by kind", async () => {
  const { profile, replay } = await learn({
    reject: () => failed,
    // Ignores a list as mapping, and everything as properties.
    before: ({ json }) => {
      if (Array.isArray(json.mapping)) Object.assign(json, { mapping: {} });
      if (!isObject(json.properties)) Object.assign(json, { properties: {} });
      return undefined;
    },
  });
  expect(profile.accepts["get-or-create"]?.properties).toMatchObject({
    mapping: { type: ["object", "array"] },
    properties: { type: ["object", "null", "string", "number", "array"] },
  });
  expect(replay.same).toBe(replay.of);
});

it("verify learns headers in which the service differs from the mock, and digits as text if that is their type", async () => {
  const { profile, replay } = await learn({
    reject: ({ kind }) => {
      if (kind === "not_found") return { status: 400, body: "7".repeat(1_000), type: "text/plain" };
      if (kind === "unauthorized") return { status: 401, body: { success: 0 } };
      if (kind === "method")
        return { status: 405, body: { success: 0 }, headers: { Allow: "GET, HEAD, POST" } };
      return { status: 400, body: { success: 0 }, type: "application/problem+json" };
    },
  });
  expect(profile.responses.unauthorized?.headers).toEqual({ "WWW-Authenticate": null });
  expect(profile.responses.method_not_allowed?.headers).toEqual({ Allow: "GET, HEAD, POST" });
  expect(profile.responses.invalid_json?.headers).toEqual({ "Content-Type": "application/problem+json" });
  expect(profile.responses.not_found?.text).toBe("example");
  expect(replay.same).toBe(replay.of);
});

it("verify knows the tokens of a question that it has asked again", async () => {
  let crashes = 0;
  const { replay, profile } = await learn({
    reject: () => failed,
    before: ({ json }) => {
      const isOutage = json.filename === null && crashes++ === 0;
      return isOutage ? { status: 500, body: { success: 0 } } : undefined;
    },
  });
  expect(crashes).toBeGreaterThan(1);
  expect(replay.different).toEqual([]);
  expect(profile.responses).not.toHaveProperty("internal");
});

describe("verify learns what a body may contain", () => {
  const accepts = {
    "get-or-create": {
      required: ["user_group_id", "name"],
      additionalProperties: false,
      properties: {
        user_group_id: { type: ["string", "number"], maxLength: 61, pattern: "^[^A-Z\\s]*$" },
        name: { type: ["string", "null"], minLength: 3, maxLength: 137, pattern: "\\S" },
        mapping: {
          type: ["object", "null"],
          additionalProperties: { type: ["string", "number"] },
          maxProperties: 8,
          propertyNames: { pattern: "^[0-9]+$" },
        },
        properties: {
          type: "object",
          maxProperties: 50,
          // All but null.
          additionalProperties: { type: ["string", "number", "boolean", "object", "array"] },
        },
      },
    },
    rotate: {
      additionalProperties: true,
      properties: { filename: { type: ["string", "number"], minLength: 0, maxLength: 255 } },
    },
  } as const;

  it("as the service has it, each field by itself", async () => {
    // The type has mutable lists.
    await using mock = await startMock({ profile: JSON.parse(JSON.stringify({ accepts })) });
    const { profile, replay, requests, groups } = await verifyQuickly(mock);
    expect(profile.accepts).toEqual(accepts);
    expect(replay.different.filter(({ mockIs }) => mockIs === "lenient")).toEqual([]);
    expect([requests <= 150, groups <= 50]).toEqual([true, true]);
  });

  it("also which characters an id may have, and leaves what somebody has written about them", async () => {
    const pattern = "^[A-Za-z0-9_.-]+$";
    const own: Profile = { accepts: { "get-or-create": { properties: { user_group_id: { pattern } } } } };
    await using mock = await startMock({ profile: own });
    const report = await verifyQuickly(mock);
    const learned = report.profile.accepts["get-or-create"]?.properties?.user_group_id?.pattern ?? "";
    const ids = ["acme-1", "acme_1.a", "acme/1", "a@b", "a:b", "a b", "é"];
    expect(ids.filter((id) => new RegExp(learned, "u").test(id))).toEqual(["acme-1", "acme_1.a"]);
    expect(await findDrift(own, report, report)).toEqual([]);
  });

  it("also that rotate has no filename, so that the mock rejects it as the service does", async () => {
    const unknown = { status: 400, body: { success: 0, message: "filename is not allowed" } };
    const { profile, further, replay } = await learn({
      reject: () => failed,
      before: ({ json }) => (json.filename === undefined ? undefined : unknown),
    });
    const filename = { type: "string", minLength: 1, maxLength: 0 };
    expect(profile.accepts.rotate).toEqual({ additionalProperties: true, properties: { filename } });
    expect([...further.different, ...replay.different]).toEqual([]);
    expect(profile.responses["invalid_body.filename"]).toEqual(unknown);
  });

  it("but nothing about keys if the service knows only one", async () => {
    const mapping = { additionalProperties: false, properties: { "40": {} } } as const;
    await using mock = await startMock({
      profile: { accepts: { "get-or-create": { properties: { mapping } } } },
    });
    const { rules } = await askQuickly(mock);
    const ofMapping = rules.filter(({ field }) => field === "mapping").map(({ keyword }) => keyword);
    expect(ofMapping).toEqual(["type", "additionalProperties"]);
  });

  it("and not more than the service has", async () => {
    await using mock = await startMock({ assume: { "unknown-fields": "rejected" } });
    const { rules } = await askQuickly(mock);
    expect(writeAccepts(rules)["get-or-create"]?.properties).toEqual({
      user_group_id: { type: "string" },
      name: { type: "string", minLength: 1 },
      mapping: { type: "object", additionalProperties: { type: "string" } },
      properties: { type: "object", additionalProperties: true },
    });
  });
});

describe("verify compares with further requests", () => {
  it("that are about own groups, and about three quarters of them correct", async () => {
    await using mock = await startMock();
    const { further, prefix, replay } = await verifyQuickly(mock);
    const sent = (await mock.requests()).slice(replay.of);
    expect(sent).toHaveLength(further.of);
    expect(further.requests.filter(({ kind }) => kind === "correct")).toHaveLength(18);
    expect(further.requests.filter(({ kind }) => kind === "mistake")).toHaveLength(6);
    expect(further.requests[0]).toEqual({ title: "create", kind: "correct", same: true, exact: true });
    const rejected = sent.filter(({ outcome }) => outcome === "failure").length;
    expect(rejected).toBeLessThanOrEqual(12);
    const created = sent.filter(({ effect }) => effect === "created").length;
    // A mistake with an id, such as one in capitals, may also create a group.
    expect(created).toBeLessThanOrEqual(furtherCosts.groups + 6);
    const ids = sent.flatMap(({ request }) => Object(request.body).user_group_id ?? []);
    const isOwn = new RegExp(`^(${prefix}|\\d{15}$)`, "i");
    expect(ids.filter((id: unknown) => !isOwn.test(String(id)))).toEqual([]);
  });

  it.each([
    ["new groups", true],
    ["groups that exist", false],
  ])(
    "whose mistakes a strict mock rejects, unless they are about the form of a text: %s",
    async (_, isNew) => {
      await using mock = await startMock({ assume: { "unknown-fields": "rejected" } });
      const target = { baseUrl: mock.url, apiToken: "test-api-token", secondApiToken: "other-api-token" };
      const accepted: string[] = [];
      for (const [title, send] of new Set(actions.mistake)) {
        const service = new GroupClient(target);
        service.hasSecondTeam = true;
        const walk = new Walk(service);
        vi.spyOn(walk.draw, "isOneIn").mockReturnValue(!isNew);
        await create[1](walk);
        const { entries } = await service.ask(title, async () => send(walk));
        expect(entries, title).toHaveLength(1);
        if (entries.some(({ response }) => response.isSuccess)) accepted.push(title);
      }
      const aboutForm = ["blank name", "id in capitals", "id with a space", "long id", "long name"];
      expect(accepted.sort()).toEqual(aboutForm);
    },
  );

  it("and shows where the mock accepts what the service rejects", async () => {
    // A rule that no profile has: a region may only be two letters.
    const { further } = await learn({
      reject: () => failed,
      deviate: (correct, { json }) => ("region" in Object(json.properties) ? failed : correct),
    });
    const lenient = further.different.filter(({ mockIs }) => mockIs === "lenient");
    expect(further.same + further.different.length).toBe(further.of);
    for (const { request, service, mock } of lenient) {
      expect(request).toMatch(/^GET \/api\/user \{.*"region"/);
      expect([service, mock]).toEqual([
        expect.stringMatching(/^422 /),
        expect.stringMatching(/^200 .*"success":1/),
      ]);
    }
  });
});
