import fc from "fast-check";
import { isObject } from "../../src/foundation/json.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";

/** JSON as text, which can contain 1e400, `__proto__` or duplicate keys. */
export type JsonText = fc.Arbitrary<string>;

export const textOf = (...values: readonly unknown[]): JsonText =>
  fc.constantFrom(...values.map((value) => JSON.stringify(value)));

/** Values that are usually invalid. */
const odd: JsonText = fc.constantFrom(
  ...["null", "true", "0", "-1", "1.5", "1e400", "-0", "9007199254740993", "NaN", "[]", "{}", "[[]]"],
  ...['""', '"\\u0000"', '"\\ud800"', '"😀"', '"<script>alert(1)</script>"', `"${"x".repeat(2_000)}"`],
  ...['{"__proto__":{"polluted":true}}', '{"toString":1,"constructor":{}}', '{"a":1,"a":2}'],
  `${"[".repeat(99)}${"]".repeat(99)}`,
  `${'{"x":'.repeat(120)}1${"}".repeat(120)}`,
);

/** Usually valid: most requests should pass the validation. */
const mostly = (right: JsonText): JsonText =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });

const keys = fc.constantFrom("a", "40", "region", "__proto__", "constructor", "x y", "");

const anyJson: JsonText = fc.oneof(
  { weight: 4, arbitrary: textOf("a", 1, true, null, { region: "EU" }, [1, "b"]) },
  { weight: 1, arbitrary: odd },
);

type Schema = Readonly<Record<string, unknown>>;

/** A subschema by its name. */
const within = (schema: Schema, name: string): Schema | undefined => {
  const found = schema[name];
  return isObject(found) ? found : undefined;
};

/** JSON that usually matches a schema. @param known values for some fields, instead of those from the schema */
export function jsonFor(schema: Schema, known: Readonly<Record<string, JsonText>>): JsonText {
  const { $ref, anyOf, type } = schema;
  if (typeof $ref === "string") return jsonFor(resolve($ref), known);
  if ("const" in schema) return mostly(textOf(schema.const));
  if (Array.isArray(schema.enum)) return mostly(textOf(...schema.enum));
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => jsonFor(one, known)));
  switch (type) {
    case "object":
      return mostly(objectFor(schema, known));
    case "array":
      return mostly(arrayOf(jsonFor(within(schema, "items") ?? {}, known)));
    case "string":
      return mostly(textOf("a", "A name", "x", "ünï 😀"));
    case "integer": {
      const { minimum = 0, maximum = 1_000 } = schema;
      const from = Number(minimum);
      return mostly(fc.integer({ min: from, max: Math.min(from + 5, Number(maximum)) }).map(String));
    }
    case "number":
      return mostly(textOf(0.5, 1));
    default:
      return anyJson;
  }
}

function resolve(ref: string): Schema {
  const [file = "", pointer = ""] = ref.split("#");
  const start = shippedSchemas[file as keyof typeof shippedSchemas] as Schema;
  return pointer
    .split("/")
    .filter((name) => name !== "")
    .reduce((schema, name) => within(schema, name) ?? {}, start);
}

function objectFor(schema: Schema, known: Readonly<Record<string, JsonText>>): JsonText {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(within(schema, "properties") ?? {}).map(([name, property]) => {
    const value = known[name] === undefined ? jsonFor(property as Schema, known) : mostly(known[name]);
    const field = value.map((text) => `${JSON.stringify(name)}:${text}`);
    return fc.option(field, { nil: undefined, freq: required.has(name) ? 40 : 3 });
  });
  const { additionalProperties: others = true } = schema;
  const more = fc
    .tuple(keys, isObject(others) ? jsonFor(others, known) : anyJson)
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  const extra = fc.oneof(
    { weight: others === false || fields.length > 0 ? 20 : 1, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(more, { maxLength: 3 }) },
  );
  return fc
    .tuple(fc.tuple(...fields), extra)
    .map(([own, others]) => `{${[...own.filter((field) => field !== undefined), ...others].join(",")}}`);
}

export function arrayOf(items: JsonText): JsonText {
  return fc.array(items, { maxLength: 3 }).map((texts) => `[${texts.join(",")}]`);
}

/** Text that is cut off, or has something inserted. */
export function bent(json: JsonText): JsonText {
  const cut = fc.tuple(json, fc.nat(60)).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  const pieces = fc.constantFrom(",", "}", '"', "\0", "\ufeff", "//", "\n", "é", "1e999");
  const filled = fc.tuple(json, fc.nat(60), pieces).map(([text, position, piece]) => {
    const at = position % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at);
  });
  return fc.oneof({ weight: 12, arbitrary: json }, { weight: 1, arbitrary: fc.oneof(cut, filled) });
}
