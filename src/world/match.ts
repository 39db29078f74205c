import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../contract/types.js";
import { fieldOf } from "../foundation/json.js";

/** More than anybody reads about one call. */
const maxDifferences = 10;

/** How much of a value is shown, in characters. */
const maxValueLength = 200;

/** Selects calls by operation and by fields of the body. */
export class Matcher {
  readonly #operation: Operation | undefined;
  /** Precomputed: every call is compared with these. */
  readonly #fields: readonly (readonly [name: string, wanted: unknown])[];

  constructor({ operation, match = {} }: { operation?: Operation; match?: Record<string, unknown> }) {
    this.#operation = operation;
    this.#fields = Object.entries(match);
  }

  /** Whether a body is needed to decide. */
  get asksForFields(): boolean {
    return this.#fields.length > 0;
  }

  accepts(operation: Operation | null, body: unknown): boolean {
    return this.differences(operation, body, 1).length === 0;
  }

  /** The first differences between a call and what is wanted; empty when it matches. Texts are made on demand. */
  differences(operation: Operation | null, body: unknown, most = maxDifferences): (() => string)[] {
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

function words(value: unknown): string {
  return value === undefined ? "not sent" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
