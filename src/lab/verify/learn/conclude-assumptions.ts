import { type BodyAssumption, isBodyAssumption } from "../../../fake/contract/accepts.js";
import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  defaultAssumptions,
} from "../../../fake/contract/assumptions.js";
import { isObject } from "../../../foundation/json.js";
import type { Accepts } from "../../../generated/types.js";
import type { ExistingGroup } from "../ask/existing-group.js";
import type { FirstGroup } from "../ask/first-group.js";
import type { OtherIds } from "../ask/probes.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import type { ReceivedResponse, Recorded } from "../service/recorded.js";
import { answered, later, rejections, Unanswered } from "./conclude-facts.js";
import { type Answers, contentsQuestion, type ObservedRule, ruleIn } from "./learn-accepts.js";

/** The value of an assumption that the service has. */
export interface AssumptionFinding {
  readonly id: AssumptionId;
  readonly default: string;
  /** Null if it is not determinable. */
  readonly value: string | null;
  /** The profile has it as a rule of `accepts`, for this field. A rule of the body itself has no field. */
  readonly field?: string;
  /** What the value does not express. */
  readonly remark?: string;
  readonly why?: string;
  readonly unanswered?: true;
}

/** What values are read from. */
interface SeenByRun {
  readonly first: FirstGroup;
  readonly answers: Answers;
  readonly entries: readonly Recorded[];
  readonly rules: readonly ObservedRule[];
}

type BodyRule = Exclude<BodyAssumption, "name-on-create">;
type Behaviour = Exclude<AssumptionId, BodyRule>;

/** The value of an assumption. Throws if it is not determinable. */
const readAssumption: { readonly [Id in Behaviour]: (seen: SeenByRun) => AssumptionValues[Id] } = {
  "api-tokens": ({ answers }) => answered(answers.get("api-tokens")),
  "auth-scheme": ({ answers }) => answered(answers.get("auth-scheme")),
  "group-scope": ({ answers }) => answered(answers.get("group-scope")),
  "name-on-create": ({ answers }) => answered(answers.get("name-on-create")),
  "existing-group": ({ answers }) => {
    const { name, others, mapping, properties } = answered<ExistingGroup>(answers.get("existing-group"));
    // What the mock accepts by mistake is worse than what it rejects.
    if (others === "rejected") return "rejected";
    if (name === "rejected") return "name-rejected";
    return name === "updated" && [mapping, properties].includes("merged") ? "merged" : name;
  },
  "id-matching": ({ answers }) => {
    const { capitals, space } = answered<OtherIds>(answers.get("id-matching"));
    const isAnyCase = capitals === "same group";
    const isTrimmed = space === "same group";
    if (isAnyCase) return isTrimmed ? "trimmed-any-case" : "any-case";
    return isTrimmed ? "trimmed" : "exact";
  },
  "unique-names": ({ answers }) => answered(answers.get("unique-names")),
  "created-status": ({ first: { created } }) => {
    const { status } = created;
    need(
      status === 200 || status === 201,
      `no value: the status was ${status}; the response created below has it`,
    );
    return status === 200 ? "200" : "201";
  },
  "rotated-token": (seen) => {
    const { found, rotated } = later(seen);
    need(rotated.isSuccess && rotated.group.token, "the response to rotate has no token");
    return rotated.group.token === found.group.token ? "same" : "new";
  },
  "old-token": ({ answers }) => answered(answers.get("old-token")),
  "foreign-token": ({ answers }) => answered(answers.get("foreign-token")),
  "failure-status": ({ entries }) => {
    const seen = rejections(entries);
    need(seen.length > 0, "no request was rejected");
    const ok = seen.filter(({ status }) => status === 200).length;
    need(
      ok === 0 || ok === seen.length,
      "no value: some rejections have the status 200; the responses below have it",
    );
    return ok === 0 ? "by-kind" : "always-200";
  },
  "failure-body": ({ entries }) => {
    const kinds = rejections(entries).map(failureShape);
    need(kinds.length > 0, "no request was rejected");
    const [value] = kinds;
    if (value !== undefined && kinds.every((kind) => kind === value)) return value;
    throw new NotDeterminable(
      `no value: rejections have ${shapesOf(rejections(entries))}; the responses below have it`,
    );
  },
  "content-type": ({ answers }) => answered(answers.get("content-type")),
  "trailing-slash": ({ answers }) => answered(answers.get("trailing-slash")),
  "videos-path": ({ answers }) => answered(answers.get("videos-path")),
};

