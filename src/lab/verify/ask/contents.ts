import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { GroupClient } from "../service/group-client.js";
import { need } from "../service/not-determinable.js";
import type { RequestOptions } from "../service/service-client.js";

/** Types of JSON Schema beside string, each with a value of it that a field may contain. */
const otherValues = {
  mapping: { number: 213, boolean: true, null: null, object: { verify: "213" }, array: ["213"] },
  properties: {
    number: 1.5,
    boolean: true,
    null: null,
    object: { verify: { on: 1 } },
    array: ["one", "two"],
  },
} as const;

export type ObjectField = keyof typeof otherValues;
export type ValueType = keyof (typeof otherValues)[ObjectField] | "string";

export const objectFields = Object.keys(otherValues) as readonly ObjectField[];

/** Every type that a value in the field can have. */
export function valueTypes(field: ObjectField): ValueType[] {
  return ["string", ...(Object.keys(otherValues[field]) as ValueType[])];
}

/**
 * The types that the values in mapping or properties may have. One request has all of them; only if it is rejected, each
 * type is asked by itself.
 */
export async function askContents(client: GroupClient, field: ObjectField): Promise<ValueType[]> {
  const { usual, key } = usualContents(client, field);
  const types = Object.entries(otherValues[field]) as [ValueType, unknown][];
  const isAccepted = async (values: JsonObject, options?: RequestOptions) => {
    return (await client.create({ [field]: { ...usual, ...values } }, options)).isSuccess;
  };
  // Each needs a key of its own, such as 400 and 401. A service may not know these schema ids, so a rejection of all
  // shows nothing yet.
  const all = Object.fromEntries(types.map(([, value], n) => [`${key}${n}`, value]));
  if (await isAccepted(all, { hasSeveralMistakes: true })) return valueTypes(field);
  const accepted: ValueType[] = ["string"];
  for (const [type, value] of types) if (await isAccepted({ [key]: value })) accepted.push(type);
  return accepted;
}

/** A mapping or properties that the service accepts, and a key of it. */
export function usualContents({ base }: GroupClient, field: ObjectField) {
  const usual = base[field];
  need(isObject(usual), needsSample);
  const [key] = Object.keys(usual);
  need(key !== undefined, needsSample);
  return { usual, key, value: usual[key] };
}

export const needsSample = "this needs a mapping and properties that the service accepts: pass --sample";
