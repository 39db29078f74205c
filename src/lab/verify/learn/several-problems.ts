import { isDeepStrictEqual } from "node:util";
import { type OutcomeOf, rowOf, type SituationId, situations } from "../../../fake/contract/situations.js";
import { joinBodies } from "../../../fake/service/fill-response.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { VerifyRun } from "../ask/run.js";
import type { Exchange } from "../service/exchanges.js";

type Word = OutcomeOf<"several problems">;

const words: readonly Word[] = situations["several problems"].outcomes;

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
  let possible: readonly Word[] = words;
  for (const { rows, exchange } of pairs) {
    const alone = rows.map((row) => {
      const one = seen.get(row);
      return one && named(rejection(row, one), row);
    });
    // What is a text of the other field in one template is one in the other too.
    const both = named(rejection("several problems", exchange), rows[0]);
    const fitting = wordsFor(rows, alone, both);
    possible = possible.filter((word) => fitting.includes(word));
  }
  if (pairs.length === 0) return undefined;
  // Where several would do, they are the same for these problems.
  return possible[0];
}

/** The words with which a mock would send this response. */
function wordsFor(
  rows: readonly [SituationId, SituationId],
  [first, second]: readonly (JsonObject | undefined)[],
  both: JsonObject,
): Word[] {
  if (first === undefined || second === undefined) return [];
  const [firstRow, secondRow] = rows.map(rowOf);
  const typed = firstRow?.isOfType !== true && secondRow?.isOfType === true ? second : first;
  const isFirst = isSame(first, both);
  const isTyped = isSame(typed, both);
  // The text of a summary may count the problems.
  const isJoined = !isFirst && !isTyped && hasSameFields(joinBodies(first.body, second.body), both.body);
  const hasType = firstRow?.isOfType === true || secondRow?.isOfType === true;
  const fits: Readonly<Record<Word, boolean>> = {
    first: isFirst,
    "types first": isTyped,
    all: isJoined,
    "types first then all": hasType ? isTyped : isJoined,
    "id first then all": firstRow?.field === "user_group_id" ? isFirst : isJoined,
  };
  return words.filter((word) => fits[word]);
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
