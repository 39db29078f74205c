import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/contract/openapi.js";
import { operationIds } from "../../src/contract/operations.js";
import { loadSchemas } from "../../src/contract/schemas.js";
import { fieldOf } from "../../src/foundation/json.js";
import { shippedSchemas } from "../../src/generated/shipped-schemas.js";

// biome-ignore lint/suspicious/noExplicitAny: it is looked into at every depth.
const documentAt = async (basePath: string): Promise<any> =>
  openApiDocument({ version: "1.2.3", basePath, schemas: await loadSchemas() });

type Operation = Record<string, unknown> & {
  readonly operationId: string;
  readonly tags: string[];
  readonly parameters?: { in: string; name: string; required: boolean; schema: object }[];
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
};
let operations: [path: string, operation: Operation][];
const named = (id: string) =>
  operations.find(([, { operationId }]) => operationId === id)?.[1] ?? expect.fail(id);

let document: Awaited<ReturnType<typeof documentAt>>;
beforeEach(async () => {
  document = await documentAt("");
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [path, operation]),
  );
});

describe("the OpenAPI document", () => {
  it("tells what it is, and under which licence", () => {
    expect(document.info).toEqual({
      title: "usergroup-mock",
      version: "1.2.3",
      summary: expect.stringContaining("User Group Service"),
      license: { name: "MIT", identifier: "MIT" },
    });
  });

  it.each([
    ["", "/"],
    ["/worlds/w3", "/worlds/w3"],
  ])("is that of one world: %j", async (basePath, url) => {
    expect((await documentAt(basePath)).servers).toEqual([{ url }]);
  });

  it("tells where the API token goes, and that only the service asks for it", () => {
    expect(document.components.securitySchemes.apiToken).toEqual({
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: expect.stringContaining("Token <api token>"),
    });
    for (const [path, { security }] of operations)
      expect([path, security]).toEqual([path, path.startsWith("/__admin") ? [] : [{ apiToken: [] }]]);
  });

  it("sorts every operation under a tag that it explains", () => {
    expect(document.tags.map(({ name }: { name: string }) => name)).toEqual(["service", "admin"]);
    for (const [path, { tags }] of operations)
      expect([path, tags]).toEqual([path, [path.startsWith("/__admin") ? "admin" : "service"]]);
  });

  it("names every operation once, and says what each answer is", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, { operationId, summary, responses }] of operations) {
      expect([operationId, summary]).toEqual([operationId, expect.stringMatching(/\w{3}/)]);
      for (const { description } of Object.values(responses)) expect(description).toMatch(/\w\.$/);
    }
  });

  it("names the operations of the service as code does", () => {
    const ids = operations
      .filter(([, { tags }]) => tags.includes("service"))
      .map(([, one]) => one.operationId);
    expect(ids).toEqual(operationIds.map((id) => id.replace(/-(.)/g, (_, letter) => letter.toUpperCase())));
  });

  it("has the parts of a path as parameters: numbers that count, and names", () => {
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
    expect(named("getRequest").parameters).toHaveLength(1);
    expect(named("dropWorld").parameters?.[0]?.name).toBe("name");
  });

  it("has the filter of the journal as a query, none of it required", () => {
    const { operation, ...others } = shippedSchemas["requests.query.json"].properties;
    const properties = { operation: { $ref: "#/components/schemas/Operation" }, ...others };
    expect(named("listRequests").parameters).toEqual(
      Object.entries(properties).map(([name, schema]) => ({ in: "query", name, required: false, schema })),
    );
    expect(
      operations.filter(([, { parameters }]) => parameters?.some((one) => one.in === "query")),
    ).toHaveLength(5);
  });

  it("says nothing of parameters where there are none", () => {
    expect(named("reset")).not.toHaveProperty("parameters");
  });

  it("asks for a body wherever a call needs one", () => {
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

  it("tells the type of every answer", () => {
    expect(named("streamEvents").responses["200"]?.content).toEqual({
      "text/event-stream": { schema: { type: "string" } },
    });
    expect(named("reset").responses["200"]?.content).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/Done" } },
    });
    expect(named("health").responses["200"]?.content).toEqual({
      "application/json": { schema: { $ref: "#/components/schemas/Health" } },
    });
  });

  it("holds the schemas as components, which know nothing of files", () => {
    const text = JSON.stringify(document.components.schemas);
    expect(text).not.toMatch(/"\$id":/);
    expect(text).not.toMatch(/"\$schema":"/);
    // A field of that name stays: editors read it in a fixture.
    expect(document.components.schemas.Fixture.properties.$schema).toMatchObject({ type: "string" });
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).toHaveProperty(name ?? "");
  });

  it("shows a field of the user's own schema that is called $ref as a field", async () => {
    const folder = mkdtempSync(join(tmpdir(), "openapi-"));
    const own = { properties: { properties: { properties: { $ref: { type: "string" } } } } };
    writeFileSync(join(folder, "get-or-create.request.json"), JSON.stringify(own));
    const schemas = await loadSchemas(folder);
    expect(openApiDocument({ version: "1.2.3", basePath: "", schemas })).toMatchObject({
      components: { schemas: { GetOrCreateRequest: { allOf: [{}, own] } } },
    });
    rmSync(folder, { recursive: true });
  });
});
