import { allowedMethods } from "./operations.js";
import type { FailureResponse } from "./types.js";

export type FailureCode = NonNullable<FailureResponse["error"]>["code"];

interface FailureSpec {
  readonly status: number;
  readonly when: string;
}

/** Every way in which a call of the service can fail. The README's table comes from here. */
export const failures = {
  missing_body: { status: 400, when: "no body arrived" },
  invalid_json: { status: 400, when: "the body is not JSON, not UTF-8, or nests deeper than 100 levels" },
  invalid_body: { status: 400, when: "JSON, but not what the schema asks for; `details` has every problem" },
  unauthorized: { status: 401, when: "no, malformed or unknown API token" },
  unknown_token: { status: 404, when: "`current_token` belongs to no group of this team" },
  not_found: { status: 404, when: "no such path" },
  method_not_allowed: { status: 405, when: `another method than ${allowedMethods}` },
  payload_too_large: {
    status: 413,
    when: "over `--body-limit`, or no room: all worlds together keep 500 MB",
  },
  unsupported_media_type: { status: 415, when: "not `application/json` in UTF-8, or an unknown encoding" },
  internal: { status: 500, when: "a defect of the mock; its log has the stack" },
  fault: { status: 503, when: "a fault that a test armed" },
} as const satisfies Record<FailureCode, FailureSpec>;
