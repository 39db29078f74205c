import { fieldOf, type JsonObject, namesIn } from "../../foundation/json.js";
import { once } from "../../foundation/once.js";
import type { FailureResponse } from "../../generated/types.js";
import { failures, serviceFailures } from "../contract/failures.js";
import { placeholders } from "../contract/profile.js";
import { type OutcomeOf, rowOf, type SituationId } from "../contract/situations.js";
import type { Decisions } from "./decisions.js";
import {
  type FilledContent,
  type FilledResponse,
  fillResponse,
  type Given,
  withoutType,
} from "./fill-response.js";
import type { Mistake, Performed, Rejection, RequestContext } from "./result.js";

/** A response of the service, as plain values. */
export interface ServiceResponse {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is, instead of the JSON of `body`. */
  readonly rawText?: string;
  /** The Content-Type, if it is not JSON. `headers` can replace it. */
  readonly type?: string;
  /** Added to the headers of every response, or replace them: in our spelling. null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** The situation in which the request was rejected. */
  readonly situation?: SituationId | undefined;
}

/** The response to a request that succeeded: ours, with what the profile has and adds. */
export function succeed(performed: Performed, request: RequestContext): ServiceResponse {
  const { decisions } = request;
  const { situation, group } = performed;
  const prepared = decisions.behaviour.responses.get(situation);
  // The profile may have this status too.
  const createdStatus = situation === "created" ? Number(decisions.option("created-status")) : undefined;
  if (prepared === undefined) return { status: createdStatus ?? 200, body: performed.body };
  const sent = once(() => request.sent());
  const given: Given = (name) => request.ofGroup(group, name) ?? sent()[name];
  const known = fillResponse({ prepared, given }, [], request);
  if (known.from !== undefined) decisions.knows(known.from);
  const added = known.content?.value;
  return {
    status: createdStatus ?? known.status ?? 200,
    body: added === undefined ? performed.body : withFields(performed.body, added),
    headers: known.headers,
  };
}

/** The response to OPTIONS, unless it is rejected. */
export function withoutContent(request: RequestContext): ServiceResponse {
  const prepared = request.decisions.behaviour.responses.get("every response");
  const known = prepared && fillResponse({ prepared, given: (name) => request.sent()[name] }, [], request);
  return { status: 204, headers: withoutType(known?.headers) };
}

/** Adds fields to the response and to its group. Both are objects of this response only, so they are changed in place. */
function withFields(body: Performed["body"], added: unknown): object {
  const user_group = Object.assign(body.user_group, fieldOf(added, "user_group"));
  return Object.assign(body, added, { user_group });
}

/** The response to a request that was rejected: the profile's, or ours. */
export function reject(rejection: Rejection, request: RequestContext): ServiceResponse {
  const { decisions } = request;
  const { behaviour } = decisions;
  const { code, situation } = rejection;
  // Assumptions are about requests to the path of the service.
  const isAssumed = code !== "not_found" && code in serviceFailures;
  const { from, status: knownStatus, headers, content } = fillRejection(rejection, request) ?? {};
  const isOurStatus = knownStatus === undefined || (isAssumed && behaviour.isSet("failure-status"));
  const isOurBody = content === undefined || (isAssumed && behaviour.isSet("failure-body"));
  if (from !== undefined && !(isOurStatus && isOurBody && headers === undefined)) decisions.knows(from);
  const status = isOurStatus ? ourStatus(code, isAssumed, decisions) : knownStatus;
  if (!isOurBody) return { status, ...contentToSend(content), headers, situation };
  const body = isAssumed ? failureBody(rejection, decisions) : plainFailureBody(rejection);
  return { status, body, headers: content === undefined ? headers : withoutType(headers), situation };
}

function ourStatus(code: Rejection["code"], isAssumed: boolean, decisions: Decisions): number {
  const isAlways200 = isAssumed && decisions.option("failure-status") === "always-200";
  return isAlways200 ? 200 : failures[code].status;
}

/** How many further problems are added to the body of a response. */
const maxOthers = 100;

/**
 * Whether the response has the other problems of the body, too. A typed decoder ends at the first wrong type, and a service
 * that looks for the group before it checks the rest ends at a wrong id.
 */
function joinsOthers(word: OutcomeOf<"several problems">, situation: SituationId | undefined): boolean {
  if (situation === undefined || !word.endsWith("all")) return false;
  const { isOfType, field } = rowOf(situation);
  if (word === "types first then all") return isOfType !== true;
  return word === "all" || field !== "user_group_id";
}

/** What the profile has of the response, with what it has of those to further problems of the body. */
function fillRejection(rejection: Rejection, request: RequestContext): FilledResponse | undefined {
  const { decisions } = request;
  const { behaviour } = decisions;
  const prepared = rejection.situation && behaviour.responses.get(rejection.situation);
  if (prepared === undefined) return undefined;
  const sent = once(() => request.sent());
  const isJoined = joinsOthers(decisions.peek("several problems"), rejection.situation);
  const others = isJoined ? (rejection.others ?? []).slice(0, maxOthers) : [];
  const more = others.flatMap((mistake) => {
    const ofOther = mistake.situation && behaviour.responses.get(mistake.situation);
    return ofOther ? { prepared: ofOther, given: givenFor(mistake, sent) } : [];
  });
  return fillResponse({ prepared, given: givenFor(rejection, sent) }, more, request);
}

/** What placeholders stand for in the response to a body that is wrong at one place. */
function givenFor({ situation, path }: Partial<Mistake>, sentOnce: () => JsonObject): Given {
  const field = once(() => namesIn(path ?? "").at(-1) ?? (situation && rowOf(situation).field));
  return (name) => (placeholders[name]?.isOfMistake ? field() : sentOnce()[name]);
}

function contentToSend({ isText, value }: FilledContent): Pick<ServiceResponse, "body" | "rawText" | "type"> {
  if (!isText) return { body: value };
  const rawText = String(value);
  return { rawText, type: textType(rawText) };
}

/** The Content-Type of a text, unless headers have one. */
export function textType(text: string): string {
  return `text/${text.trimStart().startsWith("<") ? "html" : "plain"}; charset=utf-8`;
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
