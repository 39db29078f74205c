import type { SchemaProblem } from "../contract/problems.js";
import type { Schemas } from "../contract/schemas.js";
import { shippedSchemas } from "../contract/shipped-schemas.js";
import type { GetOrCreateRequest, Problem, RotateRequest } from "../contract/types.js";
import { firstOf, maxProblems } from "../foundation/mock-error.js";
import { hint } from "../foundation/nearest.js";
import type { AssumptionId } from "./assumptions.js";
import type { Failure } from "./failures.js";
import type { Rulings } from "./rulings.js";

export type Operation = "get-or-create" | "rotate";

/** Looked up, not put together: a text that is made anew for every call makes a slow key. */
const schemaOf = {
  "get-or-create": "get-or-create.request.json",
  rotate: "rotate.request.json",
} as const satisfies Record<Operation, string>;

type RequestSchema = (typeof schemaOf)[Operation];

export interface CheckedBody {
  readonly body: GetOrCreateRequest & RotateRequest;
  readonly notes: readonly string[];
}

const noNotes: readonly string[] = [];

/** A body that the schema of the operation lets through, as the assumptions read it, or why it does not fit. */
export function checkBody(
  operation: Operation,
  json: unknown,
  schemas: Schemas,
  rulings: Rulings,
): CheckedBody | Failure {
  const schema = schemaOf[operation];
  const body = json as Record<string, unknown>;
  const problems: Problem[] = [];
  for (const problem of schemas.shipped(schema, json)) {
    if (!forgiven(problem, body, rulings)) problems.push({ path: problem.path, message: problem.message });
  }
  let notes = noNotes;
  const unknown = unknownFields(schema, json);
  if (unknown.length > 0) {
    const known = Object.keys(shippedSchemas[schema].properties);
    if (rulings.rule("unknown-fields") === "rejected") {
      for (const field of unknown) {
        // To look for the nearest takes time, and only the first are told.
        const meant = problems.length < maxProblems ? hint(field, known) : "";
        problems.push({ path: `/${field}`, message: `is not in the interface${meant}` });
      }
    } else {
      notes = notesOf(unknown, known);
    }
  }
  const read =
    typeof body?.user_group_id === "number" ? { ...body, user_group_id: `${body.user_group_id}` } : body;
  const stricter = schemas.stricter(schema, read);
  if (stricter.length > 0) {
    const told = new Set(problems.map(({ path }) => path));
    for (const { path, message } of stricter) if (!told.has(path)) problems.push({ path, message });
  }
  if (problems.length > 0) return invalidBody(operation, problems);
  // The schema has just said that it is one.
  return { body: read as unknown as CheckedBody["body"], notes };
}

/** How many unknown fields are noted one by one. */
const mostNoted = 10;

/** How much of the name of one is noted, in characters. */
const mostOfName = 100;

function notesOf(fields: readonly string[], known: readonly string[]): string[] {
  const notes = fields.slice(0, mostNoted).map((field) => {
    const name = field.length > mostOfName ? `${field.slice(0, mostOfName)}…` : field;
    return `field ${name} is not in the interface, ignored${hint(field, known)}`;
  });
  const more = fields.length - mostNoted;
  return more > 0 ? [...notes, `${more} more fields are not in the interface, ignored`] : notes;
}

/** `invalid_body`, with the problems in the message too, for people who see only that. */
export function invalidBody(operation: Operation, problems: readonly Problem[]): Failure {
  const listed = problems.slice(0, 3).map(({ path, message }) => `${path === "" ? "it" : path} ${message}`);
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  return {
    code: "invalid_body",
    message: `The body is not what ${operation} asks for: ${listed.join("; ")}${more}. Correct it and call again.`,
    details: firstOf(problems),
  };
}

function unknownFields(schema: RequestSchema, json: unknown): string[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return [];
  const known = shippedSchemas[schema].properties;
  return Object.keys(json).filter((field) => !Object.hasOwn(known, field));
}

/** The schemas say what the defaults say; some of their complaints are only an assumption. */
function forgiven(problem: SchemaProblem, body: Record<string, unknown>, rulings: Rulings): boolean {
  const id = questionOf(problem, body);
  return id !== undefined && ["accepted", "coerced"].includes(rulings.rule(id));
}

function questionOf(
  { keyword, path }: SchemaProblem,
  body: Record<string, unknown>,
): AssumptionId | undefined {
  if (keyword === "minLength") return "empty-strings";
  if (keyword !== "type") return undefined;
  if (path.startsWith("/mapping/")) return "mapping-values";
  const id = body?.user_group_id;
  // A larger integer has lost digits before anybody could turn it into text.
  const exact = typeof id === "number" && (!Number.isInteger(id) || Number.isSafeInteger(id));
  return path === "/user_group_id" && exact ? "numeric-ids" : undefined;
}
