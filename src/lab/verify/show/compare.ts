import { isDeepStrictEqual } from "node:util";
import { shorten } from "../../../foundation/printable.js";
import type { Clean } from "../learn/learn-values.js";
import type { Played } from "../replay/play.js";
import {
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  type SentRequest,
} from "../service/recorded.js";
import { isTime } from "../text/dates.js";
import { mapLeaves } from "../text/json-leaves.js";
import type { Secrets } from "../text/secrets.js";

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

export function compareResponses(
  played: readonly Played[],
  { secrets, clean, examplePaths }: { secrets: Secrets; clean: Clean; examplePaths: ReadonlySet<string> },
): Comparison {
  const same = played.filter(
    ({ response, mocked }) => mocked !== undefined && isSameResponse(response, mocked),
  );
  const bodyOf = ({ json, text, isSuccess, shown }: ReceivedResponse) => {
    if (json === undefined) return clean(text);
    const body = mapLeaves(json, ({ path, value }) => {
      if (examplePaths.has(path) || isTime(value)) return null;
      return typeof value === "string" ? clean(value) : value;
    });
    // All tokens are equal in `body`, which is clean. Both sides show the tokens of the service, which are compared here.
    return isSuccess ? [body, mapLeaves(shown, ({ value }) => (isTime(value) ? null : value))] : body;
  };
  const exact = same.filter(({ response, mocked }) => {
    return mocked !== undefined && isDeepStrictEqual(bodyOf(response), bodyOf(mocked));
  });
  const different = played.filter((one) => !same.includes(one)).map((one) => showDifference(one, secrets));
  return { same: same.length, exact: exact.length, of: played.length, different };
}

/** A redirect is about one path. A profile has one response for all paths that do not exist. */
const redirect = "The mock does not redirect.";

function showDifference(played: Played, secrets: Secrets): UnlikeResponse {
  const { request, response, mocked } = played;
  const isRedirect = response.status >= 300 && response.status < 400;
  // The reasons are about what is accepted. If both accept it, they show something else in another way.
  const isAccepted = response.isSuccess && mocked?.isSuccess === true;
  const reason = isAccepted ? undefined : played.inexpressible;
  const inexpressible = reason ?? (isRedirect ? redirect : undefined);
  return {
    request: shorten(secrets.show(showRequest(request)), 400),
    service: responseLine(response, secrets),
    mock: mocked === undefined ? "has not issued this token" : responseLine(mocked, secrets),
    mockIs: judge(response, mocked),
    ...(inexpressible !== undefined && { inexpressible }),
  };
}

/** A request in one line, with what is unusual in its head. */
function showRequest({ method, path, headers, text }: SentRequest): string {
  const { "Content-Type": type, Authorization: authorization } = headers;
  const without = [
    type === undefined && "without Content-Type",
    authorization === undefined && "without an API token",
  ].filter((one) => one !== false);
  const as = type === undefined || type === "application/json" ? [] : [`as ${type}`];
  return [`${method} ${path}`, text ?? "without a body", ...as, ...without].join(" ");
}

function judge(response: ReceivedResponse, mocked: ReceivedResponse | undefined): UnlikeResponse["mockIs"] {
  if (mocked === undefined || response.isSuccess === mocked.isSuccess) return "different";
  return mocked.isSuccess ? "lenient" : "strict";
}

/** A response in one line, without secrets. */
export function responseLine(
  response: Pick<Recorded["response"], "status" | "type" | "text">,
  secrets: Secrets,
): string {
  const { status, type, text } = response;
  return shorten(secrets.show([status, type, text].filter(Boolean).join(" ")), 400);
}
