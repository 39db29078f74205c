import type { FailureResponse, Operation } from "../../generated/types.js";
import { operationIds, operations } from "./operations.js";

export type FailureCode = NonNullable<FailureResponse["error"]>["code"];

interface FailureSpec {
  readonly status: number;
  readonly when: string;
  /** The request was authenticated and well formed: an operation has rejected it. */
  readonly isByOperation?: true;
  /** Narrower cases, for which a profile can have responses of their own. */
  readonly kinds?: Readonly<Record<string, string>>;
}

/**
 * The cases of a failure that says nothing of a known field. A service that takes no body, or a list, for an empty object
 * reports the first field that is missing, which is another one in each operation.
 */
export const inEachOperation = Object.fromEntries(
  operationIds.map((id) => [id, `the same in a ${operations[id].method}`]),
) as Readonly<Record<Operation, string>>;

/** How the service can reject a request. */
export const serviceFailures = {
  missing_body: { status: 400, when: "no body arrived", kinds: inEachOperation },
  invalid_json: {
    status: 400,
    when: "the body is not JSON, not UTF-8, or is nested more than 100 levels deep",
  },
  invalid_body: { status: 400, when: "the JSON does not match the schema; `details` lists the problems" },
  unauthorized: {
    status: 401,
    when: "the API token is missing, malformed or unknown",
    kinds: {
      missing: "there is no `Authorization` header",
      scheme: "its scheme is another one, in another case, or the header is malformed",
      unknown: "the API token is unknown",
    },
  },
  unknown_token: {
    status: 404,
    when: "`current_token` belongs to no group of this team",
    isByOperation: true,
    kinds: {
      unknown: "it belongs to no group",
      malformed: "it belongs to no group, and has another form than a token of this world",
      rotated: "it was rotated out",
      foreign: "it belongs to a group of another team",
    },
  },
  not_found: { status: 404, when: "there is no such path" },
  method_not_allowed: { status: 405, when: "the method is not supported; see the `Allow` header" },
  conflict: {
    status: 409,
    when: "an assumption rejects what the request would do to a group",
    isByOperation: true,
    kinds: {
      name: "another group of the team has the name",
      changed: "the group exists, and a field of the request differs",
    },
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

/** The narrower cases of a failure. Those of `invalid_body` come from the schemas. */
export type FailureKind<Code extends FailureCode> = Code extends "invalid_body"
  ? string
  : (typeof failures)[Code] extends { readonly kinds: infer Kinds }
    ? keyof Kinds
    : never;
