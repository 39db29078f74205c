import { asError } from "./located-problem.js";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON pointer of a field, below that of its object. */
export function pointerTo(field: string): string {
  return `/${field.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The names of fields in a JSON pointer. */
export function namesIn(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  if (!pointer.includes("~")) return parts;
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Why a text is not JSON, without the part of it that the parser quotes: it may be a secret. */
export function parserReason(error: unknown): string {
  const quoted = /, (?:\.{3})?".*"(?:\.{3})? is not valid JSON/s;
  return asError(error).message.replace(quoted, " is not valid JSON");
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The most values of one array or object in a body. 10 MB cannot contain more groups, but millions of other
 * values, and a list of all their problems would take gigabytes of memory.
 */
const maxWidth = 250_000;

/**
 * Parses the body of a request. Returns what is wrong, as a sentence, if it is not JSON, or too wide, or nests too deep:
 * what is kept of it is serialised again, and JSON.stringify overflows the stack at some thousands of levels.
 */
export function parseBody(
  text: string,
  maxDepth: number,
): { readonly json: unknown } | { readonly problem: string } {
  try {
    const json: unknown = JSON.parse(text);
    // A level takes two or more characters, so most bodies need no walk.
    const problem = text.length > 2 * maxDepth ? shapeProblem(json, maxDepth, maxDepth) : undefined;
    return problem === undefined ? { json } : { problem };
  } catch (error) {
    return { problem: `The body is not JSON: ${parserReason(error)}.` };
  }
}

function shapeProblem(json: unknown, maxDepth: number, levels: number): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (levels === 0) return `The body is nested more than ${maxDepth} levels deep. Flatten it.`;
  const values: readonly unknown[] = Object.values(json);
  if (values.length > maxWidth)
    return `An array or object of the body has more than ${maxWidth} values. Send fewer.`;
  for (const value of values) {
    const problem = shapeProblem(value, maxDepth, levels - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A field of a JSON object. Undefined if the value is not an object or does not have the field. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
