import { isObject, type JsonObject } from "../../../foundation/json.js";
import { need } from "../service/not-determinable.js";
import { severalMistakes } from "../service/recorded.js";
import type { RequestOptions, ServiceClient } from "../service/service-client.js";

/** A type of JSON Schema, with a value of it. */
const samples = {
  mapping: { number: 213, boolean: true, null: null, object: { verify: "213" }, array: ["213"] },
  properties: {
    number: 1.5,
    boolean: true,
    null: null,
    object: { verify: { on: 1 } },
    array: ["one", "two"],
  },
} as const;

export type ObjectField = keyof typeof samples;
export type ValueType = keyof (typeof samples)[ObjectField] | "string";

export const objectFields = Object.keys(samples) as readonly ObjectField[];

/** Every type that a value in the field can have. */
export function valueTypes(field: ObjectField): ValueType[] {
  return ["string", ...(Object.keys(samples[field]) as ValueType[])];
}

/**
 * The types that the values in mapping or properties may have. One request has all of them; only if it is rejected, each
 * type is asked by itself.
 */
export async function askContents(client: ServiceClient, field: ObjectField): Promise<ValueType[]> {
  const { usual, key } = usualContents(client, field);
  const types = Object.entries(samples[field]) as [ValueType, unknown][];
  const isAccepted = async (values: JsonObject, options?: RequestOptions) => {
    return (await client.create({ [field]: { ...usual, ...values } }, options)).isSuccess;
  };
  const all = types.map(([, value], n) => [`${key}${n}`, value]);
  // Another schema id may not exist, so a rejection of all shows nothing yet.
  if (await isAccepted(Object.fromEntries(all), { inexpressible: severalMistakes })) return valueTypes(field);
  const accepted: ValueType[] = ["string"];
  for (const [type, value] of types) if (await isAccepted({ [key]: value })) accepted.push(type);
  return accepted;
}

/** A mapping or properties that the service accepts, and a key of it. */
export function usualContents({ base }: ServiceClient, field: ObjectField) {
  const usual = base[field];
  need(isObject(usual), needsSample);
  const [key] = Object.keys(usual);
  need(key !== undefined, needsSample);
  return { usual, key, value: usual[key] };
}

export const needsSample = "this needs a mapping and properties that the service accepts: pass --sample";
