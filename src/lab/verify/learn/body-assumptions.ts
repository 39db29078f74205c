import { type BodyAssumption, isBodyAssumption } from "../../../fake/contract/accepts.js";
import type { AssumptionId, AssumptionValues } from "../../../fake/contract/assumptions.js";
import { isObject } from "../../../foundation/json.js";
import type { Accepts } from "../../../generated/types.js";
import type { Answers } from "../ask/questions.js";
import type { Answer } from "../service/service-client.js";
import type { ObservedRule } from "./learn-accepts.js";
import { ruleIn } from "./write-accepts.js";

/**
 * Assumptions about what a body may contain, which a profile has as rules of `accepts`. But not name-on-create: the rule
 * `required` is about every request, and this assumption about new groups only.
 */
export type BodyRuleId = Exclude<BodyAssumption, "name-on-create">;

export function isBodyRule(id: AssumptionId): id is BodyRuleId {
  return isBodyAssumption(id) && id !== "name-on-create";
}

/** The rule that an assumption is about. It is a rule for one field only, and nothing is said of others. */
interface RuleOfAssumption<Value> {
  /** Of the body. Empty for a keyword of the body itself. */
  readonly field: string;
  readonly keyword: string;
  /** The value of the assumption that a value of the keyword means. */
  readonly read: (value: unknown) => Value;
  /** What was asked to find the rule: it has the reason if there is none. */
  readonly answer: (answers: Answers) => Answer | undefined;
}

const ruleOf: { readonly [Id in BodyRuleId]: RuleOfAssumption<AssumptionValues[Id]> } = {
  "unknown-fields": {
    field: "",
    keyword: "additionalProperties",
    read: (value) => (value === false ? "rejected" : "ignored"),
    answer: (answers) =>
      answers.ofVariation({ operation: "get-or-create", field: "verify_field", kind: "extra" }),
  },
  "mapping-values": {
    field: "mapping",
    keyword: "additionalProperties",
    read: (value) => (isObject(value) && value.type === "string" ? "rejected" : "accepted"),
    answer: (answers) => answers.get("mapping: values"),
  },
  "numeric-ids": {
    field: "user_group_id",
    keyword: "type",
    read: (value) => (value === "string" ? "rejected" : "coerced"),
    answer: (answers) =>
      answers.ofVariation({ operation: "get-or-create", field: "user_group_id", kind: "number" }),
  },
  "empty-strings": {
    field: "name",
    keyword: "minLength",
    read: (value) => (value === 0 ? "accepted" : "rejected"),
    answer: (answers) => answers.ofVariation({ operation: "get-or-create", field: "name", kind: "empty" }),
  },
};

/** Whether a profile has the rule that an assumption is about. */
export function hasRuleFor(id: AssumptionId, accepts: Accepts): boolean {
  return isBodyRule(id) && ruleIn(accepts, { operation: "get-or-create", ...ruleOf[id] }) !== undefined;
}

export function concludeBodyRule(id: BodyRuleId, answers: Answers, rules: readonly ObservedRule[]) {
  const { field, keyword, read, answer } = ruleOf[id];
  const rule = rules.find((one) => {
    return one.operation === "get-or-create" && one.field === field && one.keyword === keyword;
  });
  if (rule !== undefined) return { value: read(rule.value), ...(field !== "" && { field }) };
  const asked = answer(answers);
  if (asked === undefined) return { value: null, why: "this was not asked" };
  // The question may have an answer, and the rule still be missing: a type needs the answers about all kinds of values.
  const { why = "other values of this field were not determinable", unanswered } = asked;
  return { value: null, why, ...(unanswered && { unanswered }) };
}
