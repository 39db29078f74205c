import { isDeepStrictEqual } from "node:util";
import { fieldOf, isObject, type JsonObject } from "../foundation/json.js";
import type { JournalEntry, Operation } from "../generated/types.js";

/** More than anybody reads about one call. */
const maxDifferences = 10;

/** How much of a value is shown, in characters. */
const maxValueLength = 200;

/** What is known of a call. */
interface MatchedCall {
  readonly operation: Operation | null;
  /** The body. An entry of the journal parses it when this is read. */
  readonly json: unknown;
  /** The team of the caller, where it is known. */
  readonly teamId?: number;
  /** How it ended, where it is known. */
  readonly outcome?: JournalEntry["outcome"];
}

interface MatchRule {
  readonly operation?: Operation;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly team_id?: number;
  readonly outcome?: JournalEntry["outcome"];
}

/** Selects calls by operation, team, outcome and fields of the body. */
export class Matcher {
  readonly #rule: MatchRule;
  /** Precomputed: every call is compared with these. Listing 90,000 fields takes 100 ms. */
  readonly #fields: readonly WantedField[];

  constructor(rule: MatchRule) {
    this.#rule = rule;
    this.#fields = wantedFields(rule.match ?? {});
  }

  accepts(call: MatchedCall): boolean {
    return this.differences(call, 1).length === 0;
  }

  /** The first differences between a call and what is wanted; empty when it matches. Texts are made on demand. */
  differences(call: MatchedCall, most = maxDifferences): (() => string)[] {
    const found: (() => string)[] = [];
    const { operation, teamId, outcome } = call;
    const { operation: wanted, team_id, outcome: end } = this.#rule;
    if (wanted !== undefined && wanted !== operation) {
      found.push(() => `it was ${operation ?? "no operation"}, not ${wanted}`);
    }
    if (team_id !== undefined && teamId !== undefined && team_id !== teamId) {
      found.push(() => `it came from team ${teamId}, not ${team_id}`);
    }
    if (end !== undefined && outcome !== undefined && end !== outcome) {
      found.push(() => `its outcome was ${outcome}, not ${end}`);
    }
    if (found.length < most && this.#fields.length > 0) {
      addDifferences("", call.json, this.#fields, most, found);
    }
    return found;
  }
}

/** A field that is wanted, with the fields in it where it is an object. */
interface WantedField {
  readonly name: string;
  readonly value: unknown;
  readonly fields: readonly WantedField[] | undefined;
}

function wantedFields(wanted: JsonObject): readonly WantedField[] {
  return Object.entries(wanted).map(([name, value]) => {
    return { name, value, fields: isObject(value) ? wantedFields(value) : undefined };
  });
}

/** An object matches when every field that is wanted matches; everything else must be equal. */
function addDifferences(
  place: string,
  body: unknown,
  wanted: readonly WantedField[],
  most: number,
  found: (() => string)[],
): void {
  for (const { name, value, fields } of wanted) {
    if (found.length >= most) return;
    const sent = fieldOf(body, name);
    if (fields !== undefined && isObject(sent)) {
      addDifferences(`${place}${name}.`, sent, fields, most, found);
    } else if (!isDeepStrictEqual(sent, value)) {
      found.push(() => `${cut(place + name)} was ${words(sent)}, not ${words(value)}`);
    }
  }
}

function words(value: unknown): string {
  return value === undefined ? "not sent" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
