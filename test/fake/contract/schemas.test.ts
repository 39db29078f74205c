import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";

describe("the schemas", () => {
  const ajv = new Ajv2020({ strict: true });
  ajv.addVocabulary(["x-problem", "x-well-formed", "tsType"]);
  ajv.addKeyword({
    keyword: "x-stored-text",
    validate: (_: unknown, text: unknown) => !`${text}`.includes("\0"),
  });
  ajv.addSchema(Object.values(shippedSchemas));

  it("have patterns that other languages and a RegExp without flags can use", () => {
    const patterns = [...JSON.stringify(shippedSchemas).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(1);
    for (const [, text = ""] of patterns) expect(JSON.parse(text)).not.toMatch(/\\[upP]|\[\^\]|\(\?/);
  });

  it("reject what the mock rejects in a fixture by default", () => {
    const group = { team_id: 3, provided_id: "a", name: "A" };
    expect(ajv.validate("fixture.json", { user_groups: [group] })).toBe(true);
    for (const wrong of [{ mapping: { "40": 213 } }, { provided_id: "a\0" }, { mapping: "213" }])
      expect(ajv.validate("fixture.json", { user_groups: [{ ...group, ...wrong }] })).toBe(false);
  });

  it("have valid examples", () => {
    const examples = Object.entries(shippedSchemas).flatMap(([name, schema]) =>
      "examples" in schema ? schema.examples.map((example: unknown) => ({ name, example })) : [],
    );
    expect(examples.length).toBeGreaterThan(15);
    for (const { name, example } of examples) {
      expect(ajv.validate(name, example), `${name}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
