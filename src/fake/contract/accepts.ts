import { isObject, type JsonObject, namesIn } from "../../foundation/json.js";
import type { Accepts, GetOrCreateRules, Operation } from "../../generated/types.js";
import type { AssumptionId } from "./assumptions.js";

/** What a profile says about the body of one operation. */
type BodyRules = NonNullable<Accepts[Operation]>;

/**
 * Lays the keywords of one schema over those of another. The schemas of fields, and of further fields, are laid over in
 * turn; any other keyword is replaced as a whole.
 */
export function layOver(schema: JsonObject, rules: JsonObject): JsonObject {
  const laid: Record<string, unknown> = { ...schema, ...rules };
  if (isObject(rules.properties)) {
    const fields: Record<string, unknown> = isObject(schema.properties) ? { ...schema.properties } : {};
    for (const [name, rule] of Object.entries(rules.properties))
      fields[name] = layOverField(fields[name], rule);
    laid.properties = fields;
  }
  if (isObject(rules.additionalProperties))
    laid.additionalProperties = layOverField(schema.additionalProperties, rules.additionalProperties);
  return laid;
}

function layOverField(schema: unknown, rule: unknown): unknown {
  return isObject(schema) && isObject(rule) ? layOver(schema, rule) : rule;
}

/** The assumptions about a body. `accepts` of a profile can settle them too, place by place. */
const bodyAssumptions = [
  "unknown-fields",
  "mapping-values",
  "numeric-ids",
  "empty-strings",
  "name-on-create",
] as const satisfies readonly AssumptionId[];

export type BodyAssumption = (typeof bodyAssumptions)[number];

export function isBodyAssumption(id: AssumptionId): id is BodyAssumption {
  return (bodyAssumptions as readonly AssumptionId[]).includes(id);
}

/** A place that `accepts` can name: an operation, or one of its fields. */
type RulePlace = `${Operation}` | `${Operation}/${string}`;

type IsSettled = (accepts: Accepts) => boolean;

type SettledBy = Readonly<Record<BodyAssumption, Readonly<Partial<Record<RulePlace, IsSettled>>>>> & {
  readonly "unknown-fields": Readonly<Record<Operation, IsSettled>>;
};

/** Where each assumption about a body can be settled, and whether a profile does it there. */
const settledBy: SettledBy = {
  "unknown-fields": {
    "get-or-create": (accepts) => accepts["get-or-create"]?.additionalProperties !== undefined,
    rotate: (accepts) => accepts.rotate?.additionalProperties !== undefined,
  },
  "mapping-values": {
    "get-or-create/mapping": (accepts) => hasValueType(fieldsOf(accepts).mapping?.additionalProperties),
  },
  "numeric-ids": {
    "get-or-create/user_group_id": (accepts) => fieldsOf(accepts).user_group_id?.type !== undefined,
  },
  "empty-strings": {
    "get-or-create/user_group_id": (accepts) => fieldsOf(accepts).user_group_id?.minLength !== undefined,
    "get-or-create/name": (accepts) => fieldsOf(accepts).name?.minLength !== undefined,
  },
  "name-on-create": {
    "get-or-create/name": (accepts) => accepts["get-or-create"]?.required?.includes("name") === true,
  },
};

function fieldsOf(accepts: Accepts): NonNullable<GetOrCreateRules["properties"]> {
  return accepts["get-or-create"]?.properties ?? {};
}

function hasValueType(rule: unknown): boolean {
  return typeof rule === "boolean" || (isObject(rule) && rule.type !== undefined);
}

/** The places where a profile settles an assumption, and how many there are. */
export function settledPlaces(
  id: BodyAssumption,
  accepts: Accepts,
): { places: string[]; isComplete: boolean } {
  const all = Object.entries(settledBy[id]);
  const places = all.filter(([, isSettled]) => isSettled?.(accepts)).map(([place]) => place);
  return { places, isComplete: places.length === all.length };
}

/** Whether a profile settles an assumption for this field of a body. @param path of the value, as a JSON pointer */
export function isSettledAt(
  id: BodyAssumption,
  accepts: Accepts,
  operation: Operation,
  path: string,
): boolean {
  const [field, key] = namesIn(path);
  // A key with a schema of its own does not obey the schema of the other values.
  if (
    id === "mapping-values" &&
    key !== undefined &&
    Object.hasOwn(fieldsOf(accepts).mapping?.properties ?? {}, key)
  )
    return true;
  const place: RulePlace = id === "unknown-fields" ? operation : `${operation}/${field}`;
  return settledBy[id][place]?.(accepts) === true;
}

/** How many fields of bodies a profile has rules for. */
export function countRules(accepts: Accepts): number {
  return Object.values(accepts).reduce((sum, rules: BodyRules) => {
    const fields = new Set([...Object.keys(rules.properties ?? {}), ...(rules.required ?? [])]);
    return sum + fields.size;
  }, 0);
}
