import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../service/check-body.js";

/** Which calls are meant: by operation and by fields of the body. */
export interface Matcher {
  readonly operation?: Operation;
  readonly match?: Readonly<Record<string, unknown>>;
}

/** In what a call differs from what is meant; empty when it is meant. */
export function differences(matcher: Matcher, operation: Operation | null, body: unknown): string[] {
  const found: string[] = [];
  if (matcher.operation !== undefined && matcher.operation !== operation) {
    found.push(`it was ${operation ?? "no operation"}, not ${matcher.operation}`);
  }
  for (const [name, wanted] of Object.entries(matcher.match ?? {})) {
    const sent = fieldOf(body, name);
    if (!isDeepStrictEqual(sent, wanted)) found.push(`${name} was ${words(sent)}, not ${words(wanted)}`);
  }
  return found;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  return Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
}

function words(value: unknown): string {
  return value === undefined ? "not sent" : JSON.stringify(value);
}
