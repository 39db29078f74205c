import { describe, expect, it } from "vitest";
import type { AssumptionId } from "../../../../src/fake/contract/assumptions.js";
import type { FirstGroup, LaterResponses } from "../../../../src/lab/verify/ask/first-group.js";
import { Answers } from "../../../../src/lab/verify/ask/questions.js";
import { hasRuleFor } from "../../../../src/lab/verify/learn/body-assumptions.js";
import { concludeAssumptions } from "../../../../src/lab/verify/learn/conclude-assumptions.js";
import { concludeFacts } from "../../../../src/lab/verify/learn/conclude-facts.js";
import type { FactId } from "../../../../src/lab/verify/learn/facts.js";
import type { ObservedRule } from "../../../../src/lab/verify/learn/learn-accepts.js";
import { rejections } from "../../../../src/lab/verify/learn/seen-by-run.js";
import type { Recorded } from "../../../../src/lab/verify/service/recorded.js";
import type { Answer } from "../../../../src/lab/verify/service/service-client.js";
import { recorded, rejected, responseWith, type SeenPart, success } from "../seen-responses.js";

const body = { user_group_id: "a", name: "A" };
const group = { provided_id: "a", name: "A", token: "one" };
const found = success(group, { new_user_group: false });
const rotated = success({ ...group, token: "two" }, {});
const after = success({ ...group, token: "two" }, { new_user_group: false });

interface Seen {
  readonly body?: FirstGroup["body"];
  readonly created?: SeenPart;
  readonly later?: Partial<Record<"found" | "rotated" | "after", SeenPart>> &
    Partial<Pick<LaterResponses, "isTokenStable">>;
  readonly laterAnswer?: FirstGroup["later"];
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly entries?: readonly Recorded[];
  readonly rules?: readonly ObservedRule[];
}

function seenBy({ later = {}, answers = {}, entries = [], rules = [], ...seen }: Seen) {
  const value = {
    found: responseWith(later.found ?? found),
    rotated: responseWith(later.rotated ?? rotated),
    after: responseWith(later.after ?? after),
    isTokenStable: later.isTokenStable ?? true,
  };
  const created = responseWith(seen.created ?? success(group));
  const first = { body: seen.body ?? body, created, later: seen.laterAnswer ?? { value } };
  // The request that created the group.
  const all = [recorded({}, success(group)), ...entries];
  return { seen: { first, answers: new Answers(Object.entries(answers)), entries: all }, rules };
}

describe("the rejections of the operations", () => {
  it("are those by the two methods at their path, to an API token that the service accepts", () => {
    const second = { authorization: "Token second" };
    const entries = [
      recorded({ question: "one" }, rejected),
      recorded({ question: "two", method: "POST" }, rejected),
      recorded({ question: "a second team", ...second }, rejected),
      recorded({ question: "success" }, success({})),
      recorded({ question: "success of the second team", ...second }, success({})),
      recorded({ question: "another path", path: "/api/user/" }, rejected),
      recorded({ question: "another method", method: "PUT" }, rejected),
      recorded({ question: "another scheme", authorization: "Bearer api-token" }, rejected),
      recorded({ question: "a revoked token", authorization: "Token third" }, rejected),
    ];
    expect(rejections({ entries })).toEqual(entries.slice(0, 3).map(({ response }) => response));
  });
});

