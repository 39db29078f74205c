import { describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import requestsQuery from "../../../schemas/admin/requests.query.json" with { type: "json" };
import { startMock } from "../../../src/client/start-mock.js";
import { fieldOf, isObject } from "../../../src/foundation/json.js";
import { openApi } from "../../../src/generated/openapi-document.js";
import { call } from "../../call.js";

// biome-ignore lint/suspicious/noExplicitAny: tests read it at every depth.
const document: any = openApi;

type Operation = Record<string, unknown> & {
  readonly operationId: string;
  readonly parameters?: { in: string; name: string; required: boolean; schema: object }[];
  readonly responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
};
const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation): [string, Operation] => [path, operation]),
);
const named = (id: string) =>
  operations.find(([, { operationId }]) => operationId === id)?.[1] ?? expect.fail(id);

describe("the OpenAPI document", () => {
  it("is the same for every server and world, with the version of the package", async () => {
    const profile = { situations: { created: { status: 202, body: { plan: "free" } } } };
    const assume = { "failure-body": "message" } as const;
    await using other = await startMock({ profile, assume, adminToken: "t" });
    const headers = { Authorization: "Bearer t" };
    for (const { url } of [other, other.world("w1")])
      expect((await call("GET", `${url}/__admin/openapi.json`, undefined, { headers })).body).toEqual(
        openApi,
      );
    expect(document.info.version).toBe(packageJson.version);
  });

  it("describes what assumptions, a profile and faults can change", () => {
    for (const word of ["assumption", "profile", "fault", "--admin-token"])
      expect(document.info.description).toContain(word);
    expect(named("rotate").responses["200"]?.description).toMatch(/^The user group with its new token\./);
    expect(named("getOrCreate").responses["201"]?.description).toContain("created-status=201");
  });

  it("requires the API token for the service, and for the admin API at most the admin token", () => {
    expect(document.components.securitySchemes.apiToken).toEqual({
      type: "apiKey",
      in: "header",
      name: "Authorization",
      description: expect.stringContaining("Token <api token>"),
    });
    for (const [path, { operationId, security }] of operations) {
      const ofAdmin = operationId === "health" ? [] : [{}, { adminToken: [] }];
      expect([path, security]).toEqual([path, path.startsWith("/__admin") ? ofAdmin : [{ apiToken: [] }]]);
    }
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
    const { operation, ...others } = requestsQuery.properties;
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
    expect(optional.sort()).toEqual(["describe", "reset", "waitForRequests"]);
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

  it("has nothing beside a reference: generators of clients ignore it", () => {
    const referring: object[] = [];
    JSON.parse(JSON.stringify(document), (_, value) => {
      if (isObject(value) && typeof value.$ref === "string") referring.push(value);
      return value;
    });
    expect(referring.length).toBeGreaterThan(50);
    expect(referring.filter((one) => Object.keys(one).length > 1)).toEqual([]);
  });
});
