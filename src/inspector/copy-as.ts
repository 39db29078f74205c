import { isObject } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { codeLiteral } from "./code-literal.js";
import type { RepeatableRequest } from "./repeatable-request.js";
import { baseUrl } from "./urls.js";

/** A shell command that sends the request. */
export function asCurl({ method, path, headers, text, unreadBytes }: RepeatableRequest): string {
  const head = method === "HEAD" ? "--head" : `-X ${quote(method)}`;
  const lines = [`curl ${head} --globoff --path-as-is ${quote(`${baseUrl}${path}`)}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`);
  }
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  // By default, curl sends a form content type with a body.
  if ((text !== undefined || unreadBytes > 0) && !hasType) lines.push("-H 'content-type:'");
  if (text !== undefined) lines.push(`--data-raw ${quote(text)}`);
  const filler = unreadBytes === 0 ? "" : `head -c ${unreadBytes} /dev/zero | tr '\\0' '0' | `;
  if (unreadBytes > 0) lines.push("--data-binary @-");
  return filler + lines.join(" \\\n  ");
}

function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** JavaScript that sends the request with undici, which allows a body in a GET. */
export function asJavaScript({ method, path, headers, text, unreadBytes }: RepeatableRequest): string {
  const body =
    text === undefined ? (unreadBytes === 0 ? undefined : `"0".repeat(${unreadBytes})`) : codeLiteral(text);
  return [
    'import { request } from "undici";',
    "",
    `const response = await request(${codeLiteral(`${baseUrl}${path}`)}, {`,
    `  method: ${codeLiteral(method)},`,
    `  headers: ${codeLiteral(headers)},`,
    ...(body === undefined ? [] : [`  body: ${body},`]),
    "});",
    "console.log(response.statusCode, await response.body.json());",
    "",
  ].join("\n");
}

/** Lines for a test that wait for this request, and make the next one like it fail. */
export function asTest(entry: JournalEntry): string {
  const { operation, request } = entry;
  const matched = {
    ...(operation !== null && { operation }),
    ...(isObject(request.body) && { match: request.body }),
  };
  const wait = ["// This request was sent:", `await mock.waitForRequest(${codeLiteral(matched)});`, ""];
  if (!canMatchFault(entry)) {
    return [
      ...wait,
      "// No fault can match this request: faults match only authenticated and valid requests.",
      "",
    ].join("\n");
  }
  return [
    ...wait,
    "// Make the next request like it fail:",
    `await mock.fault(${codeLiteral({ ...matched, status: 503 })});`,
    "",
  ].join("\n");
}

/** Faults ignore requests that are rejected before their operation is performed. */
function canMatchFault(entry: JournalEntry): boolean {
  const { operation, outcome, fault, effect } = entry;
  if (operation === null) return false;
  return (
    outcome !== "failure" || fault !== null || effect !== "none" || entry.cause?.code === "unknown_token"
  );
}
