import type { KnownResponse, KnownService } from "../contract/profile.js";
import { canReject, isSuccess, rowOf, type SituationId, situationIds } from "../contract/situations.js";
import { prepareText, prepareValue, type Template } from "./template.js";

/** A response of the profile, prepared for sending. What is undefined is as in our own response. */
export interface PreparedResponse {
  /** The situation in the profile that has it. Undefined: only the headers that most responses have. */
  readonly from: SituationId | undefined;
  readonly status: number | undefined;
  readonly headers: readonly PreparedHeader[];
  /** The same without placeholders: most have none. */
  readonly fixedHeaders: Readonly<Record<string, string | null>> | undefined;
  /** Of JSON, or of text. */
  readonly content: { readonly isText: boolean; readonly template: Template } | undefined;
}

interface PreparedHeader {
  readonly name: string;
  /** null leaves one of ours out. */
  readonly value: Template | null;
}

/** The response of each situation, where the profile has something of it. */
export type KnownResponses = ReadonlyMap<SituationId, PreparedResponse>;

/** Which response each situation has. This is done once, at the start. */
export function prepareResponses(known: KnownService): KnownResponses {
  const common = known.situations.get("every response")?.response?.headers ?? {};
  const prepared = new Map<SituationId, PreparedResponse>();
  for (const id of situationIds) {
    const from = canReject(id) ? rejectionFor(known, id) : ownResponse(known, id);
    const response = from === undefined ? undefined : known.situations.get(from)?.response;
    const headers = { ...common, ...response?.headers };
    if (response === undefined && Object.keys(headers).length === 0) continue;
    const templates = Object.entries(headers).map(([name, value]) => {
      return { name, value: value === null ? null : prepareText(value) };
    });
    const isFixed = templates.every(({ value }) => value === null || value.uses.length === 0);
    prepared.set(id, {
      from,
      status: response?.status,
      headers: templates,
      fixedHeaders: isFixed ? headers : undefined,
      content: response && prepareContent(response, !isSuccess(id)),
    });
  }
  return prepared;
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
function rejectionFor(known: KnownService, id: SituationId): SituationId | undefined {
  return (
    ownResponse(known, id) ?? likeResponse(known, id) ?? fieldResponse(known, id) ?? usualResponse(known, id)
  );
}

function likeResponse(known: KnownService, id: SituationId): SituationId | undefined {
  for (let like = rowOf(id).like; like !== undefined; like = rowOf(like).like) {
    const found = ownResponse(known, like);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldResponse(known: KnownService, id: SituationId): SituationId | undefined {
  const { field } = rowOf(id);
  return field === undefined ? undefined : ofSameCode(known, id).find((one) => rowOf(one).field === field);
}

function usualResponse(known: KnownService, id: SituationId): SituationId | undefined {
  const byResponse = new Map<string, SituationId[]>();
  for (const one of ofSameCode(known, id)) {
    const response = JSON.stringify(known.situations.get(one)?.response);
    const others = byResponse.get(response) ?? [];
    byResponse.set(response, [...others, one]);
  }
  // The sort is stable: of those that are as frequent, the first one in the table.
  const [mostFrequent] = [...byResponse.values()].sort((a, b) => b.length - a.length);
  return mostFrequent?.[0];
}

/** The situations of the profile with a response that is a rejection with the same code, in the order of the table. */
function ofSameCode(known: KnownService, id: SituationId): SituationId[] {
  const { code } = rowOf(id);
  return [...known.situations.keys()].filter(
    (one) => rowOf(one).code === code && ownResponse(known, one) !== undefined,
  );
}
