import { fieldOf, isObject, type JsonObject, namesIn } from "../../foundation/json.js";
import type { FailureResponse } from "../../generated/types.js";
import type { AssumptionId } from "../contract/assumptions.js";
import { failures, serviceFailures } from "../contract/failures.js";
import type { Group } from "../contract/group-fields.js";
import type { KnownResponse, KnownResponses } from "../contract/profile.js";
import { placeholders, textType, wholePlaceholder } from "../contract/response-names.js";
import type { Decisions } from "./decisions.js";
import type { Performed, Rejection } from "./result.js";

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
}

/** What decides the response to a request, besides what happened. */
export interface Responding {
  readonly known: KnownResponses;
  readonly decisions: Decisions;
  /** What placeholders of a profile stand for, by name. Called only if the response has one. */
  readonly sent: () => JsonObject;
  /** What a placeholder stands for, for a group. */
  readonly ofGroup: (group: Group, name: string) => unknown;
}

/** The response to a request that succeeded: ours, with what the profile has and adds. */
export function succeed(performed: Performed, responding: Responding): ServiceResponse {
  const { known, decisions, sent, ofGroup } = responding;
  const { name, group } = performed;
  const response = known.get(name);
  if (response === undefined)
    return { status: name === "created" ? createdStatus(undefined, decisions) : 200, body: performed.body };
  const { status, headers, body, from } = response;
  decisions.knownResponse = from;
  const sentOnce = once(sent);
  const given: Given = (placeholder) => ofGroup(group, placeholder) ?? sentOnce()[placeholder];
  return {
    status: name === "created" ? createdStatus(status, decisions) : (status ?? 200),
    body: body === undefined ? performed.body : withFields(performed.body, fillIn(response, given)),
    headers,
  };
}

function createdStatus(knownStatus: number | undefined, decisions: Decisions): number {
  if (knownStatus !== undefined && decisions.leaveToProfile("created-status")) return knownStatus;
  return Number(decisions.decide("created-status"));
}

/** Adds fields to the response and to its group. `Object.assign` takes less than half of the time of spreads. */
function withFields(body: Performed["body"], added: unknown): object {
  const user_group = Object.assign({}, body.user_group, fieldOf(added, "user_group"));
  return Object.assign({}, body, added, { user_group });
}

/** The response to a request that failed: the profile's, or ours. */
export function reject(rejection: Rejection, responding: Responding): ServiceResponse {
  const { decisions, sent } = responding;
  const { code, kind } = rejection;
  // Only a profile needs the narrower name, which takes more than 1 % of a rejected request to make.
  const name = responding.known.size === 0 || kind === undefined ? code : `${code}.${kind}`;
  const response = responding.known.get(name);
  // Assumptions are about requests to the path of the service.
  const isAssumed = code !== "not_found" && code in serviceFailures;
  /** Whether the profile decides what an assumption is about. */
  const isLeft = (id: AssumptionId) => !isAssumed || decisions.leaveToProfile(id);
  const ourBody = () => (isAssumed ? failureBody(rejection, decisions) : plainFailureBody(rejection));
  const ourStatus = () => {
    const isAlways200 = isAssumed && decisions.decide("failure-status") === "always-200";
    return isAlways200 ? 200 : failures[code].status;
  };
  if (response === undefined) return { status: ourStatus(), body: ourBody() };
  const { headers, text, from } = response;
  const knownStatus = response.status !== undefined && isLeft("failure-status") ? response.status : undefined;
  const status = knownStatus ?? ourStatus();
  const hasContent = text !== undefined || response.body !== undefined;
  const isOurs = !hasContent || !isLeft("failure-body");
  if (knownStatus !== undefined || !isOurs || headers !== undefined) decisions.knownResponse = from;
  if (isOurs)
    return { status, body: ourBody(), headers: hasContent && headers ? withoutType(headers) : headers };
  const sentOnce = once(sent);
  const wrongField = () => namesIn(rejection.path ?? "").at(-1);
  const given: Given = (name) => (placeholders[name]?.isOfMistake ? wrongField() : sentOnce()[name]);
  if (text === undefined) return { status, body: fillIn(response, given, { inKeys: true }), headers };
  return { status, rawText: fillText(text, given), type: textType(text), headers };
}

/** Makes a value when it is first asked for: a profile can have many placeholders. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What a placeholder stands for. */
type Given = (placeholder: string) => unknown;

/**
 * The body of a response with its placeholders filled in.
 * @param inKeys also in the names of fields. Not in a success, whose fields a profile cannot replace
 */
function fillIn({ body, isTemplate }: KnownResponse, given: Given, { inKeys = false } = {}): unknown {
  if (!isTemplate) return body;
  return JSON.parse(JSON.stringify(body), (_, value) => {
    if (inKeys && isObject(value)) return fillKeys(value, given);
    if (typeof value !== "string") return value;
    // A placeholder that is the whole value keeps its JSON type.
    const whole = wholePlaceholder(value);
    return whole === undefined ? fillText(value, given) : (given(whole) ?? null);
  });
}

function fillKeys(value: JsonObject, given: Given): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fillText(key, given), inner]));
}

function fillText(text: string, given: Given): string {
  return text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    if (!Object.hasOwn(placeholders, name) || placeholders[name]?.isObject) return braces;
    const value = given(name) ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

/** The type of a body that is not sent. */
function withoutType(headers: NonNullable<ServiceResponse["headers"]>): ServiceResponse["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-type$/i.test(name)));
}

/** What a failure of ours looks like on the wire. */
export function failureBody(rejection: Rejection, decisions: Decisions): FailureResponse {
  switch (decisions.decide("failure-body")) {
    case "bare":
      return { success: 0 };
    case "message":
      return { success: 0, message: rejection.message };
    case "error-object":
      return plainFailureBody(rejection);
  }
}

function plainFailureBody({ code, message, details }: Rejection): FailureResponse {
  return { success: 0, error: details ? { code, message, details } : { code, message } };
}
