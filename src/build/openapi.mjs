// Derives from the tables and the schemas: OpenAPI 3.1 of the service and the admin API.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-built.mjs";
import { schemasOfMessages } from "./from-schemas.mjs";
import { loadSource } from "./load-source.mjs";

const description = `A mock of the User Group Service, with an admin API.

The responses of the service are described with their default values. Some depend on how the mock was started, and on the test:

- An assumption can change statuses, and how rejections look. \`GET /__admin/assumptions\` lists them.
- A profile can change what a request may contain, add fields to a success, and replace status, headers and body of a rejection.
- A fault can replace a response by any status and body, or break it off. \`POST /__admin/faults\` arms one.

The admin API requires a token only if the mock was started with \`--admin-token\`.`;

/** The text of src/generated/openapi-document.ts. */
export async function openApiModule() {
  const document = JSON.stringify(await openApiDocument(), null, 2);
  return `// Made from the tables and schemas/ by \`npm run generate\`.
import type { OpenApiDocument } from "./types.js";

export const openApi: OpenApiDocument = ${document};\n`;
}

async function openApiDocument() {
  const { adminCall, adminCallIds } = await loadSource("fake/contract/admin-calls.ts");
  const { valuesOf } = await loadSource("fake/contract/assumptions.ts");
  const { operationIds, operations, servicePath } = await loadSource("fake/contract/operations.ts");
  const schemas = schemasOfMessages();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return {
    openapi: "3.1.0",
    info: { title: "usergroup-mock", version, description, license: { name: "MIT", identifier: "MIT" } },
    // From /__admin/openapi.json of a world to its base URL, which may have a prefix behind a proxy.
    servers: [{ url: ".." }],
    paths: { [servicePath]: serviceMethods(), ...adminPaths() },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        apiToken: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "`Token <api token>`, with an API token that a fixture lists.",
        },
        adminToken: { type: "http", scheme: "bearer", description: "The value of `--admin-token`." },
      },
    },
  };

  function serviceMethods() {
    const methods = operationIds.map((/** @type {string} */ id) => {
      const { method, request, summary } = operations[id];
      const described = {
        tags: ["service"],
        operationId: id.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
        summary,
        security: [{ apiToken: [] }],
        requestBody: { required: true, content: json(ref(request)) },
        responses: { ...successResponses(id), "4XX": rejected(), "5XX": rejected() },
      };
      return [method.toLowerCase(), described];
    });
    return Object.fromEntries(methods);
  }

  /** @param {string} id */
  function successResponses(id) {
    const { response, success } = operations[id];
    const [, created] = valuesOf("created-status");
    const always200 = "With the assumption failure-status=always-200, also a rejection.";
    return {
      200: {
        description: `${success}. ${always200}`,
        content: json({ anyOf: [ref(response), ref("failure.response.json")] }),
      },
      ...(id === "get-or-create" && {
        [created]: {
          description: `A new user group, with the assumption created-status=${created}.`,
          content: json(ref(response)),
        },
      }),
    };
  }

  function rejected() {
    const ofFault = { description: "The body of a fault or of a profile." };
    return {
      description: "The request was rejected, or a fault replaced the response.",
      content: {
        ...json({ anyOf: [ref("failure.response.json"), ofFault] }),
        "text/html": text,
        "text/plain": text,
      },
    };
  }

  function adminPaths() {
    /** @type {Record<string, object>} */
    const paths = {};
    for (const id of adminCallIds) {
      const { method, path, summary, query, request, bodyIsOptional, response } = adminCall(id);
      const parameters = [...pathParameters(path), ...queryParameters(query)];
      const content =
        id === "getReport" ? { "text/html": text } : json(ref(response ?? "done.response.json"));
      const described = {
        tags: ["admin"],
        operationId: id,
        summary,
        security: id === "health" ? [] : [{}, { adminToken: [] }],
        ...(parameters.length > 0 && { parameters }),
        ...(request && { requestBody: { required: !bodyIsOptional, content: json(ref(request)) } }),
        responses: {
          200: { description: "Done.", content },
          "4XX": {
            description: "Rejected; nothing was changed.",
            content: json(ref("admin-failure.response.json")),
          },
        },
      };
      paths[`/__admin${path}`] = { ...paths[`/__admin${path}`], [method.toLowerCase()]: described };
    }
    return paths;
  }

  /** @param {string} path */
  function pathParameters(path) {
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { in: "path", name, required: true, schema: { type: name === "id" ? "integer" : "string" } };
    });
  }

  /** @param {string | undefined} file the schema of the query */
  function queryParameters(file) {
    if (file === undefined) return [];
    return Object.entries(asComponent(schemas[file]).properties).map(([name, schema]) => {
      return { in: "query", name, required: false, schema };
    });
  }

  /** Every schema that requests and responses refer to. The fields of a query are listed as parameters. */
  function componentSchemas() {
    const files = Object.keys(schemas).filter((file) => !file.endsWith(".query.json"));
    return Object.fromEntries(files.map((file) => [schemas[file].title, asComponent(schemas[file])]));
  }

  /** A reference to the component of a schema. @param {string} file */
  function ref(file) {
    return { $ref: `#/components/schemas/${schemas[file].title}` };
  }

  /**
   * A schema in `components`: references to files become references to components. What generators of clients misread is
   * written in another way: they ignore what is beside a reference, do not compile a reference into an optional field,
   * and require a field that has a default.
   * @param {object} schema
   */
  function asComponent(schema) {
    return JSON.parse(JSON.stringify(schema), (key, value) => {
      if (key === "$id" || (key === "$schema" && typeof value === "string")) return undefined;
      // An assumption may accept any value.
      if (value?.tsType === "unknown") return {};
      if (typeof value?.type === "string") Reflect.deleteProperty(value, "default");
      return typeof value?.$ref === "string" ? asReference(value) : value;
    });
  }

  /** @param {{ $ref: string, required?: string[], properties?: object }} schema */
  function asReference({ $ref, required, properties, ...others }) {
    // `user-group.json#/properties/name` is a field of another schema.
    const [file = "", ...names] = $ref.split(/#?\//);
    if (names.length > 0) {
      const field = names.reduce((part, name) => part[name], schemas[file]);
      return { ...asComponent(field), ...others };
    }
    const own = properties === undefined ? [] : [{ required, properties }];
    if (own.length === 0 && Object.keys(others).length === 0) return ref(file);
    return { ...others, allOf: [ref(file), ...own] };
  }
}

const text = { schema: { type: "string" } };

/** The content of a request or response in JSON. @param {object} schema */
function json(schema) {
  return { "application/json": { schema } };
}
