import { operations, servicePath } from "../contract/operations.js";
import type { JournalEntry } from "../generated/types.js";

/** A request that can be sent again, and how it differs from the one in the journal. */
export interface RepeatableRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
  /** The length of a body that the mock did not read. */
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
export function repeatableRequest(
  entry: JournalEntry,
  sent: string | null,
  apiToken: string,
): RepeatableRequest {
  const { request } = entry;
  const remarks: string[] = [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (skippedHeaders.test(name) && !(name === "content-encoding" && sent === null)) continue;
    if (!mask.test(value)) {
      headers[name] = value;
    } else if (name !== "authorization") {
      remarks.push(`The header ${name} is masked, so it is left out.`);
    } else if (entry.cause?.code === "unauthorized") {
      headers[name] = value;
      remarks.push("The API token is masked. The mock will reject the mask, as it rejected the token.");
    } else {
      headers[name] = value.replace(mask, apiToken);
      remarks.push(`The API token is masked, so ${apiToken} is used instead.`);
    }
  }
  const announced = Number(request.headers["content-length"] ?? 0);
  const hadBody = announced > 0 || request.headers["transfer-encoding"] !== undefined;
  const unreadBytes = hadBody && sent === null ? announced || 2 : 0;
  if (unreadBytes > 0) {
    remarks.push(
      "The mock rejected the request before it read the body. Filler bytes of the same length are sent.",
    );
  }
  const { method, path } = request;
  return { method, path, headers, text: hadBody ? (sent ?? undefined) : undefined, unreadBytes, remarks };
}

/** A request to try in an empty world. */
export function firstRequest(apiToken: string): RepeatableRequest {
  return {
    method: operations["get-or-create"].method,
    path: servicePath,
    headers: { Authorization: `Token ${apiToken}`, "Content-Type": "application/json" },
    text: '{"user_group_id": "my-group", "name": "My group"}',
    unreadBytes: 0,
    remarks: [],
  };
}