export function concludeAssumptions(seen: SeenByRun): AssumptionFinding[] {
  return assumptionIds.map((id) => {
    const finding = { id, default: defaultAssumptions[id] };
    if (isRule(id)) return { ...finding, ...concludeRule(id, seen) };
    try {
      return { ...finding, value: readAssumption[id](seen), ...remarkOn(id, seen) };
    } catch (error) {
      if (!(error instanceof NotDeterminable)) throw error;
      const isUnanswered = error instanceof Unanswered;
      return { ...finding, value: null, why: error.message, ...(isUnanswered && { unanswered: true }) };
    }
  });
}

/** What the value does not express. */
function remarkOn(id: AssumptionId, { answers }: SeenByRun): Pick<AssumptionFinding, "remark"> {
  if (id !== "existing-group") return {};
  const remark = existingGroupRemark(answered<ExistingGroup>(answers.get(id)));
  return remark === undefined ? {} : { remark };
}

function existingGroupRemark({ name, others, mapping, properties }: ExistingGroup): string | undefined {
  if (others === "rejected" && name !== "rejected")
    return "the service rejects other properties or another mapping, but not another name; the mock rejects all";
  if (others === "rejected" || name === "rejected") return undefined;
  const isMerged = mapping === "merged" || properties === "merged";
  const changed = isMerged ? "merged" : "replaced";
  const expected = name === "unchanged" ? "kept" : changed;
  const different = Object.entries({ mapping, properties }).filter(
    ([, shown]) => (shown ?? expected) !== expected,
  );
  if (different.length === 0) return undefined;
  const fields = different.map(([field, shown]) => `${field} (${shown} by the service)`);
  return `not so for ${fields.join(" and ")}`;
}

/** Whether the profile has a rule of `accepts` in the place of an assumption. */
export function isRule(id: AssumptionId): id is BodyRule {
  return isBodyAssumption(id) && id !== "name-on-create";
}

/** Where the profile has the rule that an assumption is about, and how to read it. Nothing is said of other fields. */
const ruleOf: {
  readonly [Id in BodyRule]: {
    readonly field: string;
    readonly keyword: string;
    readonly question: string;
    readonly read: (value: unknown) => AssumptionValues[Id];
  };
} = {
  "unknown-fields": {
    field: "",
    keyword: "additionalProperties",
    question: "get-or-create: an unknown field",
    read: (value) => (value === false ? "rejected" : "ignored"),
  },
  "mapping-values": {
    field: "mapping",
    keyword: "additionalProperties",
    question: contentsQuestion("mapping"),
    read: (value) => (isObject(value) && value.type === "string" ? "rejected" : "accepted"),
  },
  "numeric-ids": {
    field: "user_group_id",
    keyword: "type",
    question: "user_group_id: number",
    read: (value) => (value === "string" ? "rejected" : "coerced"),
  },
  "empty-strings": {
    field: "name",
    keyword: "minLength",
    question: "name: empty",
    read: (value) => (value === 0 ? "accepted" : "rejected"),
  },
};

/** Whether a profile has the rule that an assumption is about. */
export function hasRuleFor(id: AssumptionId, accepts: Accepts): boolean {
  return isRule(id) && ruleIn(accepts, { operation: "get-or-create", ...ruleOf[id] }) !== undefined;
}

function concludeRule(id: BodyRule, { rules, answers }: SeenByRun) {
  const { field, keyword, question, read } = ruleOf[id];
  const rule = rules.find((one) => {
    return one.operation === "get-or-create" && one.field === field && one.keyword === keyword;
  });
  if (rule !== undefined) return { value: read(rule.value), ...(field !== "" && { field }) };
  const { why = "other values of this field were not determinable", unanswered } =
    answers.get(question) ?? {};
  return { value: null, why, ...(unanswered && { unanswered }) };
}

function failureShape({
  fields: { success, ...others },
}: ReceivedResponse): AssumptionValues["failure-body"] | undefined {
  if (success !== 0) return undefined;
  if (Object.keys(others).length === 0) return "bare";
  if (isObject(others.error)) return "error-object";
  return typeof others.message === "string" ? "message" : undefined;
}

/** The fields of rejections, for a sentence. */
function shapesOf(responses: readonly ReceivedResponse[]): string {
  const shapes = responses.map(({ json, fields }) =>
    json === undefined ? "text" : Object.keys(fields).join(", "),
  );
  const different = [...new Set(shapes.map((shape) => (shape === "" ? "no object" : shape)))];
  const shown = different.slice(0, 3).map((shape) => `(${shape})`);
  return `${shown.join(" or ")}${different.length > 3 ? " or others" : ""}`;
}
