import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import type { OpenApiDocument } from "../generated/types.js";
import { adminCall, adminCallIds } from "./admin-calls.js";
import { asComponent, componentSchemas, json } from "./openapi-schemas.js";
import { serviceMethods } from "./openapi-service.js";
import { servicePath } from "./operations.js";
import type { KnownResponses } from "./profile.js";
import type { Schemas } from "./schemas.js";

interface OpenApiParts {
  readonly version: string;
  readonly schemas: Schemas;
  readonly known: KnownResponses;
  /** Whether the admin API requires the admin token. */
  readonly isProtected: boolean;
}

/** OpenAPI 3.1 of the service and the admin API, from the tables and the schemas. */
export function openApiDocument({ version, schemas, known, isProtected }: OpenApiParts): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "usergroup-mock",
      version,
      summary: "A mock of the User Group Service, with an admin API.",
      license: { name: "MIT", identifier: "MIT" },
    },
    // From /__admin/openapi.json of a world to its base URL, which may have a prefix behind a proxy.
    servers: [{ url: ".." }],
    paths: { [servicePath]: serviceMethods(known), ...adminPaths(isProtected) },
    components: {
      schemas: componentSchemas(schemas.overlay),
      securitySchemes: {
        apiToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <api token>`, with an API token that a fixture lists.",
        },
        ...(isProtected && { adminToken: { type: "http", scheme: "bearer" } }),
      },
    },
  };
}

const text = { schema: { type: "string" } };

function adminPaths(isProtected: boolean): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const id of adminCallIds) {
    const { method, path, summary, query, request, bodyIsOptional, response, streams, isOpen } =
      adminCall(id);
    const parameters = listParameters(path, query);
    const content = streams ? { [streams]: text } : json(response ?? "done.response.json");
    const described = {
      tags: ["admin"],
      operationId: id,
      summary,
      security: isProtected && !isOpen ? [{ adminToken: [] }] : [],
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

function listParameters(path: string, query: SchemaFile | undefined): object[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    return { in: "path", name, required: true, schema: { type: name === "id" ? "integer" : "string" } };
  });
  const { properties } = { properties: {}, ...(query && asComponent(shippedSchemas[query])) };
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    return { in: "query", name, required: false, schema };
  });
  return [...inPath, ...inQuery];
}
