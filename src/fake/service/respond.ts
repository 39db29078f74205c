import { fieldOf, isObject, type JsonObject, namesIn } from "../../foundation/json.js";
import type { FailureResponse } from "../../generated/types.js";
import { failures, serviceFailures } from "../contract/failures.js";
import type { Group } from "../contract/group-fields.js";
import { placeholders, textType } from "../contract/placeholders.js";
import { rowOf, type SituationId } from "../contract/situations.js";
import type { Decisions } from "./decisions.js";
import type { PreparedResponse } from "./known-responses.js";
import type { Mistake, Performed, Rejection } from "./result.js";
import { asText, filledLength, type Given } from "./template.js";

/** A response of the service, as plain values. */
export interface ServiceResponse {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is, instead of the JSON of `body`. */
  readonly rawText?: string;
  /** The Content-Type, if it is not JSON. `headers` can replace it. */
  readonly type?: string;
  /** Added to the headers of every response, or replace them. null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** The situation in which the request was rejected. */
  readonly situation?: SituationId | undefined;
}

/** What decides the response to a request, besides what happened. */
export interface Responding {
  readonly decisions: Decisions;
  /** What placeholders of a profile stand for, by name. Called only if the response has one. */
  readonly sent: () => JsonObject;
  /** What a placeholder stands for, for a group. */
  readonly ofGroup: (group: Group, name: string) => unknown;
  /** Adds a note to the request. */
  readonly note: (text: string) => void;
}

/** The response to a request that succeeded: ours, with what the profile has and adds. */
export function succeed(performed: Performed, responding: Responding): ServiceResponse {
  const { decisions, sent, ofGroup } = responding;
  const { situation, group } = performed;
  const known = decisions.behaviour.responses.get(situation);
  const status = successStatus(situation, known, decisions);
  if (known === undefined) return { status, body: performed.body };
  const sentOnce = once(sent);
  const given: Given = (name) => ofGroup(group, name) ?? sentOnce()[name];
  if (known.from !== undefined) decisions.knows(known.from);
  const added = fillContent(known, given, responding);
  return {
    status,
    body: added === undefined ? performed.body : withFields(performed.body, added.filled),
    headers: fillHeaders(known, given),
  };
}

function successStatus(
  situation: SituationId,
  known: PreparedResponse | undefined,
  decisions: Decisions,
): number {
  // The profile may have this status too.
  return situation === "created" ? Number(decisions.option("created-status")) : (known?.status ?? 200);
}

/** The response to OPTIONS, unless it is rejected. */
export function withoutContent({ decisions, sent }: Responding): ServiceResponse {
  const common = decisions.behaviour.responses.get("every response");
  return { status: 204, headers: common && fillHeaders(common, (name) => sent()[name]) };
}

/** Adds fields to the response and to its group. `Object.assign` takes less than half of the time of spreads. */
function withFields(body: Performed["body"], added: unknown): object {
  const user_group = Object.assign({}, body.user_group, fieldOf(added, "user_group"));
  return Object.assign({}, body, added, { user_group });
}

/** The response to a request that was rejected: the profile's, or ours. */
export function reject(rejection: Rejection, responding: Responding): ServiceResponse {
  const { decisions } = responding;
  const { code, situation } = rejection;
  const known = situation && decisions.behaviour.responses.get(situation);
  // Assumptions are about requests to the path of the service.
  const isAssumed = code !== "not_found" && code in serviceFailures;
  const status = rejectionStatus(rejection, known, isAssumed, decisions);
  const ourBody = () => (isAssumed ? failureBody(rejection, decisions) : plainFailureBody(rejection));
  if (known === undefined) return { status, body: ourBody(), situation };
  const given = givenFor(rejection, once(responding.sent));
  const headers = fillHeaders(known, given);
  const isOurs = isAssumed && decisions.behaviour.isSet("failure-body");
  const content = isOurs ? undefined : knownContent(rejection, known, given, responding);
  if (content !== undefined || known.status !== undefined || known.headers.length > 0)
    if (known.from !== undefined) decisions.knows(known.from);
  if (content !== undefined) return { status, ...content, headers, situation };
  const hasContent = known.content !== undefined;
  return { status, body: ourBody(), headers: hasContent ? withoutType(headers) : headers, situation };
}

