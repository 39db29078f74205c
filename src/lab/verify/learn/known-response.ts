import { rowOf, type SituationId } from "../../../fake/contract/situations.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";

/** The situations of a profile. */
export type Known = Readonly<Record<string, unknown>>;

/** The response of a situation: its own, or that of the first one which it resembles. Undefined: there is none. */
export function knownResponse(row: SituationId, known: Known): JsonObject | undefined {
  const { like } = rowOf(row);
  return responseIn(known[row]) ?? (like && knownResponse(like, known));
}

/** What a profile says of a situation, without words and limits. */
function responseIn(said: unknown): JsonObject | undefined {
  if (!isObject(said)) return undefined;
  const { outcome: _outcome, because: _because, over: _over, under: _under, ...rest } = said;
  const { characters: _characters, ...response } = rest;
  return Object.keys(response).length > 0 ? response : undefined;
}
