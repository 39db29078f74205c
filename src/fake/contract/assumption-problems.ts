import { isObject, pointerTo } from "../../foundation/json.js";
import { hint, nearest } from "../../foundation/nearest.js";
import type { Problem } from "../../generated/types.js";
import { assumptionIds, isAssumption, valuesOf } from "./assumptions.js";
import { isSituation, rowOf, situationIds, wordsOf } from "./situations.js";

/** What is wrong with values for assumptions and outcomes for situations: `{ "old-token": "accepted" }`. */
export function assumptionProblems(choice: unknown): Problem[] {
  if (!isObject(choice)) return [{ path: "", message: "must be object" }];
  return Object.entries(choice).flatMap(([name, value]) => {
    const message = problemWith(name, value);
    return message === undefined ? [] : { path: pointerTo(name), message };
  });
}

function problemWith(name: string, value: unknown): string | undefined {
  if (isAssumption(name)) return expectOneOf(valuesOf(name), value);
  if (!isSituation(name)) return unknownName(name);
  const words = wordsOf(name);
  if (words.length === 0) return "has a response, which only a profile can set";
  const problem = expectOneOf(words, value);
  const { limit } = rowOf(name);
  return problem !== undefined && limit !== undefined
    ? `${problem}; to reject, a profile needs ${limit}`
    : problem;
}

function expectOneOf(words: readonly string[], value: unknown): string | undefined {
  if (words.some((word) => word === value)) return undefined;
  return `must be ${words.map((word) => JSON.stringify(word)).join(" or ")}`;
}

/** A list of all situations would fill a screen, so only the nearest one is named. */
function unknownName(name: string): string {
  const near = nearest(name, [...assumptionIds, ...situationIds]);
  const meant = near === undefined ? hint(name, assumptionIds) : `; did you mean ${near}?`;
  return `is not an assumption or a situation${meant}`;
}
