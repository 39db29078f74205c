import { asSentence, counted, sentence } from "../../foundation/grammar.js";
import { fieldOf, isObject, namesIn, pointerTo } from "../../foundation/json.js";
import { firstProblems, problemsInLine } from "../../foundation/located-problem.js";
import { hint, nearest } from "../../foundation/nearest.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { Operation, Problem } from "../../generated/types.js";
import { type Bodies, operationIds, operations } from "../contract/operations.js";
import type { SchemaProblem, Schemas } from "../contract/schemas.js";
import {
  firstSituation,
  isSituation,
  kindOf,
  rowOf,
  type SituationId,
  situationIds,
} from "../contract/situations.js";
import type { Decisions } from "./decisions.js";
import { type Rejection, rejectIn } from "./result.js";
import { storedBody } from "./stored-body.js";

/** What a body is checked with. */
interface BodyCheck {
  readonly schemas: Schemas;
  readonly decisions: Decisions;
  /** Whether the group of an id exists. */
  readonly exists: (id: string) => boolean;
}

/** A situation that a body meets because of a problem in it. */
interface Met extends Problem {
  readonly situation: SituationId;
}

/** The body as the service understands it, or why it is rejected. */
export function checkBody<O extends Operation>(
  operation: O,
  json: unknown,
  check: BodyCheck,
): { readonly body: Bodies[O]; readonly notes: readonly string[] } | Rejection {
  const { decisions } = check;
  const fields = shippedSchemas[operations[operation].request].properties;
  const problems = check.schemas.shippedProblems(operations[operation].request, json);
  const unknown = isObject(json) ? Object.keys(json).filter((field) => !Object.hasOwn(fields, field)) : [];
  const isOfExisting = () => {
    const id = fieldOf(json, "user_group_id");
    return (typeof id === "string" || typeof id === "number") && check.exists(String(id));
  };
  const beyond = beyondSituations(operation, json, decisions, isOfExisting);
  // What most requests have.
  const isPlain = problems.length === 0 && unknown.length === 0 && beyond.length === 0;
  if (isPlain) return { body: json as Bodies[O], notes: [] };
  const names = Object.keys(fields);
  const ofSchema = problems.map((problem) => schemaSituation(operation, problem, json, isOfExisting));
  const met = [...ofSchema, ...beyond];
  const rejected = met.filter((one) => isRejected(one, json, decisions));
  let notes: readonly string[] = [];
  let typo: string | undefined;
  if (unknown.length > 0) {
    const situation = `${operations[operation].method}: unknown field` as const;
    if (decisions.outcome(situation) === "rejected")
      rejected.push(...unknown.map((field) => unknownField(situation, field, names)));
    else {
      notes = unknownNotes(unknown, names);
      typo = unknown.find((field) => nearest(field, names) !== undefined);
    }
  }
  // The schema has accepted it, except for what the situations allow.
  if (rejected.length === 0)
    return { body: (met.length === 0 ? json : storedBody(json, met, decisions)) as Bodies[O], notes };
  if (lacksName(operation, json, decisions) && !isOfExisting())
    rejected.push({ situation: "name: missing", path: "/name", message: requiredMessage });
  const isMissing = rejected.some(({ message }) => message === requiredMessage);
  const advice = [
    isMissing ? otherOperation(operation, json) : undefined,
    typo === undefined ? undefined : unknownNote(typo, names),
  ];
  return invalidBody(operation, rejected, decisions, advice, notes);
}

/** Where all problems are in one response, so is a missing name. Otherwise it is found when the group is created. */
function lacksName(operation: Operation, json: unknown, decisions: Decisions): boolean {
  const isMissing = operation === "get-or-create" && isObject(json) && json.name === undefined;
  if (!isMissing || !decisions.peek("several problems").endsWith("all")) return false;
  return decisions.outcome("name: missing") === "rejected";
}

/** The situation that a problem of the shipped schema is. */
function schemaSituation(
  operation: Operation,
  problem: SchemaProblem,
  json: unknown,
  isOfExisting: () => boolean,
): Met {
  const { path, message } = problem;
  return { situation: nameSituation(operation, problem, json, isOfExisting), path, message };
}

