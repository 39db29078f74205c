import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../service/check-body.js";

/** Which calls are meant: by operation and by fields of the body. */
export interface Matcher {
  readonly operation?: Operation;
  readonly match?: Readonly<Record<string, unknown>>;
}

/** More than anybody reads of one call. */
const mostDifferences = 10;

/** How much of a value is told, in characters. */
const mostOfValue = 200;

/** Whether a call is meant. */
export function isMeant(matcher: Matcher, operation: Operation | null, body: unknown): boolean {
  return differences(matcher, operation, body, 1).length === 0;
}

/** In what a call differs from what is meant, the first `most` of it; empty when it is meant. */
export function differences(
  matcher: Matcher,
  operation: Operation | null,
  body: unknown,
  most = mostDifferences,
): (() => string)[] {
  const found: (() => string)[] = [];
  if (matcher.operation !== undefined && matcher.operation !== operation) {
    found.push(() => `it was ${operation ?? "no operation"}, not ${matcher.operation}`);
  }
  const { match = {} } = matcher;
  // Not Object.entries: what is meant may have many fields, and the first may tell.
  for (const name in match) {
    if (found.length >= most) break;
    const [sent, wanted] = [fieldOf(body, name), match[name]];
    if (!isDeepStrictEqual(sent, wanted)) {
      found.push(() => `${cut(name)} was ${words(sent)}, not ${words(wanted)}`);
    }
  }
  return found;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
}

function words(value: unknown): string {
  return value === undefined ? "not sent" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > mostOfValue ? `${text.slice(0, mostOfValue)}…` : text;
}
