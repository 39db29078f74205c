import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It says nothing about the service, and the request may have taken effect.
 */
export class TransientFailure extends Error {
  readonly status: number | undefined;
  /** How long the service asks clients to wait. */
  readonly retryAfterMs: number;

  constructor(message: string, status?: number, retryAfterMs = 0) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly isJson: boolean;
}

/** @param request what was sent, for the message: "GET /api/user" */
export function throwIfTransient(
  { status, headers, isJson }: ReceivedResponse,
  request: string,
  mustBeJson: boolean,
): void {
  const response = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
  const retryAfter = headers["retry-after"];
  if (status >= 500 || [408, 425, 429].includes(status) || (status >= 400 && retryAfter !== undefined)) {
    const asked = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
    throw new TransientFailure(`${response} to ${request}${asked}`, status, msOf(retryAfter));
  }
  // Broken JSON, or the maintenance page of a proxy.
  if (mustBeJson && status < 300 && !isJson)
    throw new TransientFailure(`${response} without JSON to ${request}`, status);
}

/** The header has seconds or a date. */
function msOf(retryAfter = ""): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}
