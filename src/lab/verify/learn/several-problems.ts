import { isDeepStrictEqual } from "node:util";
import { type OutcomeOf, rowOf, type SituationId, situations } from "../../../fake/contract/situations.js";
import { joinBodies } from "../../../fake/service/fill-response.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { VerifyRun } from "../ask/run.js";
import type { Exchange } from "../service/exchanges.js";

type Word = OutcomeOf<"several problems">;

/** Makes what a profile has of a rejection. */
type MakeRejection = (row: SituationId, exchange: Exchange) => JsonObject;

/**
 * Which of several problems gives the response, from pairs of them. Each pair is compared with the responses to the
 * problems alone. Undefined: the pairs do not tell.
 */
export function learnSeveral(
  { seen, pairs }: Pick<VerifyRun, "seen" | "pairs">,
  rejection: MakeRejection,
): Word | undefined {
  let possible: readonly Word[] = situations["several problems"].outcomes;
  for (const { rows, exchange } of pairs) {
    const alone = rows.map((row) => {
      const one = seen.get(row);
      return one && named(rejection(row, one), row);
    });
    // What is a text of the other field in one template is one in the other too.
    const both = named(rejection("several problems", exchange), rows[0]);
    const words = wordsFor(rows, alone, both);
    possible = possible.filter((word) => words.includes(word));
  }
  if (pairs.length === 0) return undefined;
  // Where several would do, they are the same for these problems.
  return possible[0];
}

/** The words with which a mock would send this response. */
function wordsFor(
  [firstRow, secondRow]: readonly [SituationId, SituationId],
  [first, second]: readonly (JsonObject | undefined)[],
  both: JsonObject,
): Word[] {
  if (first === undefined || second === undefined) return [];
  const words: Word[] = [];
  const hasType = isOfType(firstRow) || isOfType(secondRow);
  const firstOfTypes = isOfType(firstRow) || !hasType ? first : second;
  if (isSame(first, both)) words.push("first");
  if (isSame(firstOfTypes, both)) words.push("types first");
  // The text of a summary may count the problems.
  if (words.length === 0 && hasSameFields(joinBodies(first.body, second.body), both.body)) words.push("all");
  if (words.includes(hasType ? "types first" : "all")) words.push("types first then all");
  return words;
}

/** Whether a row is about the type of a value. */
function isOfType(row: SituationId): boolean {
  return rowOf(row).isOfType === true;
}

/** A response with the name of its field: `{field}` stands for another one in each. */
function named(response: JsonObject, row: SituationId): JsonObject {
  const { field } = rowOf(row);
  const texts = JSON.stringify(response).replaceAll("{field}", field ?? "{field}");
  return JSON.parse(texts);
}

/** Status and content are equal, apart from what is different each time. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  const plain = ({ body, text }: JsonObject) => settled({ body, text }, withoutVarying);
  return one.status === other.status && isDeepStrictEqual(plain(one), plain(other));
}

function hasSameFields(one: unknown, other: unknown): boolean {
  const shape = (value: unknown) => settled(value, (single) => typeof single);
  return isObject(one) && isDeepStrictEqual(shape(one), shape(other));
}

/** A value in which single values are read in one way. Services list problems in any order. */
function settled(value: unknown, read: (single: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(settled(one, read))).sort();
  if (!isObject(value)) return read(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, settled(one, read)]));
}

function withoutVarying(value: unknown): unknown {
  if (typeof value !== "string" || /^\{\w+\}$/.test(value)) return null;
  return value.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+|\{\w+\}|ugm-?[\w-]+( n\d+)?/g, "");
}
