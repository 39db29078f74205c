import { operations, servicePath } from "../contract/operations.js";
import { codeOf } from "../contract/why.js";
import type { JournalEntry } from "../generated/types.js";

/** A call as it can be made again, and how it differs from the one in the journal. */
export interface RepeatedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  /** So many bytes were announced and not read: what they were is not known. */
  readonly unreadBytes: number;
  readonly remarks: readonly string[];
}

/** Headers that belong to the connection, or that only concern the original client. */
const skippedHeaders =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|content-encoding|accept|accept-encoding|accept-language|user-agent|expect|te|trailer|upgrade|priority|sec-.*|usergroup-mock-sent-by)$/;
/** The mask of a secret, with the last characters of a long one. */
const mask = /\*{8}\S{0,4}/;

/**
 * @param sent the exact text of the body; null if the mock did not read it
 * @param apiToken replaces a masked API token
 */
export function repeatedCall(entry: JournalEntry, sent: string | null, apiToken: string): RepeatedCall {
  const { request } = entry;
  const remarks: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (skippedHeaders.test(name) && !(name === "content-encoding" && sent === null)) continue;
    if (!mask.test(value)) {
      headers[name] = value;
    } else if (name !== "authorization") {
      remarks.push(`The header ${name} is masked: it is left out.`);
    } else if (codeOf(entry) === "unauthorized") {
      headers[name] = value;
      remarks.push("The API token is masked. It was refused, and so is the mask.");
    } else {
      headers[name] = value.replace(mask, apiToken);
      remarks.push(`The API token is masked: ${apiToken} is used instead.`);
    }
  }
  const announced = Number(request.headers["content-length"] ?? 0);
  const hadBody = announced > 0 || request.headers["transfer-encoding"] !== undefined;
  const unreadBytes = hadBody && sent === null ? announced || 2 : 0;
  if (unreadBytes > 0) {
    remarks.push("The mock refused the request before it read the body: as many filler bytes are sent.");
  }
  const { method, path } = request;
  return { method, path, headers, text: hadBody ? (sent ?? undefined) : undefined, unreadBytes, remarks };
}

/** A first call to try in an empty world. */
export function firstCall(apiToken: string): RepeatedCall {
  return {
    method: operations["get-or-create"].method,
    path: servicePath,
    headers: { Authorization: `Token ${apiToken}`, "Content-Type": "application/json" },
    text: '{"user_group_id": "my-group", "name": "My group"}',
    unreadBytes: 0,
    remarks: [],
  };
}
