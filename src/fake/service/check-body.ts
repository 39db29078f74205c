import { asSentence, counted, sentence } from "../../foundation/grammar.js";
import { fieldOf, isObject } from "../../foundation/json.js";
import { firstProblems, problemsInLine } from "../../foundation/located-problem.js";
import { hint } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Operation, Problem } from "../../generated/types.js";
import type { AssumptionId } from "../contract/assumptions.js";
import { type Bodies, operationIds, operations } from "../contract/operations.js";
import { fieldKinds } from "../contract/response-names.js";
import type { SchemaProblem, Schemas } from "../contract/schemas.js";
import type { Decisions } from "./decisions.js";
import type { Rejection } from "./result.js";

/** The body as the assumptions interpret it, or why it is invalid. */
export function checkBody<O extends Operation>(
  operation: O,
  json: unknown,
  schemas: Schemas,
  decisions: Decisions,
): { readonly body: Bodies[O]; readonly notes: readonly string[] } | Rejection {
  const schema = operations[operation].request;
  const known = shippedSchemas[schema].properties;
  const names = Object.keys(known);
  const ours = schemas.shippedProblems(schema, json).filter((problem) => {
    const id = assumptionAbout(problem, json);
    return id === undefined || decisions.decide(id) === "rejected";
  });
  const problems: Problem[] = ours.map(({ path, message }) => ({ path, message }));
  let notes: readonly string[] = [];
  const unknown = isObject(json) ? Object.keys(json).filter((field) => !Object.hasOwn(known, field)) : [];
  if (unknown.length > 0) {
    if (decisions.decide("unknown-fields") === "ignored") notes = unknownNotes(unknown, names);
    else
      for (const field of unknown)
        problems.push({ path: `/${field}`, message: `is not in the interface${hint(field, names)}` });
  }
  const id = fieldOf(json, "user_group_id");
  const body = isObject(json) && typeof id === "number" ? { ...json, user_group_id: `${id}` } : json;
  const stricter = schemas.overlayProblems(schema, body);
  const reported = stricter.length === 0 ? undefined : new Set(problems.map(({ path }) => path));
  for (const { path, message } of stricter) if (!reported?.has(path)) problems.push({ path, message });
  if (problems.length > 0) {
    const isMissing = ours.some(({ keyword }) => keyword === "required");
    const other = isMissing ? otherOperation(operation, json) : undefined;
    const typo = notes.find((note) => note.includes("did you mean"));
    return invalidBody(operation, problems, kindOf(ours, names), [other, typo], notes);
  }
  // The schema has accepted it, except for what an assumption allows.
  return { body: body as Bodies[O], notes };
}

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
  kind?: string,
  advice: readonly (string | undefined)[] = [],
  notes: readonly string[] = [],
): Rejection {
  let message = `Invalid body for ${operation}: ${sentence(problemsInLine(problems))}`;
  for (const words of advice) if (words !== undefined) message += ` ${asSentence(words)}`;
  return { code: "invalid_body", kind, message, details: firstProblems(problems), notes };
}

/** The first field that is wrong, in the order of the document, and how: `name.missing`. */
function kindOf(problems: readonly SchemaProblem[], fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const problem = problems.find(({ path }) => `${path}/`.startsWith(`/${field}/`));
    const kind = fieldKinds[problem?.keyword ?? ""];
    if (problem !== undefined) return kind === undefined ? field : `${field}.${kind}`;
  }
  return undefined;
}

/** How many unknown fields are noted. */
const maxNotes = 10;

function unknownNotes(fields: readonly string[], names: readonly string[]): string[] {
  const notes = fields
    .slice(0, maxNotes)
    .map((field) => `field ${field} is not in the interface, ignored${hint(field, names)}`);
  const more = fields.length - maxNotes;
  return more > 0 ? [...notes, `${counted(more, "more unknown field")} ignored`] : notes;
}

/** The assumption that may allow a problem: the schemas describe the default values. */
function assumptionAbout({ keyword, path }: SchemaProblem, json: unknown): AssumptionId | undefined {
  if (keyword === "minLength") return "empty-strings";
  if (keyword !== "type") return undefined;
  if (path.startsWith("/mapping/")) return "mapping-values";
  if (path !== "/user_group_id") return undefined;
  const id = fieldOf(json, "user_group_id");
  // A larger integer lost digits when it was parsed.
  const isExact = typeof id === "number" && (!Number.isInteger(id) || Number.isSafeInteger(id));
  return isExact ? "numeric-ids" : undefined;
}
