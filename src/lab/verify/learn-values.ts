import { isDeepStrictEqual } from "node:util";
import { operationOf, operations } from "../../fake/contract/operations.js";
import { namesSecret } from "../../fake/world/journal/mask.js";
import type { JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import { isTime } from "./dates.js";
import { jsonLeaves, type Leaf, mapLeaves, renameFields } from "./json-leaves.js";
import { groupValues, withPlaceholders } from "./placeholders.js";
import type { Named } from "./play.js";
import type { Recorded } from "./recorded.js";
import { example } from "./secrets.js";

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

/** Learns the fields that successes have beside those of the document. */
export class AddedFields {
  readonly #added = new Map<Recorded, unknown>();
  readonly #seen: SeenValue[] = [];
  readonly #clean: Clean;

  constructor(successes: readonly Named[], clean: Clean) {
    this.#clean = clean;
    const valuesOf = groupValues(successes);
    for (const entry of successes) {
      const added = valuesOf(entry).reduce<unknown>(
        (value, sent) => withPlaceholders(value, sent),
        addedTo(entry),
      );
      this.#added.set(entry, added);
      // Two teams may use the same id.
      const group = `${entry.response.group.team_id} ${entry.response.group.provided_id}`;
      for (const leaf of jsonLeaves(added)) this.#seen.push({ ...leaf, name: entry.name, group });
    }
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
    const isExample = (leaf: SeenValue) => {
      if (isSecretPath(leaf.path)) return true;
      return !this.#isConstant(leaf.name, leaf.path);
    };
    return [...new Set(this.#seen.filter(isExample).map(({ path }) => path))];
  }

  #written(name: string, { path, value }: Leaf): unknown {
    if (isSecretPath(path)) return asExample(value);
    if (this.#isConstant(name, path)) return typeof value === "string" ? this.#clean(value) : value;
    const values = this.#seen.filter((one) => one.path === path);
    if (isOfEachGroup(values) && isRising(values)) return "{number}";
    if (isOfEachGroup(values) && values.every((one) => uuid.test(String(one.value)))) return "{uuid}";
    // A number or a date says nothing about a person. A text may be a secret.
    return typeof value === "string" && !isTime(value) ? example : value;
  }

  /** Whether at least two groups have the same value, and no group another one. */
  #isConstant(name: string, path: string): boolean {
    const all = this.#seen.filter((one) => one.path === path);
    const own = all.filter((one) => one.name === name);
    // A short name of a group is not recognised, so those with a placeholder decide.
    const placed = own.filter(({ value }) => hasPlaceholder(value));
    const candidates = countGroups(placed) > 1 ? placed : own;
    const values = countGroups(candidates) > 1 ? candidates : all;
    return countGroups(values) > 1 && values.every(({ value }) => isDeepStrictEqual(value, values[0]?.value));
  }
}

function hasPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /\{\w+\}/.test(value);
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