function rejectionStatus(
  { code }: Rejection,
  known: PreparedResponse | undefined,
  isAssumed: boolean,
  decisions: Decisions,
): number {
  if (known?.status !== undefined && !(isAssumed && decisions.behaviour.isSet("failure-status")))
    return known.status;
  const isAlways200 = isAssumed && decisions.option("failure-status") === "always-200";
  return isAlways200 ? 200 : failures[code].status;
}

/** What placeholders stand for in the response to a body that is wrong at one place. */
function givenFor({ situation, path }: Partial<Mistake>, sentOnce: () => JsonObject): Given {
  const ofRow = situation && rowOf(situation).field;
  const field = namesIn(path ?? "").at(-1) ?? ofRow;
  return (name) => (placeholders[name]?.isOfMistake ? field : sentOnce()[name]);
}

/** The content of a rejection of the profile. Undefined: it has none. */
function knownContent(
  rejection: Rejection,
  known: PreparedResponse,
  given: Given,
  responding: Responding,
): Pick<ServiceResponse, "body" | "rawText" | "type"> | undefined {
  const content = fillContent(known, given, responding);
  if (content === undefined) return undefined;
  if (content.isText) {
    const rawText = String(content.filled);
    return { rawText, type: textType(rawText) };
  }
  const { behaviour } = responding.decisions;
  if (behaviour.outcome("several problems") !== "all") return { body: content.filled };
  return { body: withOthers(content.filled, rejection, responding) };
}

/** How many further problems are added to the body of a response. */
const maxOthers = 100;

/** A body with those of the further problems. */
function withOthers(first: unknown, { others = [] }: Rejection, responding: Responding): unknown {
  const sentOnce = once(responding.sent);
  let body = first;
  for (const mistake of others.slice(0, maxOthers)) {
    const known = responding.decisions.behaviour.responses.get(mistake.situation);
    const other = known && fillContent(known, givenFor(mistake, sentOnce), responding);
    if (other !== undefined && !other.isText) body = mergeBodies(body, other.filled);
  }
  return body;
}

/** Two bodies in one: the fields of both objects, the items of both lists, and otherwise the first one. */
function mergeBodies(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return one;
  const merged: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other))
    merged[key] = Object.hasOwn(one, key) ? mergeBodies(one[key], value) : value;
  return merged;
}

/** Makes a value when it is first asked for: a profile can have many placeholders. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** In characters. A request can be as long as 100 kB, and a profile can repeat a part of it many times. */
const maxFilled = 1_000_000;

/** The content of a response with its placeholders filled in. Undefined: it has none, or would be too large. */
function fillContent(
  { content }: PreparedResponse,
  given: Given,
  { note }: Responding,
): { readonly isText: boolean; readonly filled: unknown } | undefined {
  if (content === undefined) return undefined;
  const { isText, template } = content;
  if (template.uses.length > 0 && filledLength(template, given) > maxFilled) {
    note(
      `the response of the profile would have more than ${maxFilled} characters, so the mock's own was sent`,
    );
    return undefined;
  }
  return { isText, filled: template.fill(given) };
}

/** In a header, what is filled in is percent-encoded where it is not visible ASCII. */
function fillHeaders({ headers, fixedHeaders }: PreparedResponse, given: Given): ServiceResponse["headers"] {
  if (headers.length === 0) return undefined;
  if (fixedHeaders !== undefined) return fixedHeaders;
  const encoded: Given = (name) => wellFormed(asText(given(name))).replace(/[^!-~]+/g, encodeURIComponent);
  const filled: Record<string, string | null> = {};
  for (const { name, value } of headers) filled[name] = value === null ? null : String(value.fill(encoded));
  return filled;
}

/** Half of a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The type of a body that is not sent. */
function withoutType(headers: ServiceResponse["headers"]): ServiceResponse["headers"] {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !/^content-type$/i.test(name)));
}

/** What a failure of ours looks like on the wire. */
export function failureBody(rejection: Rejection, decisions: Decisions): FailureResponse {
  switch (decisions.option("failure-body")) {
    case "bare":
      return { success: 0 };
    case "message":
      return { success: 0, message: rejection.message };
    default:
      return plainFailureBody(rejection);
  }
}

function plainFailureBody({ code, message, details }: Rejection): FailureResponse {
  return { success: 0, error: details ? { code, message, details } : { code, message } };
}
