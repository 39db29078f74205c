import { asSentence, counted, sentence } from "../../foundation/grammar.js";
import { fieldOf, isObject, type JsonObject, pointerTo } from "../../foundation/json.js";
import { firstProblems, problemsInLine } from "../../foundation/located-problem.js";
import { hint, nearest } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Operation, Problem } from "../../generated/types.js";
import { type BodyAssumption, isSettledAt } from "../contract/accepts.js";
import type { AssumptionValues } from "../contract/assumptions.js";
import { type Bodies, operationIds, operations } from "../contract/operations.js";
import { type BodyMistake, firstMistake } from "../contract/response-names.js";
import type { SchemaProblem, Schemas } from "../contract/schemas.js";
import type { Decisions } from "./decisions.js";
import type { Rejection } from "./result.js";

/** The body as the profile and the assumptions interpret it, or why it is invalid. */
export function checkBody<O extends Operation>(
  operation: O,
  json: unknown,
  schemas: Schemas,
  decisions: Decisions,
): { readonly body: Bodies[O]; readonly notes: readonly string[] } | Rejection {
  const schema = operations[operation].request;
  const known = shippedSchemas[schema].properties;
  const names = Object.keys(known);
  const problems = bodyProblems(operation, json, schemas, decisions);
  const unknown = isObject(json) ? Object.keys(json).filter((field) => !Object.hasOwn(known, field)) : [];
  let notes: readonly string[] = [];
  let typo: string | undefined;
  if (unknown.length > 0) {
    if (isIgnored(operation, schemas, decisions)) {
      notes = unknownNotes(unknown, names);
      typo = unknown.find((field) => nearest(field, names) !== undefined);
    } else problems.push(...unknown.map((field) => unknownField(field, names)));
  }
  // The schema has accepted it, except for what an assumption allows.
  if (problems.length === 0) return { body: storedBody(json) as Bodies[O], notes };
  const isMissing = problems.some(({ keyword }) => keyword === "required");
  const advice = [
    isMissing ? otherOperation(operation, json) : undefined,
    typo === undefined ? undefined : unknownNote(typo, names),
  ];
  const mistake = firstMistake(operation, problems, (field) => fieldOf(json, field));
  return invalidBody(operation, problems, mistake, advice, notes);
}

/**
 * What is wrong with the fields of a body. The rules of the profile decide, where it has rules. Otherwise the shipped
 * schema does, and an assumption may allow what it rejects.
 */
function bodyProblems(
  operation: Operation,
  json: unknown,
  schemas: Schemas,
  decisions: Decisions,
): SchemaProblem[] {
  const shipped = schemas.shippedProblems(operations[operation].request, json);
  const byRules = schemas.ruleProblems(operation, json);
  if (byRules === undefined)
    return shipped.filter((problem) => {
      const id = assumptionAbout(problem, json);
      return id === undefined || decisions.decide(id) === "rejected";
    });
  // Looked up for each problem: a body can have thousands.
  const rejectedPaths = new Set(byRules.map(({ path }) => path));
  /** Whether the profile decides what an assumption is about: it has a rule there, and nobody set the value on purpose. */
  const isLeft = (problem: SchemaProblem, id: BodyAssumption): boolean => {
    if (!isSettledAt(id, schemas.accepts, operation, problem.path)) return false;
    const isRejected = rejectedPaths.has(problem.path);
    return decisions.leaveToProfile(id, isRejected ? valueIfRejected[id] : valueIfAccepted[id]);
  };
  // Of the shipped schema, what an assumption is about, and no rule.
  const assumed = shipped.filter((problem) => {
    const id = assumptionAbout(problem, json);
    return id !== undefined && !isLeft(problem, id) && decisions.decide(id) === "rejected";
  });
  // Of the rules, the others. checkBody finds unknown fields.
  const known = byRules.filter((problem) => {
    const id = assumptionAbout(problem, json);
    return id === undefined || (id !== "unknown-fields" && isLeft(problem, id));
  });
  return [...assumed, ...known];
}

/** What the rules of a profile decide about a body assumption, in its values. */
const valueIfRejected = {
  "unknown-fields": "rejected",
  "mapping-values": "rejected",
  "numeric-ids": "rejected",
  "empty-strings": "rejected",
  "name-on-create": "required",
} as const satisfies { readonly [Id in BodyAssumption]: AssumptionValues[Id] };

const valueIfAccepted = {
  "unknown-fields": "ignored",
  "mapping-values": "accepted",
  "numeric-ids": "coerced",
  "empty-strings": "accepted",
  "name-on-create": "defaults-to-id",
} as const satisfies { readonly [Id in BodyAssumption]: AssumptionValues[Id] };

