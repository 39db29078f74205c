import { shippedSchemas } from "./schemas.js";

export type OpenApiDocument = Readonly<Record<string, unknown>>;

interface OpenApiParts {
  readonly version: string;
  /** The path of the world: `/` for the default one. */
  readonly basePath: string;
  /** The user's own schemas, laid over the shipped ones. */
  readonly overlay: Readonly<Record<string, object>>;
}

/** OpenAPI 3.1 of the service and the admin API, put together from the schemas. */
export function openApiDocument({ version, basePath, overlay }: OpenApiParts): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "usergroup-mock",
      version,
      summary: "A fake of the User Group Service, and the admin API that steers it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath }],
    tags: [
      { name: "service", description: "The faked service." },
      { name: "admin", description: "What tests steer the fake with." },
    ],
    paths: { ...servicePaths, ...adminPaths },
    components: {
      schemas: componentSchemas(overlay),
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

const failure = {
  description: "The call failed. The status is the one that fits, or 200 with failure-status=always-200.",
  content: json("failure.response.json"),
};
const adminFailure = {
  description: "Refused; nothing was changed.",
  content: json("admin-failure.response.json"),
};

const servicePaths = {
  "/api/user": {
    get: {
      tags: ["service"],
      operationId: "getOrCreate",
      summary: "Get or create a user group",
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json("get-or-create.request.json") },
      responses: {
        "200": { description: "The user group.", content: json("get-or-create.response.json") },
        "4XX": failure,
      },
    },
    post: {
      tags: ["service"],
      operationId: "rotate",
      summary: "Rotate the token of a user group",
      security: [{ apiToken: [] }],
      requestBody: { required: true, content: json("rotate.request.json") },
      responses: {
        "200": { description: "The user group with its token.", content: json("rotate.response.json") },
        "4XX": failure,
      },
    },
  },
};

const adminPaths = {
  "/__admin/health": {
    get: admin("health", "Is it alive, and what is in this world", { "200": "health.response.json" }),
  },
  "/__admin/reset": {
    post: admin("reset", "This world back to the seed", { "200": undefined }),
  },
  "/__admin/state": {
    get: admin("exportState", "The teams and groups of this world, as a fixture", { "200": "fixture.json" }),
    put: {
      ...admin("importState", "Replace the teams and groups of this world, all or nothing", {
        "200": undefined,
      }),
      requestBody: { required: true, content: json("fixture.json") },
    },
  },
  "/__admin/openapi.json": {
    get: admin("openApi", "This document", { "200": undefined }),
  },
};

type SchemaFile = keyof typeof shippedSchemas;

function admin(operationId: string, summary: string, answers: Record<string, SchemaFile | undefined>) {
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: "Done.",
      content: schema === undefined ? { "application/json": { schema: { type: "object" } } } : json(schema),
    },
  ]);
  return {
    tags: ["admin"],
    operationId,
    summary,
    security: [],
    responses: { ...Object.fromEntries(responses), "4XX": adminFailure },
  };
}

function json(file: SchemaFile) {
  return { "application/json": { schema: reference(file) } };
}

function reference(file: string) {
  return { $ref: `#/components/schemas/${titleOf(file)}` };
}

function titleOf(file: string): string {
  return Object.hasOwn(shippedSchemas, file) ? shippedSchemas[file as SchemaFile].title : file;
}

function componentSchemas(overlay: Readonly<Record<string, object>>) {
  return Object.fromEntries(
    Object.entries(shippedSchemas).map(([file, schema]) => {
      const stricter = overlay[file];
      const both = stricter === undefined ? schema : { allOf: [schema, stricter] };
      return [schema.title, asComponent(both)];
    }),
  );
}

/** A schema as it stands in components: other files become other components. */
function asComponent(schema: object): object {
  return JSON.parse(JSON.stringify(schema), function (this: unknown, key: string, value: unknown) {
    if (key === "$ref" && typeof value === "string") return reference(value).$ref;
    return key === "$id" || (key === "$schema" && typeof value === "string") ? undefined : value;
  });
}