/** The name consists of the field and of what is wrong with its value. */
function nameSituation(
  operation: Operation,
  { keyword, path }: SchemaProblem,
  json: unknown,
  isOfExisting: () => boolean,
): SituationId {
  if (path === "") return `${operations[operation].method}: not an object`;
  if (path.indexOf("/", 1) > 0) {
    const [field = "", key = ""] = namesIn(path);
    return firstSituation(`${field} value: ${kindOf(fieldOf(fieldOf(json, field), key))}`);
  }
  // No field of the schemas has a name that a pointer escapes.
  const field = path.slice(1);
  const value = fieldOf(json, field);
  const kind = kindOfProblem(keyword, value);
  const ofExisting = `existing group: ${field} ${kind}`;
  if (isSituation(ofExisting) && isOfExisting()) return ofExisting;
  const ofEmpty = `${field}: empty ${kind}`;
  if (Array.isArray(value) && value.length === 0 && isSituation(ofEmpty)) return ofEmpty;
  const own = `${field}: ${kind}`;
  // A field has a situation of its own for the kinds that services tell apart.
  return isSituation(own) ? own : firstSituation(`${field}: other type`, `${field}: number`);
}

function kindOfProblem(keyword: string, value: unknown): string {
  switch (keyword) {
    case "required":
      return "missing";
    case "minLength":
      return "empty";
    case "x-stored-text":
      return "unstorable";
    default:
      return kindOf(value);
  }
}

/** The situations of the body that no schema describes, as far as they are looked for. */
function beyondSituations(
  operation: Operation,
  json: unknown,
  { behaviour }: Decisions,
  isOfExisting: () => boolean,
): Met[] {
  const { beyond } = behaviour;
  if (beyond.length === 0 || !isObject(json)) return [];
  const met: Met[] = [];
  for (const { situation, operation: ofOperation, ofExisting, findProblem } of beyond) {
    const problem = ofOperation === operation ? findProblem(json) : undefined;
    if (problem === undefined) continue;
    if (ofExisting === undefined || ofExisting === isOfExisting()) met.push({ situation, ...problem });
  }
  return met;
}

function isRejected({ situation }: Met, json: unknown, decisions: Decisions): boolean {
  // A larger integer lost digits when it was parsed.
  if (situation === "user_group_id: number" && !isExactNumber(fieldOf(json, "user_group_id"))) return true;
  return decisions.outcome(situation) === "rejected";
}

function isExactNumber(id: unknown): boolean {
  return typeof id === "number" && (!Number.isInteger(id) || Number.isSafeInteger(id));
}

function unknownField(situation: SituationId, field: string, names: readonly string[]): Met {
  const message = `is not in the interface${hint(field, names)}`;
  return { situation, path: pointerTo(field), message };
}

/** What to do if the body is that of another operation: many clients send a POST where a GET with a body is meant. */
function otherOperation(operation: Operation, json: unknown): string | undefined {
  const isComplete = (id: Operation) =>
    shippedSchemas[operations[id].request].required.every((field) => fieldOf(json, field) !== undefined);
  const other = operationIds.find((id) => id !== operation && isComplete(id));
  return other && `this looks like ${other}, which is a ${operations[other].method}`;
}

/** As the schemas say it. */
const requiredMessage = "is required";

const places: ReadonlyMap<SituationId, number> = new Map(situationIds.map((id, place) => [id, place]));

/** `invalid_body`, with the first problems in the message too: some clients show only the message. */
export function invalidBody(
  operation: Operation,
  problems: readonly Met[],
  decisions: Decisions,
  advice: readonly (string | undefined)[] = [],
  notes: readonly string[] = [],
): Rejection {
  let message = `Invalid body for ${operation}: ${sentence(problemsInLine(problems))}`;
  for (const words of advice) if (words !== undefined) message += ` ${asSentence(words)}`;
  const details = firstProblems(problems).map(({ path, message }) => ({ path, message }));
  const [first, ...others] = problems.length > 1 ? inTableOrder(problems, decisions) : problems;
  if (first === undefined) throw new Error("A body without problems is not rejected.");
  return rejectIn(first.situation, message, { path: first.path, others, details, notes });
}

/** The problem that gives the response comes first. */
function inTableOrder(problems: readonly Met[], decisions: Decisions): Met[] {
  const typesFirst = decisions.outcome("several problems").startsWith("types first");
  const place = ({ situation }: Met) => {
    const isLater = typesFirst && rowOf(situation).isOfType !== true;
    return (places.get(situation) ?? 0) + (isLater ? places.size : 0);
  };
  return problems.toSorted((a, b) => place(a) - place(b));
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
