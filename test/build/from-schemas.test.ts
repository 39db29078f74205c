import { expect, it } from "vitest";
import { fromSchemas, readSchemas } from "../../src/build/from-schemas.mjs";

it("a schema with a format is rejected with its file, the place, and what to use instead", async () => {
  const properties = { created_at: { type: "string", format: "date-time" } };
  const schema = { $id: "a.json", title: "A", type: "object", properties };
  await expect(fromSchemas({ "a.json": schema })).rejects.toThrow(
    'schemas/a.json, or a schema that it refers to: unknown format "date-time" ignored in schema at path "#/properties/created_at". The validators do not have formats. Use pattern.',
  );
});

it("the code can read every schema of the service, whatever its name, with what it refers to in place", async () => {
  const reason = { $id: "reason.json", title: "Reason", type: "string", minLength: 1 };
  const properties = { reason: { $ref: "reason.json", description: "Why." } };
  const $id = "archive.request.json";
  const request = { $id, title: "ArchiveRequest", type: "object", additionalProperties: false, properties };
  const made = await fromSchemas({ ...readSchemas(), "reason.json": reason, [$id]: request });
  const [, shipped = ""] = /shippedSchemas = (\{.*\});/s.exec(made["shipped-schemas.ts"]) ?? [];
  expect(JSON.parse(shipped)[$id].properties).toEqual({ reason: { type: "string", minLength: 1 } });
});
