import type { Request } from "express";
import { parseBody, parseJson } from "../../foundation/json.js";
import type { Operation } from "../../generated/types.js";
import { maxDepth } from "../contract/limits.js";
import { operations } from "../contract/operations.js";
import type { Decisions } from "../service/decisions.js";
import { type Rejection, rejectIn } from "../service/result.js";
import { missingBodyMessage, namingFieldIn, notUtf8, typeProblem } from "./parse-body.js";

type BodyRequest = Pick<Request, "method" | "originalUrl" | "headers">;

/** What has arrived. */
interface Arrived {
  readonly hasBody: boolean;
  /** Undefined: it is not UTF-8. */
  readonly text: string | undefined;
}

/** The JSON of a body as the service reads it, or why it is rejected before its fields are looked at. */
export function readServiceBody(
  operation: Operation,
  { hasBody, text }: Arrived,
  req: BodyRequest,
  decisions: Decisions,
): { readonly json: unknown } | Rejection {
  if (!hasBody) return readWithoutBody(operation, req, decisions);
  const { method } = operations[operation];
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity" && decisions.outcome("gzip") === "rejected")
    return rejectIn("gzip", `Content-Encoding: ${encoding} is not supported. Send the body as it is.`);
  const wrongType = typeProblem(req.headers["content-type"]);
  if (wrongType !== undefined) {
    const situation = typeSituation(operation, req.headers["content-type"], text);
    if (decisions.outcome(situation) === "rejected") return rejectIn(situation, wrongType);
    if (text !== undefined && situation.endsWith("form")) return { json: formFields(text) };
  }
  if (text === undefined) return rejectIn(`${method}: broken JSON`, notUtf8);
  const parsed = parseBody(text, maxDepth);
  if ("json" in parsed) return { json: parsed.json };
  const beginning = method === "GET" ? jsonAtBeginning(text) : undefined;
  if (beginning === undefined) return rejectIn(`${method}: broken JSON`, parsed.problem);
  if (decisions.outcome("GET: text after the JSON") === "accepted") return { json: beginning };
  return rejectIn("GET: text after the JSON", parsed.problem);
}

function readWithoutBody(
  operation: Operation,
  req: BodyRequest,
  decisions: Decisions,
): { readonly json: unknown } | Rejection {
  const { method } = operations[operation];
  const hasFields = method === "GET" && namingFieldIn(req.originalUrl) !== undefined;
  const situation = hasFields ? "fields in the query" : (`${method}: no body` as const);
  if (decisions.outcome(situation) === "rejected") return rejectIn(situation, missingBodyMessage(req));
  const [, query = ""] = req.originalUrl.split(/\?(.*)/s);
  return { json: hasFields ? formFields(query) : {} };
}

function typeSituation(operation: Operation, header: string | undefined, text: string | undefined) {
  const { method } = operations[operation];
  if (header === undefined) return `${method}: no Content-Type` as const;
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(header.trim());
  // curl sends JSON with the type of a form, if it is not told otherwise.
  const isJson = text !== undefined && parseJson(text) !== undefined;
  return isForm && !isJson ? (`${method}: form` as const) : (`${method}: other Content-Type` as const);
}

function formFields(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The object at the beginning of a text, if more text follows it. */
function jsonAtBeginning(text: string): unknown {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (part === "{") depth++;
    if (part !== "}" || --depth > 0) continue;
    const parsed = parseBody(text.slice(0, index + 1), maxDepth);
    return "json" in parsed ? parsed.json : undefined;
  }
  return undefined;
}