describe("a fact", () => {
  function conclude(id: FactId, seen: Seen) {
    const { fact, id: _, ...finding } = concludeFacts(seenBy(seen).seen).find((one) => one.id === id) ?? {};
    return finding;
  }
  const holds = { verdict: "holds" };
  const broken = (detail: string) => ({ verdict: "broken", detail });
  const open = (why: string) => ({ verdict: "not determinable", why });
  const noResponse = { why: "no response", unanswered: true } as const;

  it.each<[FactId, string, Seen, object]>([
    ["created", "holds", {}, holds],
    [
      "created",
      "is broken by another flag",
      { created: success(group, { new_user_group: 1 }) },
      broken("new_user_group was 1"),
    ],
    [
      "rotated",
      "is open if there was no response",
      { laterAnswer: noResponse },
      { ...open("no response"), unanswered: true },
    ],
    ["rotated", "is open if it was not asked", { laterAnswer: { why: "no token" } }, open("no token")],
    [
      "flag",
      "is broken if a look-up has created a group",
      { later: { found: success(group) } },
      broken("new_user_group was true instead of false"),
    ],
    [
      "group",
      "is broken by a team that is no integer",
      { created: success({ ...group, team_id: 1.5 }) },
      broken("team_id was 1.5"),
    ],
    [
      "sent",
      "is broken by another id",
      { created: success({ ...group, provided_id: "b" }) },
      broken('provided_id was "b" instead of "a"'),
    ],
    [
      "rotatedGroup",
      "is broken by another team",
      { later: { rotated: success({ ...group, team_id: 8 }, {}) } },
      broken("team_id was 8 instead of 7"),
    ],
    ["rotatedGroup", "holds with another token", {}, holds],
    [
      "rotatedToken",
      "is broken if the next look-up has another one",
      { later: { after: found } },
      broken("rotate and the next look-up did not return the same token"),
    ],
    [
      "rotatedToken",
      "is broken if there is none",
      { later: { rotated: success({}, {}), after: success({}, {}) } },
      broken("rotate and the next look-up did not return the same token"),
    ],
    [
      "rotatedToken",
      "is open if a look-up changes it",
      { later: { isTokenStable: false } },
      open("looking up a group changes its token"),
    ],
    ["mapping", "holds if both were accepted", { body: { ...body, mapping: {}, properties: {} } }, holds],
    [
      "mapping",
      "is open without properties",
      { body: { ...body, mapping: {} } },
      open("this needs a mapping and properties that the service accepts: pass --sample"),
    ],
    ["authorization", "holds", { answers: { "no API token": { value: undefined } } }, holds],
    [
      "authorization",
      "is broken",
      { answers: { "no API token": { value: "rotate succeeded without it" } } },
      broken("rotate succeeded without it"),
    ],
    ["authorization", "is open", {}, open("this was not asked")],
    ["failure", "holds", { entries: [recorded({}, rejected)] }, holds],
    [
      "failure",
      "is broken by one rejection of many",
      { entries: [recorded({}, rejected), recorded({}, { status: 400, body: { success: 2 } })] },
      broken("success was 2 with status 400"),
    ],
    [
      "failure",
      "is broken by a rejection that is not JSON",
      { entries: [recorded({}, { status: 400, body: "no" })] },
      broken("success was missing with status 400"),
    ],
    [
      "failure",
      "is open without a rejection",
      { entries: [recorded({}, success({}))] },
      open("no request was rejected"),
    ],
  ])("%s %s", (id, _, seen, expected) => {
    expect(conclude(id, seen)).toEqual(expected);
  });
});

