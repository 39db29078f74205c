import { describe, expect, it } from "vitest";
import type { AssumptionId } from "../../../../src/fake/contract/assumptions.js";
import type { KnownFailure, Profile } from "../../../../src/generated/types.js";
import { facts } from "../../../../src/lab/verify/learn/facts.js";
import type { ObservedRule } from "../../../../src/lab/verify/learn/learn-accepts.js";
import type { Named } from "../../../../src/lab/verify/replay/name-responses.js";
import { findDrift } from "../../../../src/lab/verify/show/drift.js";
import type { Report } from "../../../../src/lab/verify/verify-findings.js";
import { learnedProfile, reportWith } from "../reports.js";
import { named, recorded, rejected, success } from "../seen-responses.js";

async function changesSince(expected: Profile, today: Partial<Report>): Promise<string[]> {
  const learned = learnedProfile();
  const drift = await findDrift(expected, reportWith({ ...today, learned }), learned);
  return drift.map(({ id, change }) => `${id}: ${change}`);
}

it.each([
  [79, ["accepts name: maxLength 79 → 80"]],
  [80, []],
  [119, []],
  [120, ["accepts name: maxLength 120 → 80"]],
])("a limit of %d has changed if 80 was accepted and 120 rejected: %j", async (maxLength, changes) => {
  const expected = { accepts: { "get-or-create": { properties: { name: { maxLength } } } } };
  const bounds = { field: "name", keyword: "maxLength", value: 80, below: 120 };
  expect(await changesSince(expected, { rules: [{ operation: "get-or-create", ...bounds }] })).toEqual(
    changes,
  );
});

it.each([
  ["broken", [], ["failure: holds → broken (success was false)"]],
  ["broken", ["failure"], []],
  ["holds", ["failure"], ["failure: broken → holds"]],
  ["holds", [], []],
  ["not determinable", ["failure"], []],
] as const)(
  "a fact that is %s today, and was broken in %j, has changed: %j",
  async (verdict, broken, changes) => {
    const fact = { id: "failure", fact: facts.failure, verdict, detail: "success was false" } as const;
    expect(await changesSince({ verified: { broken: [...broken] } }, { facts: [fact] })).toEqual(changes);
  },
);

describe("a value", () => {
  const valueToday = (id: AssumptionId, value: string | null): Partial<Report> => ({
    assumptions: [{ id, default: "rejected", value }],
  });

  it.each([
    ["has changed if it is another one", "accepted", ["old-token: rejected → accepted"]],
    ["has not changed if it is the same", "rejected", []],
    ["has not changed if it is not determinable", null, []],
  ])("%s", async (_, value, changes) => {
    expect(
      await changesSince({ assume: { "old-token": "rejected" } }, valueToday("old-token", value)),
    ).toEqual(changes);
  });

  it("has not changed if the profile does not have it", async () => {
    expect(await changesSince({ assume: {} }, valueToday("old-token", "accepted"))).toEqual([]);
  });

  it("has not changed if the profile has it in another place", async () => {
    const created: Profile = { assume: { "created-status": "200" }, responses: { created: { status: 201 } } };
    expect(await changesSince(created, valueToday("created-status", "201"))).toEqual([]);
    const text: Profile = { assume: { "created-status": "200" }, responses: { created: {} } };
    expect(await changesSince(text, valueToday("created-status", "201"))).toEqual([
      "created-status: 200 → 201",
    ]);
    const accepts = { "get-or-create": { properties: { name: { minLength: 1 } } } };
    const rule: Profile = { assume: { "empty-strings": "accepted" }, accepts };
    expect(await changesSince(rule, valueToday("empty-strings", "rejected"))).toEqual([]);
  });
});

describe("a rule", () => {
  const field = { operation: "get-or-create", field: "name" } as const;
  const body = { operation: "get-or-create", field: "" } as const;
  const accepts = (rules: object): Profile => ({ accepts: { "get-or-create": rules } });
  const ofName = (rules: object) => accepts({ properties: { name: rules } });

  it.each<[string, Profile, ObservedRule, readonly string[]]>([
    [
      "is another one",
      ofName({ minLength: 0 }),
      { ...field, keyword: "minLength", value: 1 },
      ["accepts name: minLength 0 → 1"],
    ],
    [
      "is gone",
      ofName({ pattern: "\\S" }),
      { ...field, keyword: "pattern", value: undefined },
      ["accepts name: pattern \\S → none"],
    ],
    [
      "is new, for a field of which the profile has the type",
      ofName({ type: "string" }),
      { ...field, keyword: "maxLength", value: 80 },
      ["accepts name: maxLength none → 80"],
    ],
    [
      "is new, for a field of which the profile has no type",
      ofName({ minLength: 0 }),
      { ...field, keyword: "maxLength", value: 80 },
      [],
    ],
    [
      "has another order",
      ofName({ type: ["string", "null"] }),
      { ...field, keyword: "type", value: ["null", "string"] },
      [],
    ],
    [
      "has another type",
      ofName({ type: ["string", "null"] }),
      { ...field, keyword: "type", value: "string" },
      ["accepts name: type string, null → string"],
    ],
    [
      "is about values",
      accepts({ properties: { mapping: { additionalProperties: true } } }),
      { ...field, field: "mapping", keyword: "additionalProperties", value: { type: "string" } },
      ['accepts mapping: additionalProperties true → {"type":"string"}'],
    ],
    [
      "is about the body",
      accepts({ required: ["user_group_id"] }),
      { ...body, keyword: "required", value: ["user_group_id", "name"] },
      ["accepts get-or-create: required user_group_id → user_group_id, name"],
    ],
    [
      "is new, for the body",
      accepts({ type: "object" }),
      { ...body, keyword: "required", value: ["name"] },
      [],
    ],
    [
      "is of a length that was found exactly",
      ofName({ maxLength: 81 }),
      { ...field, keyword: "maxLength", value: 80 },
      ["accepts name: maxLength 81 → 80"],
    ],
  ])("has changed if it %s", async (_, expected, rule, changes) => {
    expect(await changesSince(expected, { rules: [rule] })).toEqual(changes);
  });
});

