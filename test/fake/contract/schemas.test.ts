import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { schemasOfMessages } from "../../../src/build/from-schemas.mjs";

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

  it("have valid examples", () => {
    const examples = Object.entries(schemas).flatMap(([name, schema]) =>
      "examples" in schema ? schema.examples.map((example: unknown) => ({ name, example })) : [],
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, example } of examples) {
      expect(ajv.validate(name, example), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
