import { describe, expect, it } from "vitest";
import { type Accepts, type AssumptionChoice, type Profile, startMock } from "../../../src/index.js";
import { call, getOrCreate } from "../../call.js";
import { rejectionOf } from "../world/rejection.js";

const group = { user_group_id: "a", name: "A" };

/** Starts a mock with rules for get-or-create, and sends a body. */
async function send(rules: Accepts["get-or-create"] & object, body: unknown) {
  await using mock = await startMock({ profile: { accepts: { "get-or-create": rules } } });
  const { status, body: response } = await getOrCreate(mock.url, body);
  const { user_groups } = await mock.state();
  return { status, response, stored: user_groups.at(-1) };
}

describe("accepts of a profile", () => {
  it.each<
    [title: string, rules: Accepts["get-or-create"] & object, body: object, path: string, message: string]
  >([
    [
      "a name that is too long",
      { properties: { name: { maxLength: 3 } } },
      { ...group, name: "long" },
      "/name",
      "must NOT have more than 3 characters",
    ],
    [
      "a name that is too short",
      { properties: { name: { minLength: 3 } } },
      group,
      "/name",
      "must NOT have fewer than 3 characters",
    ],
    [
      "an id of another form",
      { properties: { user_group_id: { pattern: "^g-" } } },
      group,
      "/user_group_id",
      'must match pattern "^g-"',
    ],
    [
      "a value that is not listed",
      { properties: { name: { enum: ["B", "C"] } } },
      group,
      "/name",
      'must be "B" or "C"',
    ],
    [
      "a field that every request needs",
      { required: ["user_group_id", "mapping"] },
      group,
      "/mapping",
      "is required",
    ],
    [
      "an unknown field",
      { additionalProperties: false },
      { ...group, nam: 1 },
      "/nam",
      "is not in the interface; did you mean name?",
    ],
    [
      "a key that is not listed",
      { properties: { mapping: { additionalProperties: false, properties: { "40": {} } } } },
      { ...group, mapping: { "41": "x" } },
      "/mapping/41",
      "is not a known field; did you mean 40?",
    ],
    [
      "a key of another form",
      { properties: { mapping: { propertyNames: { pattern: "^[0-9]+$" } } } },
      { ...group, mapping: { "40": "x", sales: "x" } },
      "/mapping/sales",
      "is a key that is not allowed",
    ],
    [
      "too many keys",
      { properties: { properties: { maxProperties: 1 } } },
      { ...group, properties: { region: "EU", plan: "free" } },
      "/properties",
      "must not have more than 1 key",
    ],
    [
      "a property of another type",
      { properties: { properties: { properties: { region: { type: "string" } } } } },
      { ...group, properties: { region: 5 } },
      "/properties/region",
      "must be string",
    ],
    [
      "a property inside another",
      { properties: { properties: { properties: { a: { type: "object", required: ["b"] } } } } },
      { ...group, properties: { a: {} } },
      "/properties/a/b",
      "is required",
    ],
    [
      "NUL, whatever the pattern",
      { properties: { user_group_id: { pattern: "." } } },
      { ...group, user_group_id: "a\0" },
      "/user_group_id",
      "must be Unicode text without NUL and without unpaired surrogates",
    ],
  ])("rejects %s", async (_, rules, body, path, message) => {
    const { status, response } = await send(rules, body);
    expect([status, response.error.code, response.error.details]).toEqual([
      400,
      "invalid_body",
      [{ path, message }],
    ]);
  });

  it.each<[title: string, rules: Accepts["get-or-create"] & object, body: object, stored: object]>([
    [
      "null as not sent",
      { properties: { mapping: { type: ["object", "null"] }, properties: { type: ["object", "null"] } } },
      { ...group, mapping: null, properties: null },
      { mapping: {}, properties: {} },
    ],
    [
      "what is not an object in place of one, as not sent",
      { properties: { mapping: { type: ["object", "array"] }, properties: { type: ["object", "string"] } } },
      { ...group, mapping: [1], properties: "EU" },
      { name: "A", mapping: {}, properties: {} },
    ],
    [
      "a number as id, as text",
      { properties: { user_group_id: { type: ["string", "number"] } } },
      { ...group, user_group_id: 5 },
      { provided_id: "5" },
    ],
    [
      "a boolean as name, as text",
      { properties: { name: { type: ["string", "boolean"] } } },
      { ...group, name: false },
      { name: "false" },
    ],
    ["an empty name", { properties: { name: { minLength: 0 } } }, { ...group, name: "" }, { name: "" }],
    [
      "values of another type in a mapping",
      { properties: { mapping: { additionalProperties: { type: ["string", "number"] } } } },
      { ...group, mapping: { "40": 213 } },
      { mapping: { "40": 213 } },
    ],
    [
      "any value of one key",
      { properties: { mapping: { properties: { "40/~1": {} } } } },
      { ...group, mapping: { "40/~1": [1], "41": "x" } },
      { mapping: { "40/~1": [1], "41": "x" } },
    ],
    [
      "a length in characters, not in UTF-16 units",
      { properties: { name: { maxLength: 2 } } },
      { ...group, name: "😀😀" },
      { name: "😀😀" },
    ],
  ])("accepts %s", async (_, rules, body, stored) => {
    const { status, stored: found } = await send(rules, body);
    expect([status, found]).toEqual([200, expect.objectContaining(stored)]);
  });

  it("accepts null as name, as not sent", async () => {
    const rules = { properties: { name: { type: ["string" as const, "null" as const] } } };
    const profile: Profile = { accepts: { "get-or-create": rules } };
    await using mock = await startMock({ profile });
    const sent = { user_group_id: "example_1", name: null };
    expect((await getOrCreate(mock.url, sent)).headers).not.toHaveProperty("usergroup-mock-assumed");
    const { status, body } = await getOrCreate(mock.url, { ...group, name: null });
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: "/name", message: "is required to create a group" }],
    ]);
  });

  it("keeps the other rules of the shipped schema", async () => {
    const { response } = await send(
      { properties: { name: { maxLength: 3 } } },
      { name: 5, mapping: "x", properties: 1 },
    );
    const paths = response.error.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["/mapping", "/name", "/properties", "/user_group_id"]);
  });

  it("has rules for rotate", async () => {
    const accepts: Accepts = {
      rotate: { additionalProperties: false, properties: { filename: { type: ["string", "null"] } } },
    };
    await using mock = await startMock({ profile: { accepts } });
    const { token } = await mock.addGroup({ provided_id: "b", name: "B" });
    const rotate = (more: object) => call("POST", `${mock.url}/api/user`, { current_token: token, ...more });
    expect((await rotate({ other: 1 })).body.error.message).toContain("/other is not in the interface");
    expect((await rotate({ filename: null })).status).toBe(200);
  });

  it("lets fixtures, load and addGroup have the values of a mapping that requests can have", async () => {
    const mapping = { additionalProperties: { type: ["string" as const, "number" as const] } };
    const profile: Profile = { accepts: { "get-or-create": { properties: { mapping } } } };
    const fixture = {
      teams: [{ team_id: 3, api_tokens: ["t"] }],
      user_groups: [{ team_id: 3, provided_id: "a", name: "A", mapping: { "40": 213 } }],
    };
    await using mock = await startMock({ profile, fixtures: fixture });
    await mock.load(fixture);
    expect(await mock.addGroup({ provided_id: "b", name: "B", mapping: { "40": 1 } })).toMatchObject({
      mapping: { "40": 1 },
    });
    const wrong = { provided_id: "c", name: "C", mapping: { "40": true } };
    expect((await rejectionOf(mock.addGroup(wrong))).message).toContain("/mapping/40: must be string");
  });
});

