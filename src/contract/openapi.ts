import { fieldOf, isObject } from "../foundation/json.js";
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
  /** Whether the admin API requires the admin token. */
  readonly isProtected: boolean;
}

/** OpenAPI 3.1 of the service and the admin API, from the tables and the schemas. */
export function openApiDocument({ version, basePath, schemas, isProtected }: OpenApiParts): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "usergroup-mock",
      version,
      summary: "A mock of the User Group Service, with an admin API.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath || "/" }],
    paths: { [servicePath]: serviceMethods(), ...adminPaths(isProtected) },
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

/** The statuses and bodies that assumptions and faults can produce. */
function serviceMethods(): Record<string, object> {
  const failed = {
    description: "The request was rejected, or a fault replaced the response.",
    content: {
      "application/json": {
        schema: { anyOf: [ref("failure.response.json"), { description: "The body of a fault." }] },
      },
      "text/html": text,
      "text/plain": text,
    },
  };
  const methods = Object.entries(operations).map(([id, { method, request, response, summary }]) => [
    method.toLowerCase(),
    {
      tags: ["service"],
      operationId: id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json(request) },
      responses: {
        "200": {
          description: `${shippedSchemas[response].description} With failure-status=always-200, also a failure.`,
          content: {
            "application/json": { schema: { anyOf: [ref(response), ref("failure.response.json")] } },
          },
        },
        "201": { description: "A group was created, with created-status=201.", content: json(response) },
        "4XX": failed,
        "5XX": failed,
      },
    },
  ]);
  return Object.fromEntries(methods);
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

function json(file: SchemaFile) {
  return { "application/json": { schema: ref(file) } };
}

function ref(file: SchemaFile) {
  return { $ref: componentPath(file) };
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

/**
 * A schema in `components`: references to files become references to components. What generators of clients misread is
 * written in another way: they ignore what is beside a reference, do not compile a reference into an optional field, and
 * require a field that has a default.
 */
function asComponent(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (key: string, value: unknown) => {
    if (key === "$id" || (key === "$schema" && typeof value === "string")) return undefined;
    if (!isObject(value)) return value;
    if (typeof value.type === "string") Reflect.deleteProperty(value, "default");
    if (typeof value.$ref !== "string") return value;
    const { $ref: path, title, description, examples, type, unevaluatedProperties, ...rules } = value;
    const annotations = { title, description, examples, type, unevaluatedProperties };
    const field = fieldSchema(path);
    if (field !== undefined) return { ...asComponent(field), ...JSON.parse(JSON.stringify(annotations)) };
    const $ref = componentPath(path);
    if (Object.keys(value).length === 1) return { $ref };
    return { ...annotations, allOf: [{ $ref }, ...(Object.keys(rules).length > 0 ? [rules] : [])] };
  });
}

/** @param path `user-group.json#/properties/name` */
function fieldSchema(path: string): object | undefined {
  const [file = "", place] = path.split("#/");
  if (place === undefined || !Object.hasOwn(shippedSchemas, file)) return undefined;
  const found = place
    .split("/")
    .reduce<unknown>((within, name) => fieldOf(within, name), shippedSchemas[file as SchemaFile]);
  return isObject(found) ? found : undefined;
}

function componentPath(file: string): string {
  const title = Object.hasOwn(shippedSchemas, file) ? shippedSchemas[file as SchemaFile].title : file;
  return `#/components/schemas/${title}`;
}
