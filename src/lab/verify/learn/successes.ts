import { isDeepStrictEqual } from "node:util";
import { shownSchemas } from "../../../fake/contract/group-fields.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import { type Exchange, groupIn, sentField } from "../service/exchanges.js";
import { fillPlaceholders, hasBraces, longestFirst } from "./rejection-template.js";
import { example, type Secrets } from "./secrets.js";

/** The fields that the document shows, beside those of the group. */
const documented = new Set(Object.keys(shippedSchemas["get-or-create.response.json"].properties));
const documentedOfGroup = new Set(Object.keys(shownSchemas));

/** What is known of the groups of a run. */
export interface SeenOfGroups {
  /** What belongs to a group is seen best where several were created. */
  readonly created: readonly Exchange[];
  /** Responses about groups without a mapping or properties. */
  readonly empty: readonly Exchange[];
}

/** What the responses to a success have beyond the document, as the body of a profile. */
export function learnAdded(
  exchanges: readonly Exchange[],
  groups: SeenOfGroups,
  secrets: Secrets,
): JsonObject {
  const learner = new ValueLearner(exchanges, groups, secrets);
  const top = learner.fields(documented, ({ received }) => received.json);
  const ofGroup = learner.fields(documentedOfGroup, ({ received }) => groupIn(received));
  return { ...top, ...(Object.keys(ofGroup).length > 0 && { user_group: ofGroup }) };
}

/** The same field of another response. */
type ReadPlace = (exchange: Exchange) => unknown;

/** Reads what a field means from its values in several responses. */
class ValueLearner {
  readonly #exchanges: readonly Exchange[];
  readonly #groups: SeenOfGroups;
  readonly #secrets: Secrets;

  constructor(exchanges: readonly Exchange[], groups: SeenOfGroups, secrets: Secrets) {
    this.#exchanges = exchanges;
    this.#groups = groups;
    this.#secrets = secrets;
  }

  /** The fields that the objects at a place have in all responses. @param known fields that are left out */
  fields(known: ReadonlySet<string>, place: ReadPlace): JsonObject {
    const [first = {}, ...others] = this.#exchanges.map(place).map((value): JsonObject => Object(value));
    const names = Object.keys(first).filter(
      (name) => !known.has(name) && others.every((one) => Object.hasOwn(one, name)),
    );
    const found = names.map((name) => [name, this.#value(name, (one) => Object(place(one))[name])]);
    return Object.fromEntries(found);
  }

  #value(name: string, place: ReadPlace): unknown {
    const whole = this.#wholeObject(place);
    if (whole !== undefined) return whole;
    const values = this.#exchanges.map(place);
    if (values.every(isObject)) return this.fields(new Set(), place);
    const texts = this.#withPlaceholders(values);
    const [first] = texts;
    if (texts.every((one) => one === first) && typeof first === "string" && first.includes("{"))
      return this.#secrets.hide(first, name);
    return this.#ofEachGroup(place) ?? this.#constantOrExample(name, values);
  }

  /** A mapping or properties, under any name. An empty one may be a list. */
  #wholeObject(place: ReadPlace): string | undefined {
    for (const field of ["mapping", "properties"]) {
      // All groups were created with the same.
      const [created] = this.#groups.created;
      const sent = created && sentField(created.sent, field);
      const isShown = isObject(sent) && this.#exchanges.every((one) => isDeepStrictEqual(place(one), sent));
      const isEmptyList = this.#groups.empty
        .map(place)
        .some((value) => Array.isArray(value) && value.length === 0);
      if (isShown) return isEmptyList ? `{${field}|[]}` : `{${field}}`;
    }
    return undefined;
  }

  /** Texts with placeholders for the id and the name of the group. */
  #withPlaceholders(values: readonly unknown[]): unknown[] {
    return values.map((value, n) => {
      const exchange = this.#exchanges[n];
      if (typeof value !== "string" || exchange === undefined || hasBraces(value)) return null;
      const { provided_id, name } = groupIn(exchange.received);
      const replacements = longestFirst([
        [String(provided_id ?? ""), "{user_group_id}"],
        [String(name ?? ""), "{name}"],
      ]);
      return fillPlaceholders(value, replacements);
    });
  }

  /** A number that rises with each new group, or a UUID of each. */
  #ofEachGroup(place: ReadPlace): string | undefined {
    const values = this.#groups.created.map(place);
    const isOther = values.every((value, n) => n === 0 || value !== values[n - 1]);
    if (values.length < 2 || !isOther) return undefined;
    const isRising = values.every((value, n) => {
      return isSmallInteger(value) && (n === 0 || Number(value) > Number(values[n - 1]));
    });
    if (isRising) return "{number}";
    return values.every((value) => typeof value === "string" && uuid.test(value)) ? "{uuid}" : undefined;
  }

  #constantOrExample(name: string, values: readonly unknown[]): unknown {
    const [first] = values;
    const isConstant = values.every((value) => isDeepStrictEqual(value, first));
    const isVaryingText = !isConstant && typeof first === "string" && Number.isNaN(Date.parse(first));
    const isPlaceholder = typeof first === "string" && hasBraces(first);
    return isVaryingText || isPlaceholder ? example : this.#secrets.hide(first, name);
  }
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Not a time. */
function isSmallInteger(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) < 1e9;
}
