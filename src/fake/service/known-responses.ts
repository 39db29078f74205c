import type { FailureCode } from "../contract/failures.js";
import { type KnownResponse, type KnownService, placeholders } from "../contract/profile.js";
import { inOurSpelling } from "../contract/response-headers.js";
import { canReject, isSuccess, rowOf, type SituationId, situationIds } from "../contract/situations.js";
import { type PreparedResponse, prepareText, prepareValue } from "./fill-response.js";

/** The response of each situation, where the profile has something of it. */
export type KnownResponses = ReadonlyMap<SituationId, PreparedResponse>;

/** Which response each situation has. This is done once, at the start, and once for each response. */
export function prepareResponses(known: KnownService): KnownResponses {
  const usual = usualResponses(known);
  const prepared = new Map<SituationId | undefined, PreparedResponse>();
  const responses = new Map<SituationId, PreparedResponse>();
  for (const id of situationIds) {
    const from = canReject(id) ? rejectionFor(known, id, usual) : ownResponse(known, id);
    const response = prepared.get(from) ?? prepareResponse(known, from);
    prepared.set(from, response);
    if (from !== undefined || response.headers.length > 0) responses.set(id, response);
  }
  return responses;
}

/** @param from undefined: a response that has only the headers of most responses */
function prepareResponse(known: KnownService, from: SituationId | undefined): PreparedResponse {
  const common = known.situations.get("every response")?.response?.headers;
  const response = from === undefined ? undefined : known.situations.get(from)?.response;
  const headers = inOurSpelling([common, response?.headers].flatMap((some = {}) => Object.entries(some)));
  const templates = Object.entries(headers).map(([name, value]) => {
    return { name, value: value === null ? null : prepareText(value) };
  });
  const isFixed = templates.every(({ value }) => value === null || value.uses.length === 0);
  const content = response && prepareContent(response, from !== undefined && !isSuccess(from));
  return {
    from,
    status: response?.status,
    headers: templates,
    fixedHeaders: isFixed ? headers : undefined,
    content,
    uses: [...templates.map(({ value }) => value), content?.template]
      .flatMap((one) => one?.uses ?? [])
      .filter((name) => !placeholders[name]?.isOfGroup),
    length: JSON.stringify(response ?? {}).length,
  };
}

function prepareContent({ text, body }: KnownResponse, inKeys: boolean): PreparedResponse["content"] {
  if (text !== undefined) return { isText: true, template: prepareText(text) };
  if (body === undefined) return undefined;
  return { isText: false, template: prepareValue(body, inKeys) };
}

/** The situation itself, if it has a response in the profile. */
function ownResponse(known: KnownService, id: SituationId): SituationId | undefined {
  return known.situations.get(id)?.response === undefined ? undefined : id;
}

/**
 * The situation whose response a rejection has: its own; that of the situations that it resembles; of the first one of its
 * field; the one that most situations of its code have. Never that of another code.
 */
function rejectionFor(known: KnownService, id: SituationId, usual: UsualResponses): SituationId | undefined {
  const { code } = rowOf(id);
  const isUsual = code === undefined ? undefined : usual.get(code);
  return ownResponse(known, id) ?? likeResponse(known, id) ?? fieldResponse(known, id) ?? isUsual;
}

function likeResponse(known: KnownService, id: SituationId): SituationId | undefined {
  for (let like = rowOf(id).like; like !== undefined; like = rowOf(like).like) {
    const found = ownResponse(known, like);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldResponse(known: KnownService, id: SituationId): SituationId | undefined {
  const { field, code } = rowOf(id);
  if (field === undefined) return undefined;
  return rejections(known).find((one) => rowOf(one).field === field && rowOf(one).code === code);
}

/** For each code, the first situation with the response that most situations of this code have. */
type UsualResponses = ReadonlyMap<FailureCode, SituationId>;

function usualResponses(known: KnownService): UsualResponses {
  const groups = new Map<string, SituationId[]>();
  for (const id of rejections(known)) {
    const name = JSON.stringify([rowOf(id).code, known.situations.get(id)?.response]);
    groups.set(name, [...(groups.get(name) ?? []), id]);
  }
  const usual = new Map<FailureCode, SituationId>();
  // The sort is stable: of those that are as frequent, the first one in the table is set last.
  for (const [first] of [...groups.values()].reverse().sort((a, b) => a.length - b.length)) {
    const code = first && rowOf(first).code;
    if (code !== undefined && first !== undefined) usual.set(code, first);
  }
  return usual;
}

/** The situations that the profile rejects with a response, in the order of the table. */
function rejections(known: KnownService): SituationId[] {
  return [...known.situations.keys()].filter((id) => canReject(id) && ownResponse(known, id) !== undefined);
}
