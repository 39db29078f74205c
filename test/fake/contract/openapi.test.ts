import { beforeEach, describe, expect, it } from "vitest";
import { openApiDocument } from "../../../src/fake/contract/openapi.js";
import { compileOverlay } from "../../../src/fake/contract/overlay.js";
import { loadSchemas } from "../../../src/fake/contract/schemas.js";
import { fieldOf } from "../../../src/foundation/json.js";
import { shippedSchemas } from "../../../src/generated/shipped-schemas.js";

const parts = { version: "1.2.3", isProtected: false, known: new Map() };

// biome-ignore lint/suspicious/noExplicitAny: tests read it at every depth.
const makeDocument = async (): Promise<any> => openApiDocument({ ...parts, schemas: await loadSchemas() });

type Operation = Record<string, unknown> & {
  readonly operationId: string;
  readonly parameters?: { in: string; name: string; required: boolean; schema: object }[];
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
};
let operations: [path: string, operation: Operation][];
const named = (id: string) =>
  operations.find(([, { operationId }]) => operationId === id)?.[1] ?? expect.fail(id);

let document: Awaited<ReturnType<typeof makeDocument>>;
beforeEach(async () => {
  document = await makeDocument();
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [path, operation]),
  );
});

describe("the OpenAPI document", () => {
  it("requires the API token only for the service", () => {
    expect(document.components.securitySchemes.apiToken).toEqual({
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: expect.stringContaining("Token <api token>"),
    });
    for (const [path, { security }] of operations)
      expect([path, security]).toEqual([path, path.startsWith("/__admin") ? [] : [{ apiToken: [] }]]);
  });

  it("lists path parameters, ids as integers and names as strings", () => {
    for (const [path, { parameters = [] }] of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        in: "path",
        name,
        required: true,
        schema: { type: name === "id" ? "integer" : "string" },
      }));
      expect([path, inPath]).toEqual([path, wanted]);
    }
  });

  it("lists the filters of the journal as optional query parameters", () => {
    const { operation, ...others } = shippedSchemas["requests.query.json"].properties;
    const properties = { operation: { $ref: "#/components/schemas/Operation" }, ...others };
    expect(named("listRequests").parameters).toEqual(
      Object.entries(properties).map(([name, schema]) => ({ in: "query", name, required: false, schema })),
    );
    expect(
      operations.filter(([, { parameters }]) => parameters?.some((one) => one.in === "query")),
    ).toHaveLength(3);
  });

  it("requires a body where a call needs one", () => {
    const bodies = operations.flatMap(([, { operationId, requestBody }]) =>
      requestBody ? [[operationId, fieldOf(requestBody, "required")] as const] : [],
    );
    expect(bodies.length).toBeGreaterThan(4);
    const optional = bodies.filter(([, required]) => !required).map(([id]) => id);
    expect(optional.sort()).toEqual(["reset", "waitForRequests"]);
    expect(named("armFault").requestBody).toMatchObject({
      content: { "application/json": { schema: { $ref: "#/components/schemas/FaultRequest" } } },
    });
  });

  it("has the schemas as components, without references to files", () => {
    const text = JSON.stringify(document.components.schemas);
    expect(text).not.toMatch(/"\$id":/);
    expect(text).not.toMatch(/"\$schema":"/);
    // A property named $schema stays: editors read it in a fixture.
    expect(document.components.schemas.Fixture.properties.$schema).toMatchObject({ type: "string" });
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).toHaveProperty(name ?? "");
  });

  it("keeps a field named $ref of a user's own schema", async () => {
    const own = { properties: { properties: { properties: { $ref: { type: "string" } } } } };
    const schemas = await loadSchemas(compileOverlay({ "get-or-create.request.json": own }));
    expect(openApiDocument({ ...parts, schemas })).toMatchObject({
      components: { schemas: { GetOrCreateRequest: { allOf: [{}, own] } } },
    });
  });
});
