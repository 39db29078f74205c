import {
  type AssumptionId,
  type AssumptionValues,
  assumptionIds,
  defaultAssumptions,
} from "../../../fake/contract/assumptions.js";
import { isObject } from "../../../foundation/json.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import { jsonText, type ReceivedResponse } from "../service/received-response.js";
import { type BodyRuleId, concludeBodyRule, isBodyRule } from "./body-assumptions.js";
import { concludeExistingGroup } from "./conclude-existing-group.js";
import type { ObservedRule } from "./learn-accepts.js";
import { answered, later, reasonOf, rejections, type SeenByRun } from "./seen-by-run.js";

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

/** The others are rules for bodies. */
type BehaviourId = Exclude<AssumptionId, BodyRuleId>;

/** The value of an assumption. Throws if it is not determinable. */
const readAssumption: { readonly [Id in BehaviourId]: (seen: SeenByRun) => AssumptionValues[Id] } = {
  "api-tokens": ({ answers }) => answered(answers.get("api-tokens")),
  "auth-scheme": ({ answers }) => answered(answers.get("auth-scheme")),
  "group-scope": ({ answers }) => answered(answers.get("group-scope")),
  "name-on-create": ({ answers }) =>
    answered(answers.get("name-on-create")).isRequired ? "required" : "defaults-to-id",
  "existing-group": ({ answers }) => concludeExistingGroup(answered(answers.get("existing-group"))).value,
  "id-matching": ({ answers }) => {
    const { capitals, space } = answered(answers.get("id-matching"));
    const isAnyCase = capitals === "same group";
    const isTrimmed = space === "same group";
    if (isAnyCase) return isTrimmed ? "trimmed-any-case" : "any-case";
    return isTrimmed ? "trimmed" : "exact";
  },
  "unique-names": ({ answers }) => answered(answers.get("unique-names")),
  "created-status": ({ first }) => {
    const { status } = first.created;
    if (status === 200) return "200";
    need(status === 201, `no value: the status was ${status}; the response created below has it`);
    return "201";
  },
  "rotated-token": (seen) => {
    const { found, rotated } = later(seen);
    need(rotated.isSuccess && rotated.group.token, "the response to rotate has no token");
    return rotated.group.token === found.group.token ? "same" : "new";
  },
  "old-token": ({ answers }) => answered(answers.get("old-token")),
  "foreign-token": ({ answers }) => answered(answers.get("foreign-token")),
  "failure-status": (seen) => {
    const isOk = rejections(seen).map(({ status }) => status === 200);
    need(isOk.length > 0, "no request was rejected");
    if (!isOk.includes(true)) return "by-kind";
    need(!isOk.includes(false), "no value: some rejections have the status 200; the responses below have it");
    return "always-200";
  },
  "failure-body": (seen) => {
    const rejected = rejections(seen);
    need(rejected.length > 0, "no request was rejected");
    const [value, ...others] = new Set(rejected.map(bodyKind));
    if (value !== undefined && others.length === 0) return value;
    const why = `no value: rejections have ${showFields(rejected)}; the responses below have it`;
    throw new NotDeterminable(why);
  },
  "content-type": ({ answers }) => answered(answers.get("content-type")),
  "trailing-slash": ({ answers }) => answered(answers.get("trailing-slash")),
  "videos-path": ({ answers }) => answered(answers.get("videos-path")),
};

/** What a value does not express. */
const readRemark: Readonly<Partial<Record<AssumptionId, (seen: SeenByRun) => string | undefined>>> = {
  "name-on-create": ({ answers }) => {
    const { otherName } = answered(answers.get("name-on-create"));
    return otherName === undefined
      ? undefined
      : `the service gave the name ${jsonText(otherName)}, not the id`;
  },
  "existing-group": ({ answers }) => concludeExistingGroup(answered(answers.get("existing-group"))).remark,
};

export function concludeAssumptions(seen: SeenByRun, rules: readonly ObservedRule[]): AssumptionFinding[] {
  return assumptionIds.map((id) => {
    const found = isBodyRule(id) ? concludeBodyRule(id, seen.answers, rules) : concludeBehaviour(id, seen);
    return { id, default: defaultAssumptions[id], ...found };
  });
}

function concludeBehaviour(id: BehaviourId, seen: SeenByRun): Omit<AssumptionFinding, "id" | "default"> {
  try {
    const value = readAssumption[id](seen);
    const remark = readRemark[id]?.(seen);
    return { value, ...(remark !== undefined && { remark }) };
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    return { value: null, ...reasonOf(error) };
  }
}

/** Undefined if no value has such a body. */
function bodyKind({ fields }: ReceivedResponse): AssumptionValues["failure-body"] | undefined {
  const { success, ...others } = fields;
  if (success !== 0) return undefined;
  if (Object.keys(others).length === 0) return "bare";
  if (isObject(others.error)) return "error-object";
  return typeof others.message === "string" ? "message" : undefined;
}

/** How many kinds of bodies a sentence names. */
const maxKinds = 3;

/** The fields of rejections, in a sentence. */
function showFields(rejected: readonly ReceivedResponse[]): string {
  const kinds = new Set(rejected.map(fieldNames));
  const shown = [...kinds].slice(0, maxKinds).map((names) => `(${names})`);
  return `${shown.join(" or ")}${kinds.size > maxKinds ? " or others" : ""}`;
}

function fieldNames({ json, fields }: ReceivedResponse): string {
  if (json === undefined) return "text";
  return Object.keys(fields).join(", ") || "no object";
}
