import { expect, it } from "vitest";
import { fromSchemas } from "../../src/build/from-schemas.mjs";

it("a schema with a format is rejected with its file, the place, and what to use instead", async () => {
  const properties = { created_at: { type: "string", format: "date-time" } };
  const schema = { $id: "a.json", title: "A", type: "object", properties };
  await expect(fromSchemas({ "a.json": schema })).rejects.toThrow(
    'schemas/a.json, or a schema that it refers to: unknown format "date-time" ignored in schema at path "#/properties/created_at". The validators do not have formats. Use pattern.',
  );
});
