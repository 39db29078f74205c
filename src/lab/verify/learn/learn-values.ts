import { isDeepStrictEqual } from "node:util";
import { operationOf, operations } from "../../../fake/contract/operations.js";
import { namesSecret } from "../../../fake/world/journal/mask.js";
import type { JsonObject } from "../../../foundation/json.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { KnownFailure } from "../../../generated/types.js";
import type { Named } from "../replay/name-responses.js";
import type { Recorded } from "../service/recorded.js";
import { isTime } from "../text/dates.js";
import { jsonLeaves, type Leaf, mapLeaves, renameFields } from "../text/json-leaves.js";
import { example } from "../text/secrets.js";
import { asExample, type Clean } from "./clean.js";
import { hasPlaceholder, valuesByGroup, withoutBraces, withPlaceholders } from "./placeholders.js";

/** A value that the document does not show, in one response. */
interface SeenValue extends Leaf {
  /** Of the response. */
  readonly name: string;
  /** The team and the id of the group. */
  readonly group: string;
}

/** How the value at a path is written. */
type Treatment = "as it is" | "number" | "uuid" | "example";

/** Learns the fields that successes have beside those of the document. */
export class AddedFields {
  readonly #added = new Map<Recorded, unknown>();
  /** By path. A list may have many values at one path. */
  readonly #seen = new Map<string, SeenValue[]>();
  /** By the name of the response and the path. */
  readonly #treatments = new Map<string, Treatment>();
  readonly #clean: Clean;

  constructor(successes: readonly Named[], clean: Clean) {
    this.#clean = clean;
    const valuesOf = valuesByGroup(successes);
    for (const entry of successes) {
      let added = withoutBraces(addedTo(entry));
      for (const values of valuesOf(entry)) added = withPlaceholders(added, values);
      this.#added.set(entry, added);
      this.#note(entry, added);
    }
  }

  #note({ name, response }: Named, added: unknown): void {
    // Two teams may use the same id.
    const group = `${response.group.team_id} ${response.group.provided_id}`;
    for (const leaf of jsonLeaves(added)) {
      const values = this.#seen.get(leaf.path) ?? [];
      this.#seen.set(leaf.path, values);
      values.push({ ...leaf, name, group });
    }
  }

  /** The fields as a profile has them. */
  contentOf(entry: Named): KnownFailure {
    const written = mapLeaves(this.#added.get(entry), (leaf) => this.#written(entry.name, leaf));
    const body = renameFields(written, this.#clean) as JsonObject;
    return Object.keys(body).length === 0 ? {} : { body };
  }

  /** The paths of values that are not compared: they are examples, or each group has its own. */
  examplePaths(): string[] {
    const isExample = ({ name, path }: SeenValue) => this.#treatment(name, path) !== "as it is";
    return [...this.#seen].flatMap(([path, values]) =>
      isSecretPath(path) || values.some(isExample) ? path : [],
    );
  }

  /** The paths of values that differ, and of which a profile has one example. A time says that it is one. */
  fixedExamples(): string[] {
    const isFixed = ({ name, path, value }: SeenValue) =>
      this.#treatment(name, path) === "example" && !isTime(value);
    return [...this.#seen].flatMap(([path, values]) => (values.some(isFixed) ? path : []));
  }

  #written(name: string, { path, value }: Leaf): unknown {
    if (isSecretPath(path)) return asExample(value);
    switch (this.#treatment(name, path)) {
      case "as it is":
        return typeof value === "string" ? this.#clean(value) : value;
      case "number":
        return "{number}";
      case "uuid":
        return "{uuid}";
      case "example":
        // A number or a date says nothing about a person. A text may be a secret.
        return typeof value === "string" && !isTime(value) ? example : value;
    }
  }

  /** Found once for all values at a path: a group may have thousands. */
  #treatment(name: string, path: string): Treatment {
    const key = `${name} ${path}`;
    let treatment = this.#treatments.get(key);
    if (treatment === undefined) {
      treatment = findTreatment(name, this.#seen.get(path) ?? []);
      this.#treatments.set(key, treatment);
    }
    return treatment;
  }
}

/** @param values those at one path, of all responses */
function findTreatment(name: string, values: readonly SeenValue[]): Treatment {
  if (isConstant(name, values)) return "as it is";
  if (!isOfEachGroup(values)) return "example";
  if (isRising(values)) return "number";
  return values.every(isUuid) ? "uuid" : "example";
}

/**
 * Whether at least two groups have the same value, and no group another one. The values have placeholders already, so that
 * the URLs of two groups are both `/groups/{name}`. Compared are those with placeholders, or all of this response, or all
 * at the path: the first of these that come from two groups.
 */
function isConstant(name: string, all: readonly SeenValue[]): boolean {
  const own = all.filter((one) => one.name === name);
  // A name as short as "Al" does not become a placeholder, and the URL of its group stays `/groups/Al`. So if two groups
  // have values with placeholders, only these are compared.
  const placed = own.filter(({ value }) => typeof value === "string" && hasPlaceholder(value));
  if (countGroups(placed) > 1) return areEqual(placed);
  if (countGroups(own) > 1) return areEqual(own);
  // Only one group got this response: those of other names show whether others have the value.
  return countGroups(all) > 1 && areEqual(all);
}

function areEqual(values: readonly SeenValue[]): boolean {
  return values.every(({ value }) => isDeepStrictEqual(value, values[0]?.value));
}

function countGroups(values: readonly SeenValue[]): number {
  return new Set(values.map(({ group }) => group)).size;
}

/** Whether each group has a value of its own, which stays. */
function isOfEachGroup(values: readonly SeenValue[]): boolean {
  const byGroup = new Map(values.map(({ group, value }) => [group, value]));
  const isStable = values.every(({ group, value }) => byGroup.get(group) === value);
  const areDifferent = new Set(byGroup.values()).size === byGroup.size;
  return byGroup.size > 1 && isStable && areDifferent;
}

/** How many new groups show that a number rises. */
const risingGroups = 3;

/** Whether an integer rises with each new group, and is not a time. */
function isRising(values: readonly SeenValue[]): boolean {
  const created = values.filter(({ name }) => name === "created").map(({ value }) => value);
  if (created.length < risingGroups) return false;
  return created.every((value, n) => {
    const before = created[n - 1] ?? Number.NEGATIVE_INFINITY;
    return Number.isInteger(value) && !isTime(value) && Number(value) > Number(before);
  });
}

function isUuid({ value }: SeenValue): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(String(value));
}

/** The fields of a success that the document does not show. */
function addedTo({ request, response }: Recorded): JsonObject {
  const operation = operationOf(request.method) ?? "get-or-create";
  const user_group = without(response.group, response.documented);
  const added = without(response.fields, shippedSchemas[operations[operation].response].properties);
  return Object.keys(user_group).length > 0 ? { ...added, user_group } : added;
}

function without(object: JsonObject, names: object): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

/** Whether a field, or one around it, has the name of a secret. */
function isSecretPath(path: string): boolean {
  return path.split("/").some(namesSecret);
}
