import { isDeepStrictEqual } from "node:util";
import { operationOf, operations } from "../../../fake/contract/operations.js";
import { namesSecret } from "../../../fake/world/journal/mask.js";
import type { JsonObject } from "../../../foundation/json.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { Named } from "../replay/play.js";
import type { Recorded } from "../service/recorded.js";
import { isTime } from "../text/dates.js";
import { jsonLeaves, type Leaf, mapLeaves, renameFields } from "../text/json-leaves.js";
import { example } from "../text/secrets.js";
import { groupValues, textWithoutBraces, withoutBraces, withPlaceholders } from "./placeholders.js";

/** Makes a text without what identifies the run or may be a secret. */
export type Clean = (text: string) => string;

/** A value that the document does not show, in one response. */
interface SeenValue extends Leaf {
  readonly name: string;
  /** The team and the id of the group. */
  readonly group: string;
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** How many new groups show that a number rises. */
const risingGroups = 3;

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
    const valuesOf = groupValues(successes);
    for (const entry of successes) {
      let added = withoutBraces(addedTo(entry));
      // First what this request sent, then what created the group.
      for (const sent of valuesOf(entry)) added = withPlaceholders(added, sent);
      this.#added.set(entry, added);
      // Two teams may use the same id.
      const group = `${entry.response.group.team_id} ${entry.response.group.provided_id}`;
      for (const leaf of jsonLeaves(added)) this.#note({ ...leaf, name: entry.name, group });
    }
  }

  #note(seen: SeenValue): void {
    const values = this.#seen.get(seen.path) ?? [];
    this.#seen.set(seen.path, values);
    values.push(seen);
  }

  /** The fields as a profile has them. Undefined if there are none. */
  bodyOf(entry: Named): JsonObject | undefined {
    const added = this.#added.get(entry);
    const body = mapLeaves(added, (leaf) => this.#written(entry.name, leaf));
    const renamed = renameFields(body, this.#clean) as JsonObject;
    return Object.keys(renamed).length === 0 ? undefined : renamed;
  }

  /** The paths of values that are not compared: they are examples, or each group has its own. */
  examplePaths(): string[] {
    return [...this.#seen.keys()].filter((path) => {
      if (isSecretPath(path)) return true;
      const names = new Set(this.#seen.get(path)?.map(({ name }) => name));
      return [...names].some((name) => this.#treatment(name, path) !== "as it is");
    });
  }

  /** The paths of values that differ, and of which a profile has one example. A time says that it is one. */
  fixedExamples(): string[] {
    return [...this.#seen].flatMap(([path, values]) => {
      const isFixed = values.some(({ name, value }) => {
        return this.#treatment(name, path) === "example" && !isTime(value);
      });
      return isFixed ? path : [];
    });
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
  return values.every(({ value }) => uuid.test(String(value))) ? "uuid" : "example";
}

/** Whether at least two groups have the same value, and no group another one. */
function isConstant(name: string, all: readonly SeenValue[]): boolean {
  const own = all.filter((one) => one.name === name);
  // A short name of a group is not recognised, so those with a placeholder decide.
  const placed = own.filter(({ value }) => hasPlaceholder(value));
  const candidates = countGroups(placed) > 1 ? placed : own;
  const values = countGroups(candidates) > 1 ? candidates : all;
  return countGroups(values) > 1 && values.every(({ value }) => isDeepStrictEqual(value, values[0]?.value));
}

function hasPlaceholder(value: unknown): boolean {
  return typeof value === "string" && textWithoutBraces(value) !== value;
}

function countGroups(values: readonly SeenValue[]): number {
  return new Set(values.map(({ group }) => group)).size;
}

/** Whether each group has a value of its own, which stays. */
function isOfEachGroup(values: readonly SeenValue[]): boolean {
  const byGroup = new Map(values.map(({ group, value }) => [group, value]));
  const isStable = values.every(({ group, value }) => byGroup.get(group) === value);
  return isStable && byGroup.size > 1 && new Set(byGroup.values()).size === byGroup.size;
}

/** Whether an integer rises with each new group, and is not a time. */
function isRising(values: readonly SeenValue[]): boolean {
  const created = values.filter(({ name }) => name === "created").map(({ value }) => value);
  if (created.length < risingGroups) return false;
  return created.every((value, n) => {
    const before = created[n - 1] ?? Number.NEGATIVE_INFINITY;
    return Number.isInteger(value) && !isTime(value) && Number(value) > Number(before);
  });
}

/** The fields of a success that the document does not show. */
function addedTo({ request, response }: Recorded): JsonObject {
  const operation = operationOf(request.method) ?? "get-or-create";
  const user_group = without(response.group, response.shown);
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

/** A value of the same type that says nothing. */
export function asExample(value: unknown): unknown {
  if (typeof value === "string") return example;
  return typeof value === "number" ? 0 : value;
}
