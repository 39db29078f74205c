import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import type { OpenApiDocument } from "../generated/types.js";
import { adminCall, adminCallIds } from "./admin-calls.js";
import { operations, servicePath } from "./operations.js";
import type { Schemas } from "./schemas.js";

interface OpenApiParts {
  readonly version: string;
  /** The path of the world: `/worlds/w3`, or empty for the default one. */
  readonly basePath: string;
  readonly schemas: Schemas;
}

/** OpenAPI 3.1 of the service and the admin API, from the tables and the schemas. */
export function openApiDocument({ version, basePath, schemas }: OpenApiParts): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "usergroup-mock",
      version,
      summary: "A mock of the User Group Service, with an admin API.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath || "/" }],
    tags: [
      { name: "service", description: "The mocked service." },
      { name: "admin", description: "Controls the mock from tests." },
    ],
    paths: { [servicePath]: serviceMethods(), ...adminPaths() },
    components: {
      schemas: componentSchemas(schemas.overlay),
      securitySchemes: {
        apiToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <api token>`, with an API token that a fixture lists.",
        },
      },
    },
  };
}

function serviceMethods(): Record<string, object> {
  const description =
    "The request failed. The status depends on the failure, or is 200 with failure-status=always-200.";
  const methods = Object.entries(operations).map(([id, { method, request, response, summary }]) => [
    method.toLowerCase(),
    {
      tags: ["service"],
      operationId: id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json(request) },
      responses: {
        "200": { description: shippedSchemas[response].description, content: json(response) },
        "4XX": { description, content: json("failure.response.json") },
      },
    },
  ]);
  return Object.fromEntries(methods);
}

function adminPaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const id of adminCallIds) {
    const { method, path, summary, query, request, bodyIsOptional, response, streams } = adminCall(id);
    const parameters = parametersOf(path, query);
    const content = streams
      ? { [streams]: { schema: { type: "string" } } }
      : json(response ?? "done.response.json");
    const described = {
      tags: ["admin"],
      operationId: id,
      summary,
      security: [],
      ...(parameters.length > 0 && { parameters }),
      ...(request !== undefined && { requestBody: { required: !bodyIsOptional, content: json(request) } }),
      responses: {
        "200": { description: "Done.", content },
        "4XX": {
          description: "Rejected; nothing was changed.",
          content: json("admin-failure.response.json"),
        },
      },
    };
    paths[`/__admin${path}`] = { ...paths[`/__admin${path}`], [method.toLowerCase()]: described };
  }
  return paths;
}

function parametersOf(path: string, query: SchemaFile | undefined): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { in: "path", name, required: true, schema: { type: name === "id" ? "integer" : "string" } };
  });
  const { properties } = { properties: {}, ...(query && asComponent(shippedSchemas[query])) };
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    return { in: "query", name, required: false, schema };
  });
  return [...inPath, ...inQuery];
}

function json(file: SchemaFile) {
  return { "application/json": { schema: { $ref: componentOf(file) } } };
}

function componentSchemas(overlay: Readonly<Record<string, object>>) {
  const queries = new Set(adminCallIds.map((id) => adminCall(id).query));
  return Object.fromEntries(
    Object.entries(shippedSchemas)
      // The fields of a query are listed as parameters.
      .filter(([file]) => !queries.has(file as SchemaFile))
      .map(([file, schema]) => {
        const own = overlay[file];
        return [schema.title, asComponent(own === undefined ? schema : { allOf: [schema, own] })];
      }),
  );
}

/** A schema in `components`: references to files become references to components. */
function asComponent(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key: string, value: unknown) => {
    if (key === "$ref" && typeof value === "string") return componentOf(value);
    return key === "$id" || (key === "$schema" && typeof value === "string") ? undefined : value;
  });
}

/** @param ref `user-group.json#/properties/name` */
function componentOf(ref: string): string {
  const [file = "", place = ""] = ref.split("#");
  const title = Object.hasOwn(shippedSchemas, file) ? shippedSchemas[file as SchemaFile].title : file;
  return `#/components/schemas/${title}${place}`;
}
