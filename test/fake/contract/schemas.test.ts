import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { schemasOfMessages } from "../../../src/build/from-schemas.mjs";
import { operationIds, operations } from "../../../src/fake/contract/operations.js";
import { isObject } from "../../../src/foundation/json.js";

/** All objects in a value, with their places. Items of a list have the place of the list. */
function objectsIn(value: unknown, at = ""): { at: string; object: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, at));
  if (!isObject(value)) return [];
  const below = Object.entries(value).flatMap(([key, item]) => objectsIn(item, `${at}/${key}`));
  return [{ at, object: value as Record<string, unknown> }, ...below];
}

describe("the schemas", () => {
  const schemas = schemasOfMessages();
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-problem", "x-well-formed", "x-stored-text", "tsType"]);
  ajv.addSchema(Object.values(schemas));

  it("have patterns that other languages and a RegExp without flags can use", () => {
    const patterns = [...JSON.stringify(schemas).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(1);
    for (const [, text = ""] of patterns) expect(JSON.parse(text)).not.toMatch(/\\[upP]|\[\^\]|\(\?/);
  });

  const examples = Object.entries(schemas).flatMap(([name, schema]) =>
    "examples" in schema ? schema.examples.map((example: unknown) => ({ name, example })) : [],
  );

  it("allow unknown fields only in requests of the service and in what users store or send", () => {
    const open = examples.flatMap(({ name, example }) =>
      objectsIn(example).flatMap(({ at, object }) => {
        object.unheard = 1;
        const isOpen = ajv.validate(name, example);
        delete object.unheard;
        return isOpen ? `${name}${at}` : [];
      }),
    );
    const requests = operationIds.map((id) => operations[id].request);
    const stored = [
      "fixture.json/user_groups/properties",
      "get-or-create.request.json/properties",
      "group-detail.json/mapping",
      "group-detail.json/properties",
      "journal-entry.json/request/body",
      "journal-entry.json/response/body",
      "user-group.json",
    ];
    expect([...new Set(open)].sort()).toEqual([...requests, ...stored].sort());
  });

  /** Schemas of objects with named fields that allow others. The fields of a schema are no schema. */
  function openSchemas(schema: unknown, at: string, isFields = false): string[] {
    if (typeof schema !== "object" || schema === null) return [];
    const below = Object.entries(schema).flatMap(([key, one]) =>
      /^(?:examples|default|const)$/.test(key) && !isFields
        ? []
        : openSchemas(one, `${at}/${key}`, key === "properties" && !isFields),
    );
    const { properties, additionalProperties, unevaluatedProperties } = schema as Record<string, unknown>;
    const isClosed = additionalProperties === false || unevaluatedProperties === false;
    const isOpen = !isFields && isObject(properties) && !isClosed;
    return isOpen ? [at, ...below] : below;
  }

  it("name every field of a response, of a fixture and of the admin API", () => {
    const open = Object.entries(schemas).flatMap(([name, schema]) => openSchemas(schema, name));
    const requests = operationIds.map((id) => operations[id].request);
    // Others refer to them, and add fields.
    expect(open.sort()).toEqual([...requests, "fault-rule.json", "user-group.json"].sort());
  });

  it("have valid examples", () => {
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, example } of examples) {
      expect(ajv.validate(name, example), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
