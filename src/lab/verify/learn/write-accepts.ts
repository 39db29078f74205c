import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { Accepts } from "../../../generated/types.js";
import type { ObservedRule } from "./learn-accepts.js";

/** Where a profile has a rule. */
export type KeywordPlace = Pick<ObservedRule, "operation" | "field" | "keyword">;

/** The observed rules as a profile has them, over those of an earlier one. */
export function writeAccepts(rules: readonly ObservedRule[], earlier: Accepts = {}): Accepts {
  let accepts: JsonObject = { ...earlier };
  for (const rule of rules) {
    const { operation, field, keyword, value } = rule;
    const was = ruleIn(earlier, rule);
    // It may have been written by somebody who knows more than this run has seen.
    if (was !== undefined && isStillTrue(rule, was)) continue;
    const place = field === "" ? [operation] : [operation, "properties", field];
    accepts = withKeyword(accepts, place, { keyword, value });
  }
  // Each rule has a keyword and a value that the schema of profiles allows.
  return accepts as Accepts;
}

/** The value of a keyword in a profile. */
export function ruleIn(accepts: Accepts, { operation, field, keyword }: KeywordPlace): unknown {
  const body: JsonObject = { ...accepts[operation] };
  const fields = isObject(body.properties) ? body.properties : {};
  const place = field === "" ? body : fields[field];
  return isObject(place) ? place[keyword] : undefined;
}

/** A copy of an object with a keyword in the object at a place, which is left out if nothing is in it any more. */
function withKeyword(
  object: JsonObject,
  place: readonly string[],
  rule: { readonly keyword: string; readonly value: unknown },
): JsonObject {
  const [name, ...deeper] = place;
  if (name === undefined) return withField(object, rule.keyword, rule.value);
  const inner = isObject(object[name]) ? object[name] : {};
  const changed = withKeyword(inner, deeper, rule);
  return withField(object, name, Object.keys(changed).length === 0 ? undefined : changed);
}

/** @param value undefined: without the field */
function withField(object: JsonObject, name: string, value: unknown): JsonObject {
  if (value !== undefined) return { ...object, [name]: value };
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}

/**
 * Whether what this run has observed does not contradict an earlier value of a keyword.
 * @param was undefined if the profile had no such rule
 */
export function isStillTrue({ value, below, from, tried }: ObservedRule, was: unknown): boolean {
  if (isSameRule(was, value)) return true;
  if (from !== undefined) return typeof was === "number" && was >= from;
  // A length that was not found exactly contradicts only what is outside of its bounds.
  if (below !== undefined) return typeof was === "number" && was >= Number(value) && was < below;
  if (tried === undefined || typeof was !== "string") return false;
  const pattern = new RegExp(was, "u");
  return tried.accepted.every((one) => pattern.test(one)) && !tried.rejected.some((one) => pattern.test(one));
}

/** Whether two values of a keyword say the same: the order of a list has no meaning. */
export function isSameRule(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).sort();
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]));
}
