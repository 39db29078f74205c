import { isUtf8 } from "node:buffer";
import type { Request } from "express";
import { parseBody } from "../../foundation/json.js";
import { MockError } from "../contract/mock-error.js";
import { operationIds, operations } from "../contract/operations.js";

/** A field that names a group, in a query string. */
const namingField = new RegExp(`[?&](${operationIds.map((id) => operations[id].namedBy).join("|")})=`);

/** The field of a query string that names a group. */
export function namingFieldIn(url: string): string | undefined {
  return namingField.exec(url)?.[1];
}

/** What to do if no body has arrived. */
export function missingBodyMessage({ method, originalUrl }: Pick<Request, "method" | "originalUrl">): string {
  const inQuery = namingFieldIn(originalUrl);
  const query = inQuery === undefined ? "" : ` The query string is ignored: send ${inQuery} in a JSON body.`;
  const hint =
    method === "GET"
      ? " Many HTTP clients drop the body of a GET, or send it without Content-Length, as Node's http.request does by" +
        " default. Use a client that sends the body, and set Content-Length. See node_modules/usergroup-mock/docs/troubleshooting.md."
      : " Send a JSON body with Content-Length or chunked.";
  return `No body arrived with this ${method}.${query}${hint}`;
}

/** Why a Content-Type is not that of JSON in UTF-8, with what to do. */
export function typeProblem(header: string | undefined): string | undefined {
  if (header === "application/json") return undefined;
  const [type = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((part) => part.startsWith("charset="))?.slice("charset=".length) ?? "utf-8";
  const isJson = type === "application/json";
  if (isJson && /^"?utf-?8"?$/.test(charset)) return undefined;
  const sent = header === undefined ? "There is no Content-Type." : `Content-Type: ${header} is not JSON.`;
  const problem = isJson ? `The charset ${charset} is not supported. JSON must be UTF-8.` : sent;
  return `${problem} Send Content-Type: application/json.`;
}

export const notUtf8 = "The body is not UTF-8. Send JSON in UTF-8.";

/** Undefined: it is not UTF-8. A byte order mark is not part of the text. */
export function decodeBody(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", hasMark ? 3 : 0);
}

/** The JSON of a body of the admin API. */
export function readAdminBody(bytes: Buffer, type: string | undefined, maxDepth: number): unknown {
  const problem = typeProblem(type);
  if (problem !== undefined) throw new MockError("unsupported_media_type", problem);
  const text = decodeBody(bytes);
  const parsed = text === undefined ? { problem: notUtf8 } : parseBody(text, maxDepth);
  if ("json" in parsed) return parsed.json;
  throw new MockError("invalid_json", parsed.problem);
}
