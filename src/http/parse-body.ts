import { isUtf8 } from "node:buffer";
import { refuseCostly } from "../contract/limits.js";
import { nextTurn } from "../foundation/clock.js";
import { oddNumbers } from "../foundation/json-numbers.js";
import { thrown } from "../foundation/mock-error.js";
import type { Failure } from "../service/failures.js";
import type { Body, BodyRules } from "./body.js";

/** Bytes → text → JSON. What would take too long to parse is refused before. */
export function parseBody(bytes: Buffer, rules: BodyRules): Body | Failure {
  const text = textOfBody(bytes, rules);
  if (typeof text !== "string") return text;
  const parsed = parseText(text);
  return "json" in parsed ? checkNumbers(text, parsed) : parsed;
}

/** The same for a body of megabytes: other calls go in between its steps. */
export async function parseLargeBody(bytes: Buffer, rules: BodyRules): Promise<Body | Failure> {
  await nextTurn();
  const text = textOfBody(bytes, rules);
  if (typeof text !== "string") return text;
  await nextTurn();
  const parsed = parseText(text);
  await nextTurn();
  return "json" in parsed ? checkNumbers(text, parsed) : parsed;
}

function textOfBody(bytes: Buffer, { arrived, maxDepth }: BodyRules): string | Failure {
  if (!isUtf8(bytes)) return { code: "invalid_json", message: "The body is not UTF-8. Send JSON in UTF-8." };
  const bytesBeforeJson = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const text = bytes.toString("utf8", bytesBeforeJson);
  arrived?.(text);
  return refuseCostly(bytes, maxDepth, "The body") ?? text;
}

function parseText(text: string): Body | Failure {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    const { message } = thrown(error);
    return { code: "invalid_json", message: `The body is not JSON: ${message}. Correct it and call again.` };
  }
}

function checkNumbers(text: string, body: Body): Body | Failure {
  const { overflowing, inexact } = oddNumbers(text);
  const [first] = overflowing;
  if (first === undefined)
    return inexact.length === 0 ? body : { ...body, notes: inexact.slice(0, 3).map(inexactNote) };
  const message = `The number ${first.slice(0, 30)} is too large. Send it as text, or a smaller one.`;
  return { code: "invalid_json", message };
}

function inexactNote(number: string): string {
  return `the number ${number.slice(0, 60)} may have lost digits; it was read as ${Number(number)}`;
}
