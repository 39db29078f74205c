import type { Schemas } from "./schemas.js";
import { shippedSchemas } from "./shipped-schemas.js";

export type OpenApiDocument = Readonly<Record<string, unknown>>;

interface OpenApiParts {
  readonly version: string;
  /** The path of the world: `/worlds/w3`, or nothing for the default one. */
  readonly basePath: string;
  readonly schemas: Schemas;
}

/** OpenAPI 3.1 of the service and the admin API, put together from the schemas. */
export function openApiDocument({ version, basePath, schemas }: OpenApiParts): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "usergroup-mock",
      version,
      summary: "A fake of the User Group Service, and the admin API that steers it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: basePath || "/" }],
    tags: [
      { name: "service", description: "The faked service." },
      { name: "admin", description: "What tests steer the fake with." },
    ],
    paths: { ...servicePaths, ...adminPaths() },
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

/** Of an admin call: its id, what it does, and the schemas of what goes in and what comes out. */
type AdminOperation = readonly [id: string, summary: string, shapes?: { in?: SchemaFile; out?: SchemaFile }];

const adminTable: Readonly<Record<string, Readonly<Record<string, AdminOperation>>>> = {
  "/health": { get: ["health", "Is it alive, and what is in this world", { out: "health.response.json" }] },
  "/reset": { post: ["reset", "This world back to the seed: groups, journal, faults, assumptions"] },
  "/state": {
    get: ["exportState", "The teams and groups of this world, as a fixture", { out: "fixture.json" }],
    put: [
      "importState",
      "Replace the teams and groups of this world, all or nothing",
      { in: "fixture.json" },
    ],
  },
  "/groups": {
    get: [
      "listGroups",
      "The groups of this world, and where they come from",
      { out: "groups.response.json" },
    ],
  },
  "/requests": {
    get: ["listRequests", "The journal, oldest first", { out: "requests.response.json" }],
    delete: ["clearRequests", "Forget the journal"],
  },
  "/requests/{id}": { get: ["getRequest", "One entry of the journal", { out: "journal-entry.json" }] },
  "/requests/{id}/body": {
    get: ["getRequestBody", "The body of a call as it was sent", { out: "request-body.response.json" }],
  },
  "/requests/wait": {
    post: [
      "waitForRequests",
      "Answers once enough calls match; 408 with the near misses",
      { in: "wait.request.json" },
    ],
  },
  "/requests.har": { get: ["exportHar", "The journal as HAR 1.2"] },
  "/faults": {
    get: [
      "listFaults",
      "The faults of this world, with how often they fired",
      { out: "faults.response.json" },
    ],
    post: ["armFault", "Arm a fault", { in: "fault.request.json", out: "fault.json" }],
    delete: ["clearFaults", "Take all faults away; calls that wait in them go on"],
  },
  "/faults/{id}": { delete: ["removeFault", "Take a fault away; calls that wait in it go on"] },
  "/faults/{id}/release": { post: ["releaseFault", "Let held calls go on", { out: "fault.json" }] },
  "/assumptions": {
    get: ["listAssumptions", "The ledger with this world's values", { out: "assumptions.response.json" }],
    patch: [
      "assume",
      "Decide some questions otherwise: an object of ids and values",
      { in: "assumptions.request.json", out: "assumptions.response.json" },
    ],
  },
  "/worlds": {
    get: ["listWorlds", "The worlds that are alive", { out: "worlds.response.json" }],
    delete: ["dropWorlds", "Drop all worlds; the default one begins anew"],
  },
  "/worlds/{name}": { delete: ["dropWorld", "Drop a world"] },
  "/snapshots": {
    post: ["takeSnapshot", "Keep groups, faults, assumptions as they are", { out: "snapshot.response.json" }],
  },
  "/snapshots/{id}": { delete: ["forgetSnapshot", "Forget a snapshot"] },
  "/snapshots/{id}/restore": { post: ["restoreSnapshot", "Go back to a snapshot"] },
  "/events": { get: ["streamEvents", "Server-sent events: every entry, fault and change as it happens"] },
  "/openapi.json": { get: ["openApi", "This document"] },
};

function adminPaths() {
  return Object.fromEntries(
    Object.entries(adminTable).map(([path, operations]) => {
      const described = Object.entries(operations).map(([method, operation]) => [
        method,
        admin(path, operation),
      ]);
      return [`/__admin${path}`, Object.fromEntries(described)];
    }),
  );
}

type SchemaFile = keyof typeof shippedSchemas;

function admin(path: string, [operationId, summary, shapes = {}]: AdminOperation) {
  const content =
    operationId === "streamEvents"
      ? { "text/event-stream": { schema: { type: "string" } } }
      : shapes.out === undefined
        ? { "application/json": { schema: { type: "object" } } }
        : json(shapes.out);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    parameter("path", name, { type: idType(name) }),
  );
  const inQuery =
    operationId === "listRequests"
      ? Object.entries(queryProperties).map(([name, schema]) => parameter("query", name, schema))
      : [];
  return {
    tags: ["admin"],
    operationId,
    summary,
    security: [],
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(shapes.in !== undefined && { requestBody: { required: true, content: json(shapes.in) } }),
    responses: { "200": { description: "Done.", content }, "4XX": adminFailure },
  };
}

const queryProperties = shippedSchemas["requests.query.json"].properties;

function parameter(place: "path" | "query", name: string, schema: object) {
  return { in: place, name, required: place === "path", schema };
}

function idType(name: string): string {
  return name === "id" ? "integer" : "string";
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
    // The fields of a query stand at their operation.
    Object.entries(shippedSchemas)
      .filter(([file]) => file !== "requests.query.json")
      .map(([file, schema]) => {
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
