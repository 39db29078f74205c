import type { FailureResponse } from "../generated/types.js";
import { allowedMethods } from "./operations.js";

export type FailureCode = NonNullable<FailureResponse["error"]>["code"];

interface FailureSpec {
  readonly status: number;
  readonly when: string;
}

/** Every way in which a request to the service can fail. The table in `docs/troubleshooting.md` derives from it. */
export const failures = {
  missing_body: { status: 400, when: "no body arrived" },
  invalid_json: { status: 400, when: "the body is not JSON, not UTF-8, or nests deeper than 100 levels" },
  invalid_body: { status: 400, when: "JSON that does not match the schema; `details` has every problem" },
  unauthorized: { status: 401, when: "the API token is missing, malformed or unknown" },
  unknown_token: { status: 404, when: "`current_token` belongs to no group of this team" },
  not_found: { status: 404, when: "there is no such path" },
  method_not_allowed: { status: 405, when: `a method other than ${allowedMethods}` },
  payload_too_large: { status: 413, when: "over `--body-limit`, or the groups of the world take 250 MB" },
  unsupported_media_type: { status: 415, when: "not `application/json` in UTF-8, or an unknown encoding" },
  internal: { status: 500, when: "a bug of the mock; its log has the stack trace" },
  fault: { status: 503, when: "a test armed a fault; if the fault has a status, that one" },
  forbidden_host: { status: 403, when: "the `Host` header is not a name of this machine" },
  forbidden_origin: { status: 403, when: "a web page of another site, or a browser without an API token" },
  ambiguous_host: { status: 400, when: "several `Host` headers" },
  ambiguous_header: { status: 400, when: "several `Authorization` headers, or others of that kind" },
  invalid_http: { status: 400, when: "not valid HTTP; 408 when too slow, 413 or 431 when too long" },
  unsupported_version: { status: 505, when: "an HTTP version other than 1.0 and 1.1" },
  invalid_world: { status: 404, when: "not a valid world name" },
  too_many_worlds: { status: 429, when: "more worlds than `--max-worlds`, or all together keep 500 MB" },
} as const satisfies Record<FailureCode, FailureSpec>;