/** Whether fields that the document does not list are ignored. */
function isIgnored(operation: Operation, { accepts }: Schemas, decisions: Decisions): boolean {
  const isAllowed = accepts[operation]?.additionalProperties;
  if (
    isAllowed !== undefined &&
    decisions.leaveToProfile("unknown-fields", isAllowed ? "ignored" : "rejected")
  )
    return isAllowed;
  return decisions.decide("unknown-fields") === "ignored";
}

function unknownField(field: string, names: readonly string[]): SchemaProblem {
  return {
    keyword: "additionalProperties",
    path: pointerTo(field),
    message: `is not in the interface${hint(field, names)}`,
  };
}

/**
 * The body with what is stored. What the profile accepts beyond the document counts as not sent: null, and anything but
 * an object in place of one. Names and ids are text.
 */
function storedBody(json: unknown): unknown {
  if (!isObject(json)) return json;
  if (isStoredAsSent(json)) return json;
  const sent = Object.entries(json).filter(
    ([field, value]) => value !== null && (isObject(value) || !storedAsObject.has(field)),
  );
  const stored = sent.map(([field, value]) => [field, storedAsText.has(field) ? String(value) : value]);
  return Object.fromEntries(stored);
}

function isStoredAsSent(json: JsonObject): boolean {
  for (const field in json) {
    const value = json[field];
    if (value === null || (storedAsText.has(field) && typeof value !== "string")) return false;
    if (storedAsObject.has(field) && !isObject(value)) return false;
  }
  return true;
}

const storedAsObject = new Set(["mapping", "properties"]);
const storedAsText = new Set(["user_group_id", "name"]);

/** What to do if the body is that of another operation: many clients send a POST where a GET with a body is meant. */
function otherOperation(operation: Operation, json: unknown): string | undefined {
  const isComplete = (id: Operation) =>
    shippedSchemas[operations[id].request].required.every((field) => fieldOf(json, field) !== undefined);
  const other = operationIds.find((id) => id !== operation && isComplete(id));
  return other && `this looks like ${other}, which is a ${operations[other].method}`;
}

/** `invalid_body`, with the first problems in the message too: some clients show only the message. */
export function invalidBody(
  operation: Operation,
  problems: readonly Problem[],
  mistake?: BodyMistake,
  advice: readonly (string | undefined)[] = [],
  notes: readonly string[] = [],
): Rejection {
  let message = `Invalid body for ${operation}: ${sentence(problemsInLine(problems))}`;
  for (const words of advice) if (words !== undefined) message += ` ${asSentence(words)}`;
  const details = firstProblems(problems).map(({ path, message }) => ({ path, message }));
  return { code: "invalid_body", ...mistake, message, details, notes };
}

/** How many unknown fields are noted. */
const maxNotes = 10;

function unknownNotes(fields: readonly string[], names: readonly string[]): string[] {
  const notes = fields.slice(0, maxNotes).map((field) => unknownNote(field, names));
  const more = fields.length - maxNotes;
  return more > 0 ? [...notes, `${counted(more, "more unknown field")} ignored`] : notes;
}

function unknownNote(field: string, names: readonly string[]): string {
  return `field ${field} is not in the interface, ignored${hint(field, names)}`;
}

/** The assumption that a problem is about: the shipped schemas describe the default values. */
function assumptionAbout({ keyword, path }: SchemaProblem, json: unknown): BodyAssumption | undefined {
  // A profile may demand a length of other texts.
  if (keyword === "minLength") {
    const isAssumed = storedTexts.has(path) && fieldOf(json, path.slice(1)) === "";
    return isAssumed ? "empty-strings" : undefined;
  }
  if (keyword === "additionalProperties" && isField(path)) return "unknown-fields";
  if (keyword === "required" && path === "/name") return "name-on-create";
  if (keyword !== "type") return undefined;
  if (path.startsWith("/mapping/")) return "mapping-values";
  if (path !== "/user_group_id") return undefined;
  const id = fieldOf(json, "user_group_id");
  // A larger integer lost digits when it was parsed.
  const isExact = typeof id === "number" && (!Number.isInteger(id) || Number.isSafeInteger(id));
  return isExact ? "numeric-ids" : undefined;
}

/** The texts that the assumption about empty ones is about. */
const storedTexts = new Set(["/user_group_id", "/name", "/current_token"]);

/** Whether a path is that of a field of the body, and not of a value in it. */
function isField(path: string): boolean {
  return path.lastIndexOf("/") === 0;
}
