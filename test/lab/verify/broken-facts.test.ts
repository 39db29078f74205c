import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { AssumptionId } from "../../../src/fake/contract/assumptions.js";
import type { JsonObject } from "../../../src/foundation/json.js";
import { type FactId, facts } from "../../../src/lab/verify/learn/facts.js";
import { apiTokens, frameworkService, type Sent, type StoredGroup, type Style } from "./framework-service.js";
import { askQuestions, verifyWhole } from "./known-service.js";

type Deviation = NonNullable<Style["deviate"]>;

const [apiToken, secondApiToken] = apiTokens;
const failed = { status: 400, body: { success: 0 } };

async function ask(deviate: Deviation, sample?: JsonObject) {
  await using server = await frameworkService({ reject: () => failed, deviate });
  return await askQuestions({ baseUrl: server.url, apiToken, secondApiToken, ...(sample && { sample }) });
}

it("a second API token that was revoked breaks no fact", async () => {
  await using server = await frameworkService({
    reject: ({ kind }) =>
      kind === "unauthorized" ? { status: 401, body: { detail: "Invalid token." } } : failed,
  });
  const report = await askQuestions({ baseUrl: server.url, apiToken, secondApiToken: "revoked" });
  expect(report.facts.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
  expect(report.assumptions.find(({ id }) => id === "failure-body")?.value).toBe("bare");
});

const succeeds = ({ body }: Sent) => Object(body).success === 1;
/** Changes the fields of every successful response to one method, or to both. */
const inResponse =
  (method: "GET" | "POST" | "both", change: (body: JsonObject) => object): Deviation =>
  (correct, request) =>
    succeeds(correct) && (method === "both" || request.method === method)
      ? { ...correct, body: change(Object(correct.body)) }
      : correct;
const inGroup = (method: "GET" | "POST" | "both", change: (group: JsonObject) => object): Deviation =>
  inResponse(method, (body) => ({ ...body, user_group: change(Object(body.user_group)) }));
const without = (field: string) => (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
/** The objects of a group with what was sent for it. */
const mergedWith = ({ mapping, properties }: StoredGroup, sent: JsonObject) => ({
  mapping: { ...Object(mapping), ...Object(sent.mapping) },
  properties: { ...Object(properties), ...Object(sent.properties) },
});
const otherToken = "rotate and the next look-up did not return the same token";

/** Each deviation, with all facts that it breaks and their details. */
const deviations: readonly (readonly [string, Deviation, Partial<Record<FactId, RegExp | string>>])[] = [
  ["is correct", (correct) => correct, {}],
  [
    "returns success as text",
    inResponse("both", (body) => ({ ...body, success: "1" })),
    { created: 'success was "1"', rotated: 'success was "1"' },
  ],
  [
    "omits new_user_group",
    inResponse("GET", without("new_user_group")),
    { created: "new_user_group was missing", flag: "new_user_group was missing instead of true" },
  ],
  [
    "changes the token at every look-up",
    (correct, { method, group, newToken }) => {
      if (!succeeds(correct) || method === "POST" || group === undefined) return correct;
      group.token = newToken();
      return {
        ...correct,
        body: {
          ...Object(correct.body),
          user_group: { ...Object(correct.body).user_group, token: group.token },
        },
      };
    },
    {},
  ],
  [
    "adds fields",
    inResponse("both", (body) => ({
      ...body,
      warnings: [],
      user_group: { ...Object(body.user_group), id: 1 },
    })),
    {},
  ],
  [
    "returns 202 for a rotation",
    (correct, { method }) => (method === "POST" && succeeds(correct) ? { ...correct, status: 202 } : correct),
    {},
  ],
  [
    "omits user_group",
    inResponse("GET", without("user_group")),
    {
      created: "user_group was missing",
      group: "team_id was missing",
      sent: /^name was missing instead of "ugm-\w{6} \d+"$/,
    },
  ],
  [
    "returns team_id as text",
    inGroup("both", (group) => ({ ...group, team_id: "1" })),
    { group: 'team_id was "1"' },
  ],
  [
    "returns another name",
    inGroup("both", (group) => ({ ...group, name: String(group.name).toUpperCase() })),
    { sent: /^name was "UGM-\w{6} \d+" instead of "ugm-\w{6} \d+"$/ },
  ],
  [
    "returns another group from rotate",
    inGroup("POST", (group) => ({ ...group, provided_id: "another" })),
    { rotatedGroup: /^provided_id was "another" instead of "ugm-\w{6}-\d+"$/ },
  ],
  [
    "returns a token from rotate that the group does not have",
    inGroup("POST", (group) => ({ ...group, token: `never-${group.token}` })),
    { rotatedToken: otherToken },
  ],
  [
    "returns success false in a failure",
    (correct) => (succeeds(correct) ? correct : { status: 404, body: { success: false } }),
    { failure: "success was false with status 404" },
  ],
  [
    "has no success in a 401",
    (correct, { team }) => (team === undefined ? { status: 401, body: { detail: "no" } } : correct),
    {},
  ],
  [
    "rotates without a valid API token",
    (correct, { team, method, group }) =>
      team !== undefined || method !== "POST" || group === undefined
        ? correct
        : { status: 200, body: { success: 1, user_group: group } },
    { authorization: "rotate succeeded without it" },
  ],
];

describe("verify", () => {
  it.each(deviations)("reports the broken facts of a service that %s", async (_, deviation, broken) => {
    const report = await ask(deviation);
    expect(report.facts.map(({ fact }) => fact)).toEqual(Object.values(facts));
    const found = report.facts.filter(({ verdict }) => verdict === "broken");
    const expected = Object.entries(broken).map(([name, detail]) => [
      facts[name as FactId],
      detail instanceof RegExp ? expect.stringMatching(detail) : detail,
    ]);
    expect(Object.fromEntries(found.map(({ fact, detail }) => [fact, detail]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  it("learns rejections from a service that shows no group", async () => {
    const deviate = inResponse("both", without("user_group"));
    await using server = await frameworkService({ reject: () => failed, deviate });
    const { profile } = await verifyWhole({ baseUrl: server.url, apiToken });
    expect(profile.responses).toMatchObject({ created: { status: 200 }, invalid_body: { status: 400 } });
  });

  it("has a test case that breaks each fact", () => {
    const met = new Set(deviations.flatMap(([, , broken]) => Object.keys(broken)));
    // Whether a mapping is valid depends on the schemas of the service.
    expect(met).toEqual(new Set(Object.keys(facts).filter((fact) => fact !== "mapping")));
  });
});

describe("a question of verify", () => {
  const find = async (deviation: Deviation, sample?: JsonObject) => {
    const { assumptions, facts: found } = await ask(deviation, sample);
    const values = Object.fromEntries(assumptions.map((finding) => [finding.id, finding] as const));
    return { values, unsettled: found.filter(({ verdict }) => verdict !== "holds") };
  };

  it("is not determinable if the service has a value that the mock does not know", async () => {
    const { values } = await find((correct) => {
      if (!succeeds(correct)) return { status: 422, body: { success: 0, reason: "no" } };
      return Object(correct.body).new_user_group === true ? { ...correct, status: 202 } : correct;
    });
    const open = Object.values(values).filter(({ value }) => value === null);
    expect(open.map(({ id, why }) => [id, why])).toEqual([
      ["created-status", "no value: the status was 202; the response created below has it"],
      ["failure-body", "no value: rejections have (success, reason); the responses below have it"],
    ]);
  });

  it("is not determinable if no request is rejected", async () => {
    const { values, unsettled } = await find((correct) =>
      succeeds(correct) ? correct : { status: 200, body: { success: 1, user_group: {} } },
    );
    const why = "no request was rejected";
    expect(values["failure-status"]?.why).toBe(why);
    expect(unsettled).toContainEqual({
      id: "failure",
      fact: facts.failure,
      verdict: "not determinable",
      why,
    });
  });

  it.each([
    ["rotated-token", "omits the token in rotate", inGroup("POST", without("token"))],
    ["group-scope", "omits new_user_group", inResponse("GET", without("new_user_group"))],
    [
      "name-on-create",
      "omits user_group if there is no name",
      (correct, { json }) =>
        "user_group_id" in json && !("name" in json) ? { status: 200, body: { success: 1 } } : correct,
    ],
    [
      "content-type",
      "accepts text/plain, but no missing Content-Type",
      (correct, { headers }) =>
        headers["content-type"] === "text/plain" ? { status: 200, body: { success: 1 } } : correct,
    ],
    [
      "failure-status",
      "has status 200 in some rejections",
      (correct, { json }) => (json.name === null ? { ...correct, status: 200 } : correct),
    ],
  ] satisfies [AssumptionId, string, Deviation][])(
    "is not guessed: %s of a service that %s",
    async (id, _, deviation) => {
      const { value, why } = (await find(deviation)).values[id] ?? {};
      expect(value).toBeNull();
      expect(why).toBeTruthy();
    },
  );

  const others = "the service rejects other properties or another mapping, but not another name";
  it.each<[string, string | undefined, readonly string[]]>([
    ["name-rejected", undefined, ["name"]],
    ["rejected", undefined, ["name", "mapping"]],
    ["rejected", undefined, ["name", "properties"]],
    ["rejected", `${others}; the mock rejects all`, ["mapping"]],
  ])("is existing-group=%s, with the remark %s, of a service that rejects another %j", async (...row) => {
    const [value, remark, fields] = row;
    const bodies = new Map<unknown, JsonObject>();
    const { values } = await find((correct, { method, json }) => {
      const created = bodies.get(json.user_group_id) ?? json;
      if (method !== "GET" || !succeeds(correct)) return correct;
      bodies.set(json.user_group_id, created);
      const isOther = (field: string) =>
        json[field] !== undefined && !isDeepStrictEqual(json[field], created[field]);
      return fields.some(isOther) ? failed : correct;
    });
    expect(values["existing-group"]?.value).toBe(value);
    expect(values["existing-group"]?.remark).toBe(remark);
  });

  it.each<[string, string | undefined, boolean, (group: StoredGroup, sent: JsonObject) => JsonObject]>([
    ["updated", undefined, true, (_, sent) => sent],
    ["merged", undefined, true, mergedWith],
    ["merged", undefined, true, (group, sent) => ({ mapping: mergedWith(group, sent).mapping })],
    [
      "merged",
      "not so for properties (kept by the service)",
      true,
      (group, sent) => ({ ...mergedWith(group, sent), properties: group.properties }),
    ],
    ["updated", "not so for mapping (kept by the service)", true, ({ mapping }) => ({ mapping })],
    [
      "unchanged",
      "not so for mapping (replaced by the service)",
      false,
      ({ mapping }, sent) => ({ mapping: sent.mapping ?? mapping }),
    ],
    ["unchanged", undefined, false, ({ mapping, properties }) => ({ mapping, properties })],
  ])("is existing-group=%s, with the remark %s, if that is what responses show", async (...row) => {
    const [value, remark, updates, show] = row;
    const { values } = await find((correct, { method, json, group }) => {
      if (method !== "GET" || group === undefined || !succeeds(correct)) return correct;
      const { mapping, properties, ...shown } = Object(correct.body).user_group;
      const sent = {
        mapping: json.mapping ?? group.mapping,
        properties: json.properties ?? group.properties,
      };
      const user_group = {
        ...shown,
        ...(json.name && updates ? { name: json.name } : {}),
        ...show(group, sent),
      };
      return { ...correct, body: { ...Object(correct.body), user_group } };
    });
    expect(values["existing-group"]?.value).toBe(value);
    expect(values["existing-group"]?.remark).toBe(remark);
  });

  it.each<[string, (body: JsonObject) => boolean]>([
    ["properties", ({ properties }) => "verify" in Object(properties)],
    ["mapping", ({ mapping }) => Object(mapping)["41"] === "214"],
  ])("is not existing-group=rejected if a new group may not have other %s either", async (_, isWrong) => {
    const { values } = await find((correct, { json }) => (isWrong(json) ? failed : correct));
    expect(values["existing-group"]).toMatchObject({ value: "unchanged" });
  });

  it("about mapping needs a sample if the service has only the schema 7 and its source x", async () => {
    const deviation: Deviation = (correct, { json }) => {
      const isUnknown = ([schema, source]: [string, unknown]) =>
        schema !== "7" || (typeof source === "string" && source !== "x");
      return Object.entries(Object(json.mapping)).some(isUnknown) ? { ...failed, status: 422 } : correct;
    };
    const why = expect.stringContaining("pass --sample");
    const { values, unsettled } = await find(deviation);
    expect(unsettled).toMatchObject([{ fact: facts.mapping, verdict: "not determinable", why }]);
    expect(values["mapping-values"]).toMatchObject({ value: null, why });
    const sampled = await find(deviation, {
      user_group_id: "any",
      name: "Any",
      mapping: { "7": "x" },
      properties: {},
    });
    expect(sampled.unsettled).toEqual([]);
    expect(sampled.values["mapping-values"]).toMatchObject({ value: "accepted" });
    expect(sampled.values["existing-group"]).toMatchObject({ value: "unchanged" });
  });
});