/** A question about a body, a body that shows its value, and rules that settle it the other way. */
const matters = [
  {
    id: "unknown-fields",
    body: { ...group, extra: 1 },
    lenient: { additionalProperties: true },
    strict: { additionalProperties: false },
    accepting: "ignored",
    rejecting: "rejected",
  },
  {
    id: "mapping-values",
    body: { ...group, mapping: { "40": 213 } },
    lenient: { properties: { mapping: { additionalProperties: true } } },
    strict: { properties: { mapping: { additionalProperties: { type: "string" } } } },
    accepting: "accepted",
    rejecting: "rejected",
  },
  {
    id: "numeric-ids",
    body: { ...group, user_group_id: 5 },
    lenient: { properties: { user_group_id: { type: ["string", "number"] } } },
    strict: { properties: { user_group_id: { type: "string" } } },
    accepting: "coerced",
    rejecting: "rejected",
  },
  {
    id: "empty-strings",
    body: { ...group, name: "" },
    lenient: { properties: { name: { minLength: 0 } } },
    strict: { properties: { name: { minLength: 1 } } },
    accepting: "accepted",
    rejecting: "rejected",
  },
  {
    id: "name-on-create",
    body: { user_group_id: "a" },
    // Rules can demand a name. They cannot say what a group without one is called.
    lenient: undefined,
    strict: { required: ["user_group_id", "name"] },
    accepting: "defaults-to-id",
    rejecting: "required",
  },
] as const;