describe("an assumption", () => {
  function concludeAll(parts: Seen) {
    const { seen, rules } = seenBy(parts);
    return concludeAssumptions(seen, rules);
  }

  function conclude(id: AssumptionId, seen: Seen) {
    const { id: _, default: __, ...finding } = concludeAll(seen).find((one) => one.id === id) ?? {};
    return finding;
  }
  const answer = (id: AssumptionId, value: unknown): Seen => ({ answers: { [id]: { value } } });
  const isFound = (value: string) => ({ value });
  const open = (why: string) => ({ value: null, why });
  const remark =
    "the service rejects other properties or another mapping, but not another name; the mock rejects all";

  it.each<[AssumptionId, object, object]>([
    ["existing-group", { name: "rejected", others: "rejected" }, isFound("rejected")],
    ["existing-group", { name: "unchanged", others: "rejected" }, { value: "rejected", remark }],
    ["existing-group", { name: "rejected", others: "accepted" }, isFound("name-rejected")],
    ["existing-group", { name: "updated", others: "accepted", mapping: "merged" }, isFound("merged")],
    ["existing-group", { name: "updated", others: "accepted", properties: "merged" }, isFound("merged")],
    ["existing-group", { name: "updated", others: "accepted" }, isFound("updated")],
    ["name-on-create", { isRequired: true }, isFound("required")],
    ["name-on-create", { isRequired: false }, isFound("defaults-to-id")],
    [
      "name-on-create",
      { isRequired: false, otherName: "Group 7" },
      { value: "defaults-to-id", remark: 'the service gave the name "Group 7", not the id' },
    ],
    ["id-matching", { capitals: "same group", space: "same group" }, isFound("trimmed-any-case")],
    ["id-matching", { capitals: "same group", space: "rejected" }, isFound("any-case")],
    ["id-matching", { capitals: "another group", space: "same group" }, isFound("trimmed")],
    ["id-matching", { capitals: "rejected", space: "rejected" }, isFound("exact")],
  ])("%s follows from what was seen: %j", (id, value, expected) => {
    expect(conclude(id, answer(id, value))).toEqual(expected);
  });

  it.each<[AssumptionId, string, Seen, object]>([
    ["created-status", "200", { created: success(group) }, isFound("200")],
    ["created-status", "201", { created: { ...success(group), status: 201 } }, isFound("201")],
    [
      "created-status",
      "another status",
      { created: { ...success(group), status: 202 } },
      open("no value: the status was 202; the response created below has it"),
    ],
    ["rotated-token", "another token", {}, isFound("new")],
    ["rotated-token", "the same token", { later: { rotated: found } }, isFound("same")],
    [
      "rotated-token",
      "no token",
      { later: { rotated: success({}) } },
      open("the response to rotate has no token"),
    ],
    [
      "rotated-token",
      "a rejection",
      { later: { rotated: { status: 400, body: { success: 0, user_group: group } } } },
      open("the response to rotate has no token"),
    ],
    ["failure-status", "no rejection", {}, open("no request was rejected")],
    ["failure-status", "statuses of errors", { entries: [recorded({}, rejected)] }, isFound("by-kind")],
    [
      "failure-status",
      "the status 200",
      { entries: [recorded({}, { body: { success: 0 } })] },
      isFound("always-200"),
    ],
    [
      "failure-status",
      "both",
      { entries: [recorded({}, rejected), recorded({}, { body: { success: 0 } })] },
      open("no value: some rejections have the status 200; the responses below have it"),
    ],
    [
      "videos-path",
      "no response",
      { answers: { "videos-path": { why: "no response", unanswered: true } } },
      { ...open("no response"), unanswered: true },
    ],
    ["videos-path", "no answer", {}, open("this was not asked")],
  ])("%s follows from %s", (id, _, seen, expected) => {
    expect(conclude(id, seen)).toEqual(expected);
  });

  it.each<[object, readonly unknown[]]>([
    [isFound("bare"), [{ success: 0 }, { success: 0 }]],
    [isFound("message"), [{ success: 0, message: "no" }]],
    [isFound("error-object"), [{ success: 0, error: {}, message: "no" }]],
    [
      open("no value: rejections have (success) or (success, message); the responses below have it"),
      [{ success: 0 }, { success: 0, message: "no" }],
    ],
    [
      open("no value: rejections have (success, message); the responses below have it"),
      [{ success: 0, message: 5 }],
    ],
    [open("no value: rejections have (success); the responses below have it"), [{ success: false }]],
    [
      open("no value: rejections have (text) or (no object) or (a); the responses below have it"),
      ["no", [], { a: 1 }],
    ],
    [
      open("no value: rejections have (a) or (b) or (c) or others; the responses below have it"),
      [{ a: 1 }, { b: 1 }, { a: 2 }, { c: 1 }, { d: 1 }],
    ],
    [open("no request was rejected"), []],
  ])("failure-body is %j if rejections are %j", (expected, bodies) => {
    const entries = bodies.map((one) => recorded({}, { status: 400, body: one }));
    expect(conclude("failure-body", { entries })).toEqual(expected);
  });

  const rule = { operation: "get-or-create" } as const;
  it.each<[AssumptionId, Omit<ObservedRule, "operation">, object]>([
    ["unknown-fields", { field: "", keyword: "additionalProperties", value: false }, { value: "rejected" }],
    ["unknown-fields", { field: "", keyword: "additionalProperties", value: true }, { value: "ignored" }],
    [
      "mapping-values",
      { field: "mapping", keyword: "additionalProperties", value: { type: "string" } },
      { value: "rejected", field: "mapping" },
    ],
    [
      "mapping-values",
      { field: "mapping", keyword: "additionalProperties", value: { type: ["string", "null"] } },
      { value: "accepted", field: "mapping" },
    ],
    [
      "mapping-values",
      { field: "mapping", keyword: "additionalProperties", value: true },
      { value: "accepted", field: "mapping" },
    ],
    [
      "numeric-ids",
      { field: "user_group_id", keyword: "type", value: "string" },
      { value: "rejected", field: "user_group_id" },
    ],
    [
      "numeric-ids",
      { field: "user_group_id", keyword: "type", value: ["string", "number"] },
      { value: "coerced", field: "user_group_id" },
    ],
    [
      "empty-strings",
      { field: "name", keyword: "minLength", value: 0 },
      { value: "accepted", field: "name" },
    ],
    [
      "empty-strings",
      { field: "name", keyword: "minLength", value: 1 },
      { value: "rejected", field: "name" },
    ],
  ])("%s is read from a rule: %j", (id, parts, expected) => {
    expect(conclude(id, { rules: [{ ...rule, ...parts }] })).toEqual(expected);
  });

  it("is not read from a rule of rotate or another field", () => {
    const rules = [
      { operation: "rotate", field: "", keyword: "additionalProperties", value: false },
      { operation: "get-or-create", field: "properties", keyword: "additionalProperties", value: false },
    ] as const;
    const why = "other values of this field were not determinable";
    const answers = { "get-or-create: an unknown field": { value: true }, "mapping: values": { value: [] } };
    expect(conclude("unknown-fields", { rules, answers })).toEqual(open(why));
    expect(conclude("mapping-values", { rules, answers })).toEqual(open(why));
    expect(conclude("mapping-values", { rules })).toEqual(open("this was not asked"));
  });

  it.each<[AssumptionId, string]>([
    ["unknown-fields", "get-or-create: an unknown field"],
    ["mapping-values", "mapping: values"],
    ["numeric-ids", "user_group_id: number"],
    ["empty-strings", "name: empty"],
  ])("%s is open for the reason of its question: %s", (id, question) => {
    const answers = { [question]: { why: "no response", unanswered: true } } as const;
    expect(conclude(id, { answers })).toEqual({ ...open("no response"), unanswered: true });
  });

  it("has the default of the mock beside its value", () => {
    const findings = concludeAll(answer("old-token", "accepted"));
    expect(findings.find(({ id }) => id === "old-token")).toEqual({
      id: "old-token",
      default: "rejected",
      value: "accepted",
    });
  });

  it("has a rule only in a profile that has it for its field", () => {
    const accepts = { "get-or-create": { properties: { name: { minLength: 1 } } } };
    expect(hasRuleFor("empty-strings", accepts)).toBe(true);
    expect(hasRuleFor("empty-strings", {})).toBe(false);
    expect(hasRuleFor("numeric-ids", accepts)).toBe(false);
    expect(hasRuleFor("name-on-create", accepts)).toBe(false);
    expect(hasRuleFor("old-token", accepts)).toBe(false);
  });
});