describe("a response", () => {
  const invalid = { method: "GET", body: { user_group_id: "ugm-abcdef-1", name: 5 } };
  const entry = (name: string, body: object = invalid.body): Named =>
    named(name, { body: { ...body } }, rejected);

  /** What has changed in the responses to a look-up without a name, and with a wrong one. */
  async function changes(
    was: KnownFailure,
    is: KnownFailure,
    more: readonly Named[] = [],
  ): Promise<string[]> {
    const name = "invalid_body.name.type";
    // The wider name, too, as verify learns it.
    const responses = { invalid_body: is, [name]: is };
    const learned = learnedProfile({
      entries: [entry(name), ...more],
      profile: { $schema: "", verified: {}, accepts: {}, assume: {}, responses },
      responses: new Map(Object.entries(responses)),
    });
    const drift = await findDrift({ responses: { [name]: was } }, reportWith({ learned }), learned);
    return drift.map(({ id, change }) => `${id}: ${change}`);
  }
  const failure = (more: object, status = 400): KnownFailure => ({ status, body: { success: 0, ...more } });

  it.each<[string, KnownFailure, KnownFailure, readonly string[]]>([
    ["nothing", failure({ a: 1 }), failure({ a: 2 }), []],
    ["its status", failure({}), failure({}, 422), ["status 400 → 422"]],
    [
      "its content type, and then not its fields",
      failure({}),
      { status: 400, text: "no" },
      ["content type application/json → text/plain"],
    ],
    ["a header", { ...failure({}), headers: { Allow: "GET" } }, failure({}), ["Allow GET → none"]],
    [
      "a header that the profile does not have",
      failure({}),
      { ...failure({}), headers: { Allow: "GET" } },
      ["Allow none → GET"],
    ],
    [
      "no header in another order",
      { ...failure({}), headers: { Allow: "GET,POST" } },
      { ...failure({}), headers: { Allow: "POST, GET" } },
      [],
    ],
    [
      "fields",
      failure({ a: 1, c: null }),
      failure({ b: [], c: "x" }),
      ["- a (number)", "+ b (array)", "c null → string"],
    ],
    [
      "fields of fields",
      failure({ a: { b: 1, c: { d: 1 } } }),
      failure({ a: { c: {} } }),
      ["- a.b (number)", "- a.c.d (number)"],
    ],
    [
      "fields of the values of a list",
      failure({ a: [{ b: 1 }] }),
      failure({ a: [{ b: "x" }] }),
      ["a[].b number → string"],
    ],
    ["no fields of a list that is empty", failure({ a: [] }), failure({ a: [{ b: "x" }] }), []],
    ["no fields of a list that has become empty", failure({ a: [{ b: 1 }] }), failure({ a: [] }), []],
    ["no more than the profile has: the status", { status: 400 }, failure({ a: 1 }), []],
    [
      "what the profile has, also if it has no status",
      { body: { success: 0 } },
      failure({ a: 1 }, 422),
      ["+ a (number)"],
    ],
  ])("has changed: %s", async (_, was, is, expected) => {
    const ids = expected.map((change) => `invalid_body: ${change}`);
    expect(await changes(was, is)).toEqual(ids);
  });

  it("has the widest name that no unchanged response has", async () => {
    const changed = await changes(failure({}), failure({}, 422), [
      entry("invalid_body.mapping.type", { user_group_id: "ugm-abcdef-1", name: "n", mapping: 5 }),
    ]);
    expect(changed).toEqual(["invalid_body.name: status 400 → 422"]);
  });

  it("without a name is not compared", async () => {
    const learned = learnedProfile({ entries: [{ ...recorded(invalid, rejected), ...entry("") }] });
    expect(
      await findDrift({ responses: { invalid_body: failure({ a: 1 }) } }, reportWith({ learned }), learned),
    ).toEqual([]);
  });

  it("of a success has changed in its added fields, if the profile knows it whole", async () => {
    const sent = { body: { user_group_id: "ugm-abcdef-1", name: "n" } };
    const found = async (was: KnownFailure) => {
      const is = { status: 200, body: { user_group: { plan: "free" } } };
      const learned = learnedProfile({
        entries: [named("created", sent, success({ provided_id: "ugm-abcdef-1", name: "n", token: "t" }))],
        profile: { $schema: "", verified: {}, accepts: {}, assume: {}, responses: { created: is } },
        responses: new Map([["created", is]]),
      });
      const drift = await findDrift(
        { responses: { created: was } } as Profile,
        reportWith({ learned }),
        learned,
      );
      return drift.map(({ id, change }) => `${id}: ${change}`);
    };
    expect(await found({ status: 200 })).toEqual(["created: + user_group.plan (string)"]);
    expect(await found({ headers: {} })).toEqual([]);
  });
});
