import { codeOf } from "../contract/why.js";
import { isObject } from "../foundation/json.js";
import type { JournalEntry } from "../generated/types.js";
import { codeLiteral } from "./code-literal.js";
import { baseUrl } from "./place.js";
import type { RepeatedCall } from "./repeated-call.js";

/** A shell command that makes the call. */
export function asCurl({ method, path, headers, text, unreadBytes }: RepeatedCall): string {
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

/** JavaScript that makes the call with undici, which sends a body with a GET too. */
export function asJavaScript({ method, path, headers, text, unreadBytes }: RepeatedCall): string {
  const body =
    text === undefined ? (unreadBytes === 0 ? undefined : `"0".repeat(${unreadBytes})`) : codeLiteral(text);
  return [
    'import { request } from "undici";',
    "",
    `const answer = await request(${codeLiteral(`${baseUrl}${path}`)}, {`,
    `  method: ${codeLiteral(method)},`,
    `  headers: ${codeLiteral(headers)},`,
    ...(body === undefined ? [] : [`  body: ${body},`]),
    "});",
    "console.log(answer.statusCode, await answer.body.json());",
    "",
  ].join("\n");
}

/** Lines for a test: wait for this request, and make it fail the next time. */
export function asTest(entry: JournalEntry): string {
  const { operation, request } = entry;
  const met = {
    ...(operation !== null && { operation }),
    ...(isObject(request.body) && { match: request.body }),
  };
  const wait = ["// This request was sent:", `await mock.waitForRequest(${codeLiteral(met)});`, ""];
  if (!canMeetFault(entry)) {
    return [...wait, "// No fault can meet it: faults need an authenticated and valid request.", ""].join(
      "\n",
    );
  }
  return [
    ...wait,
    "// The next one like it fails:",
    `await mock.fault(${codeLiteral({ ...met, status: 503 })});`,
    "",
  ].join("\n");
}

/** A request that is rejected before its operation is performed meets no fault. */
function canMeetFault(entry: JournalEntry): boolean {
  const { operation, outcome, fault, effect } = entry;
  if (operation === null) return false;
  return outcome !== "failure" || fault !== null || effect !== "none" || codeOf(entry) === "unknown_token";
}
