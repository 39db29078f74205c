import { isDeepStrictEqual } from "node:util";
import { fieldOf, isObject } from "../../foundation/json.js";
import { type SchemaFile, shippedSchemas } from "../../generated/shipped-schemas.js";
import type { OpenApiDocument, Operation } from "../../generated/types.js";
import { adminCall, adminCallIds } from "./admin-calls.js";
import { valuesOf } from "./assumptions.js";
import { operationIds, operations, servicePath } from "./operations.js";
import type { KnownResponses } from "./profile.js";
import { isObjectPlaceholder, responseNames, successOf, textType } from "./response-names.js";
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

function adminPaths(isProtected: boolean): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const id of adminCallIds) {
    const { method, path, summary, query, request, bodyIsOptional, response } = adminCall(id);
    const parameters = listParameters(path, query);
    const content = id === "getReport" ? { "text/html": text } : json(response ?? "done.response.json");
    const described = {
      tags: ["admin"],
      operationId: id,
      summary,
      security: isProtected && id !== "health" ? [{ adminToken: [] }] : [],
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

/** The operations, with the statuses and bodies that assumptions, the profile and faults can produce. */
function serviceMethods(known: KnownResponses): Record<string, object> {
  const methods = operationIds.map((id) => {
    const { method, request, summary } = operations[id];
    const described = {
      tags: ["service"],
      operationId: id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary,
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json(request) },
      responses: { ...serviceResponses(id, known), "4XX": rejected, "5XX": rejected },
    };
    return [method.toLowerCase(), described];
  });
  return Object.fromEntries(methods);
}

const jsonType = "application/json";

const text = { schema: { type: "string" } };

const ourFailure = ref("failure.response.json");

const rejected = {
  description: "The request was rejected, or a fault replaced the response.",
  content: {
    [jsonType]: { schema: { anyOf: [ourFailure, { description: "The body of a fault." }] } },
    "text/html": text,
    "text/plain": text,
  },
};

type Contents = Record<string, { readonly schema: { readonly anyOf?: readonly object[] } }>;

/** The responses with a status of their own: the successes, and what the profile has about failures. */
function serviceResponses(id: Operation, known: KnownResponses): Record<string, object> {
  const responses: Record<string, { readonly description: string; readonly content: Contents }> = {};
  const add = (status: string, type: string, schema: object) => {
    responses[status] ??= { description: `Status ${status} of ${id}.`, content: {} };
    const { content } = responses[status];
    content[type] ??= { schema };
    const { anyOf = [content[type].schema] } = content[type].schema;
    if (!anyOf.some((one) => isDeepStrictEqual(one, schema)))
      content[type] = { schema: { anyOf: [...anyOf, schema] } };
  };
  for (const name of Object.keys(responseNames)) {
    const success = successOf(name);
    if (success !== undefined && success.operation !== id) continue;
    const { status, headers = {}, body, text } = known.get(name) ?? {};
    const [, given] = Object.entries(headers).find(([header]) => /^content-type$/i.test(header)) ?? [];
    const type = (given ?? (text === undefined ? jsonType : textType(text))).replace(/;.*/, "");
    const ours = name === "created" ? valuesOf("created-status") : success ? ["200"] : [];
    for (const one of status === undefined ? ours : [`${status}`])
      add(one, type, success ? successSchema(id, body) : describe(text ?? body));
  }
  // With failure-status=always-200.
  add("200", jsonType, ourFailure);
  return responses;
}

/** The schema of a success, with the fields that the profile adds. */
function successSchema(id: Operation, body: unknown): object {
  const file = operations[id].response;
  if (body === undefined) return ref(file);
  const { properties: added } = { properties: {}, ...describe(body) };
  const { user_group, ...others } = added as { user_group?: { properties: object } };
  const group = asComponent(shippedSchemas["user-group.json"]) as { properties: object };
  const schema = asComponent(shippedSchemas[file]) as { properties: object };
  const withGroup = { ...group, properties: { ...group.properties, ...user_group?.properties } };
  return { ...schema, properties: { ...schema.properties, ...others, user_group: withGroup } };
}

/** The schema of an example, or of our failures without one. A placeholder for an object has its type. */
function describe(example: unknown): object {
  if (example === undefined) return ourFailure;
  if (Array.isArray(example))
    return { type: "array", items: example.length === 0 ? {} : describe(example[0]) };
  if (isObject(example)) {
    const fields = Object.entries(example).map(([name, value]) => [name, describe(value)]);
    return { type: "object", properties: Object.fromEntries(fields) };
  }
  if (example === null) return {};
  return { type: isObjectPlaceholder(example) ? "object" : typeof example };
}

/** The content of a request or response in the shape of a schema. */
function json(file: SchemaFile) {
  return { [jsonType]: { schema: ref(file) } };
}

function ref(file: string) {
  const shipped = fieldOf(shippedSchemas, file);
  return { $ref: `#/components/schemas/${fieldOf(shipped, "title") ?? file}` };
}

/** Every schema that requests and responses refer to. @param overlay the user's own schemas */
function componentSchemas(overlay: Schemas["overlay"]) {
  // The fields of a query are listed as parameters.
  const files = Object.entries(shippedSchemas).filter(([file]) => !file.endsWith(".query.json"));
  const components = files.map(([file, schema]) => {
    const own = overlay[file];
    return [schema.title, asComponent(own === undefined ? schema : { allOf: [schema, own] })];
  });
  return Object.fromEntries(components);
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
    // An assumption may accept any value.
    if (value.tsType === "unknown") return {};
    if (typeof value.type === "string") Reflect.deleteProperty(value, "default");
    const { $ref: path, required, properties, ...others } = value;
    if (typeof path !== "string") return value;
    const [file = "", ...names] = path.split(/#?\//);
    const field = names.reduce<unknown>(fieldOf, fieldOf(shippedSchemas, file));
    if (names.length > 0 && isObject(field)) return { ...asComponent(field), ...others };
    if (Object.keys(value).length === 1) return ref(path);
    return { ...others, allOf: [ref(path), ...(properties ? [{ required, properties }] : [])] };
  });
}
