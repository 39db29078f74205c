import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../service/check-body.js";

/** More than anybody reads of one call. */
const mostDifferences = 10;

/** How much of a value is told, in characters. */
const mostOfValue = 200;

/** Which calls are meant: by operation and by fields of the body. */
export class Matcher {
  readonly #operation: Operation | undefined;
  /** Laid out once: there may be many, and calls of which the first tells that they are not meant. */
  readonly #fields: readonly (readonly [name: string, wanted: unknown])[];

  constructor({ operation, match = {} }: { operation?: Operation; match?: Record<string, unknown> }) {
    this.#operation = operation;
    this.#fields = Object.entries(match);
  }

  /** Whether anything is asked of bodies. */
  get asksForFields(): boolean {
    return this.#fields.length > 0;
  }

  accepts(operation: Operation | null, body: unknown): boolean {
    return this.differences(operation, body, 1).length === 0;
  }

  /** In what a call differs from what is meant, the first of it; empty when it is meant. In words once asked. */
  differences(operation: Operation | null, body: unknown, most = mostDifferences): (() => string)[] {
    const found: (() => string)[] = [];
    if (this.#operation !== undefined && this.#operation !== operation) {
      found.push(() => `it was ${operation ?? "no operation"}, not ${this.#operation}`);
    }
    for (const [name, wanted] of this.#fields) {
      if (found.length >= most) break;
      const sent = fieldOf(body, name);
      if (isDeepStrictEqual(sent, wanted)) continue;
      found.push(() => `${cut(name)} was ${words(sent)}, not ${words(wanted)}`);
    }
    return found;
  }
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
