import { isDeepStrictEqual } from "node:util";
import { shorten } from "../../../foundation/printable.js";
import type { Clean } from "../learn/clean.js";
import { isSameResponse, type ReceivedResponse } from "../service/received-response.js";
import type { Recorded, SentRequest } from "../service/recorded.js";
import { isTime } from "../text/dates.js";
import { type Leaf, mapLeaves } from "../text/json-leaves.js";
import type { Secrets } from "../text/secrets.js";
import type { Played } from "./play.js";

/** A request to which a mock with the profile responds in another way than the service. */
export interface UnlikeResponse {
  readonly request: string;
  readonly service: string;
  readonly mock: string;
  /** `lenient`: it accepts what the service rejects, so tests could pass and production fail. */
  readonly mockIs: "lenient" | "strict" | "different";
  /** Why no profile can express it. */
  readonly inexpressible?: string;
}

/** How a mock with the profile responds to the requests of the run. */
export interface Comparison {
  /** Responses with the same status, content type, fields and types. */
  readonly same: number;
  /** Those of them with the same body, apart from examples. */
  readonly exact: number;
  readonly of: number;
  readonly different: readonly UnlikeResponse[];
}

interface CompareOptions {
  readonly secrets: Secrets;
  readonly clean: Clean;
  readonly examplePaths: ReadonlySet<string>;
}

export function compareResponses(played: readonly Played[], options: CompareOptions): Comparison {
  const same = played.filter(isSame);
  const exact = same.filter((one) => hasSameBody(one, options));
  const different = played.filter((one) => !isSame(one)).map((one) => showDifference(one, options.secrets));
  return { same: same.length, exact: exact.length, of: played.length, different };
}

function isSame({ response, mocked }: Played): boolean {
  return mocked !== undefined && isSameResponse(response, mocked);
}

function hasSameBody({ response, mocked }: Played, options: CompareOptions): boolean {
  if (mocked === undefined) return false;
  if (!isDeepStrictEqual(cleanBody(response, options), cleanBody(mocked, options))) return false;
  // All tokens are equal in a clean body. Both sides show those of the service, which are compared here.
  return !response.isSuccess || isDeepStrictEqual(comparedFields(response), comparedFields(mocked));
}

/** A body without what may differ: times, examples, and what belongs to the run. */
function cleanBody({ json, text }: ReceivedResponse, { clean, examplePaths }: CompareOptions): unknown {
  if (json === undefined) return clean(text);
  return mapLeaves(json, ({ path, value }) => {
    if (examplePaths.has(path)) return null;
    const settled = withoutTime({ path, value });
    return typeof settled === "string" ? clean(settled) : settled;
  });
}

function comparedFields({ documented }: ReceivedResponse): unknown {
  return mapLeaves(documented, withoutTime);
}

function withoutTime({ value }: Leaf): unknown {
  return isTime(value) ? null : value;
}

function showDifference(played: Played, secrets: Secrets): UnlikeResponse {
  const { request, response, mocked } = played;
  const inexpressible = whyInexpressible(played);
  return {
    request: shorten(secrets.show(showRequest(request)), 400),
    service: responseLine(response, secrets),
    mock: mocked === undefined ? "has not issued this token" : responseLine(mocked, secrets),
    mockIs: judge(response, mocked),
    ...(inexpressible !== undefined && { inexpressible }),
  };
}

/** Why no profile can make the mock respond as the service, if that is known. */
function whyInexpressible(played: Played): string | undefined {
  const { response, mocked, hasSeveralMistakes, inexpressible } = played;
  // A redirect is about one path. A profile has one response for all paths that do not exist.
  const isRedirect = response.status >= 300 && response.status < 400;
  const redirect = isRedirect ? "The mock does not redirect." : undefined;
  // The reasons of a request are about its rejection. If both accept it, they differ in what they show.
  const areBothAccepting = response.isSuccess && mocked?.isSuccess === true;
  if (areBothAccepting) return redirect;
  return inexpressible ?? (hasSeveralMistakes ? "several mistakes at once" : redirect);
}

/** A request in one line, with what is unusual in its head. */
function showRequest({ method, path, headers, text }: SentRequest): string {
  const { "Content-Type": type, Authorization: authorization } = headers;
  const words = [`${method} ${path}`, text ?? "without a body"];
  if (type === undefined) words.push("without Content-Type");
  else if (type !== "application/json") words.push(`as ${type}`);
  if (authorization === undefined) words.push("without an API token");
  return words.join(" ");
}

function judge(response: ReceivedResponse, mocked: ReceivedResponse | undefined): UnlikeResponse["mockIs"] {
  if (mocked === undefined || response.isSuccess === mocked.isSuccess) return "different";
  return mocked.isSuccess ? "lenient" : "strict";
}

/** A response in one line, without secrets. */
function responseLine({ status, type, text }: Recorded["response"], secrets: Secrets): string {
  return shorten(secrets.show([status, type, text].filter(Boolean).join(" ")), 400);
}