describe("precedence: set on purpose, then accepts, then assume of the profile, then the default", () => {
  const outcome = async (options: { profile?: Profile; assume?: AssumptionChoice }, body: object) => {
    await using mock = await startMock(options);
    const { status, headers } = await getOrCreate(mock.url, body);
    const [entry] = await mock.requests();
    return { status, assumed: String(headers["usergroup-mock-assumed"] ?? ""), known: entry?.known };
  };

  it.each(matters)("$id", async ({ id, body, lenient, strict, accepting, rejecting }) => {
    const accepts = (rules: object) => ({ accepts: { "get-or-create": rules } }) as Profile;
    const value = (one: string) => ({ [id]: one }) as AssumptionChoice;
    if (lenient !== undefined) {
      const known = await outcome({ profile: { ...accepts(lenient), assume: value(rejecting) } }, body);
      expect(known).toMatchObject({ status: 200, known: [`${id}=${accepting}`] });
      expect(known.assumed).not.toContain(id);
      const set = await outcome({ profile: accepts(lenient), assume: value(rejecting) }, body);
      expect(set).toMatchObject({ status: 400, assumed: expect.stringContaining(`${id}=${rejecting}`) });
    }
    const known = await outcome({ profile: { ...accepts(strict), assume: value(accepting) } }, body);
    expect(known).toMatchObject({ status: 400, known: [`${id}=${rejecting}`] });
    expect(known.assumed).not.toContain(id);
    const set = await outcome({ profile: accepts(strict), assume: value(accepting) }, body);
    expect(set).toMatchObject({ status: 200, assumed: expect.stringContaining(`${id}=${accepting}`) });
    const profile = await outcome({ profile: { assume: value(accepting) } }, body);
    expect(profile).toMatchObject({ status: 200, known: [`${id}=${accepting}`] });
    const other = accepts({ properties: { properties: { type: "object" } } });
    const assumed = await outcome({ profile: other }, body);
    expect(assumed.assumed).toContain(`${id}=`);
  });

  it("a place that accepts does not name stays assumed", async () => {
    const profile: Profile = {
      accepts: { "get-or-create": { additionalProperties: false, properties: { name: { minLength: 0 } } } },
    };
    await using mock = await startMock({ profile });
    const { headers } = await call("POST", `${mock.url}/api/user`, { current_token: "", other: 1 });
    expect(headers["usergroup-mock-assumed"]).toContain("empty-strings=rejected, unknown-fields=ignored");
    const ledger = await mock.assumptions();
    const find = (one: string) => ledger.find(({ id }) => id === one);
    expect(find("unknown-fields")).toMatchObject({ source: "default", knownFor: ["get-or-create"] });
    expect(find("empty-strings")).toMatchObject({ source: "default", knownFor: ["get-or-create/name"] });
    await mock.assume({ "unknown-fields": "ignored" });
    expect((await mock.assumptions()).find(({ id }) => id === "unknown-fields")).not.toHaveProperty(
      "knownFor",
    );
  });

  it("a text that is too short but not empty is no matter of empty-strings", async () => {
    const profile: Profile = { accepts: { "get-or-create": { properties: { name: { minLength: 3 } } } } };
    const short = await outcome({ profile, assume: { "empty-strings": "accepted" } }, group);
    expect(short).toMatchObject({ status: 400, known: [] });
  });

  it("required does not settle name-on-create if it does not list name", async () => {
    const profile: Profile = { accepts: { "get-or-create": { required: ["user_group_id", "mapping"] } } };
    await using mock = await startMock({ profile });
    const { headers } = await getOrCreate(mock.url, { user_group_id: "a", mapping: {} });
    expect(headers["usergroup-mock-assumed"]).toContain("name-on-create=required");
    const found = (await mock.assumptions()).find(({ id }) => id === "name-on-create");
    expect(found?.source).toBe("default");
    expect(found).not.toHaveProperty("knownFor");
  });

  it("an assumption is known if accepts names all its places", async () => {
    const properties = { user_group_id: { minLength: 1 }, name: { minLength: 0 } };
    await using mock = await startMock({ profile: { accepts: { "get-or-create": { properties } } } });
    const found = (await mock.assumptions()).find(({ id }) => id === "empty-strings");
    expect(found).toMatchObject({
      source: "profile",
      knownFor: ["get-or-create/user_group_id", "get-or-create/name"],
    });
    const { body } = await call("GET", `${mock.url}/__admin/assumptions`);
    expect(body.accepts).toEqual({ "get-or-create": { properties } });
  });
});
