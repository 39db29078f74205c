import type { FailureResponse } from "../../generated/types.js";

export type FailureCode = NonNullable<FailureResponse["error"]>["code"];

interface FailureSpec {
  readonly status: number;
  readonly when: string;
  /** The request was authenticated and well formed: an operation has rejected it. */
  readonly isByOperation?: true;
}

/** How the service can reject a request. */
export const serviceFailures = {
  missing_body: { status: 400, when: "no body arrived" },
  invalid_json: {
    status: 400,
    when: "the body is not JSON, not UTF-8, or is nested more than 100 levels deep",
  },
  invalid_body: { status: 400, when: "the JSON does not match the schema; `details` lists the problems" },
  unauthorized: {
    status: 401,
    when: "the API token is missing, malformed or unknown",
  },
  unknown_token: {
    status: 404,
    when: "`current_token` belongs to no group of this team",
    isByOperation: true,
  },
  not_found: { status: 404, when: "there is no such path" },
  method_not_allowed: { status: 405, when: "the method is not supported; see the `Allow` header" },
  conflict: {
    status: 409,
    when: "an assumption rejects what the request would do to a group",
    isByOperation: true,
  },
  payload_too_large: { status: 413, when: "the body is over `--body-limit`" },
  unsupported_media_type: {
    status: 415,
    when: "the body is not `application/json` in UTF-8, or its encoding is not supported",
  },
} as const satisfies { readonly [Code in FailureCode]?: FailureSpec };

/** Failures of the mock itself. No profile changes their responses, and no assumption but the body of a fault. */
export const ownFailures = {
  internal: { status: 500, when: "a bug in the mock; its log has the stack trace" },
  fault: { status: 503, when: "a fault fired; it can set another status" },
  forbidden_host: { status: 403, when: "the `Host` header is not a name of this machine" },
  forbidden_origin: {
    status: 403,
    when: "a web page of another origin, or a prefetch, made a browser send the request",
  },
  ambiguous_host: { status: 400, when: "the request has several `Host` headers" },
  invalid_world: { status: 404, when: "the name of the world is not valid" },
  too_many_worlds: { status: 429, when: "there are already 10,000 worlds" },
} as const satisfies { readonly [Code in FailureCode]?: FailureSpec };

/** Every way in which a request to the service can fail. */
export const failures = { ...serviceFailures, ...ownFailures } satisfies Record<FailureCode, FailureSpec>;

/** Whether a request was authenticated and well formed, and an operation rejected it. */
export function isByOperation(code: FailureCode): boolean {
  const spec: FailureSpec = failures[code];
  return spec.isByOperation === true;
}
