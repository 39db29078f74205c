import type { Done, SchemaFile, SchemaTypes } from "../../generated/types.js";
import { maxDepth } from "./operations.js";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type QueryFile = Extract<SchemaFile, `${string}.query.json`>;

interface AdminCallSpec {
  /** Method, and path below `/__admin`. `{id}` is a number, `{name}` the name of a world. */
  readonly call: `${Method} /${string}`;
  readonly summary: string;
  readonly query?: QueryFile;
  readonly request?: SchemaFile;
  readonly bodyIsOptional?: true;
  /** The schema of the response. Default: `done.response.json`. */
  readonly response?: SchemaFile;
  /** Concerns the whole server: clients send it to the root URL, which does not create a world. */
  readonly ofServer?: true;
}

/**
 * The admin API. Routes, OpenAPI, `connectMock`, the inspector's client and `docs/admin-api.md` derive from this table;
 * `server/admin-handlers.ts` has a handler for each call.
 */
export const adminCalls = {
  health: {
    call: "GET /health",
    summary:
      "Status, version, numbers of worlds and groups, and `changes`, which grows with everything that happens. Needs no admin token",
    response: "health.response.json",
  },
  reset: {
    call: "POST /reset",
    summary:
      "Reset groups, journal, faults and assumptions. `{ label }` labels the new journal, usually with the name of a test",
    request: "reset.request.json",
    bodyIsOptional: true,
  },
  listHistory: {
    call: "GET /history",
    summary:
      "The journals of earlier tests, newest first, each with its number `n`. Each reset starts a new one",
    response: "history.response.json",
  },
  exportState: {
    call: "GET /state",
    summary: "The teams and groups of this world, in the shape of a fixture",
    response: "fixture.json",
  },
  importState: {
    call: "PUT /state",
    summary: "Replace the teams and groups of this world, all or nothing",
    request: "fixture.json",
  },
  listGroups: {
    call: "GET /groups",
    summary: "The groups, with `seeded` (from a fixture or a loaded state) and `rotations`",
    response: "groups.response.json",
  },
  addGroup: {
    call: "POST /groups",
    summary:
      "Add a group and return it with its token. `team_id` defaults to the first team. 409 if the group exists",
    request: "group.request.json",
    response: "group-detail.json",
  },
  listRequests: {
    call: "GET /requests",
    summary:
      "The journal, oldest first. Filters: `operation`, `outcome`, `user_group_id`, `after=<id>`, `limit`. `epoch=<n>` for a journal in the history",
    query: "requests.query.json",
    response: "requests.response.json",
  },
  clearRequests: { call: "DELETE /requests", summary: "Clear the journal" },
  waitForRequests: {
    call: "POST /requests/wait",
    summary:
      "Wait until `count` requests match: `{ match?, operation?, outcome?, count?, timeoutMs? }`. After the timeout (4 seconds by default): 408 with the near misses",
    request: "wait.request.json",
    bodyIsOptional: true,
    response: "wait.response.json",
  },
  getRequest: {
    call: "GET /requests/{id}",
    summary: "One entry of the journal",
    response: "journal-entry.json",
  },
  getRequestBody: {
    call: "GET /requests/{id}/body",
    summary: "The exact text of both bodies. `?epoch=<n>` for a request in the history",
    query: "request-body.query.json",
    response: "request-body.response.json",
  },
  describe: {
    call: "POST /describe",
    summary:
      "What to print below the error of a test: what is known of its failure, its faults and its requests, as text. `{ error }` is its type and message",
    request: "describe.request.json",
    bodyIsOptional: true,
    response: "describe.response.json",
  },
  listFaults: {
    call: "GET /faults",
    summary: "The faults of this world, with `fired` and near misses",
    response: "faults.response.json",
  },
  armFault: {
    call: "POST /faults",
    summary: "Arm a fault",
    request: "fault.request.json",
    response: "fault.json",
  },
  clearFaults: { call: "DELETE /faults", summary: "Remove all faults; waiting requests continue" },
  removeFault: { call: "DELETE /faults/{id}", summary: "Remove a fault; waiting requests continue" },
  releaseFault: {
    call: "POST /faults/{id}/release",
    summary: "Release held requests",
    response: "fault.json",
  },
  listAssumptions: {
    call: "GET /assumptions",
    summary: "All assumptions, with their values in this world",
    response: "assumptions.response.json",
  },
  assume: {
    call: "PATCH /assumptions",
    summary: "Change some assumptions: an object of ids and values",
    request: "assumptions.request.json",
    response: "assumptions.response.json",
  },
  listWorlds: {
    call: "GET /worlds",
    summary: "All worlds",
    response: "worlds.response.json",
    ofServer: true,
  },
  listTests: {
    call: "GET /tests",
    summary: "The tests of all worlds, newest first: each world from one reset to the next",
    response: "tests.response.json",
    ofServer: true,
  },
  dropWorld: {
    call: "DELETE /worlds/{name}",
    summary: "Drop a world. The default world starts again from the seed",
    ofServer: true,
  },
  openApi: {
    call: "GET /openapi.json",
    summary: "OpenAPI 3.1 of the service and the admin API",
    response: "openapi.response.json",
  },
  getReport: {
    call: "GET /report.html",
    summary:
      "The report of this world and its history, or of all worlds with `?worlds=all`, as one HTML file",
    query: "report.query.json",
  },
} as const satisfies Record<string, AdminCallSpec>;

/** How many levels the body of a call may nest: it wraps bodies of the service. */
export const maxAdminDepth = maxDepth + 10;

type Calls = typeof adminCalls;

export type AdminCallId = keyof Calls;

export const adminCallIds = Object.keys(adminCalls) as readonly AdminCallId[];

/** A row of the table, for code that handles every call in the same way. */
export function adminCall(
  id: AdminCallId,
): AdminCallSpec & { readonly method: Method; readonly path: string } {
  const { call } = adminCalls[id];
  const [method, path] = call.split(" ") as [Method, string];
  return { ...adminCalls[id], method, path };
}

/** The calls with a JSON response: not the report. */
export type JsonCallId = Exclude<AdminCallId, "getReport">;

/** The values of the parameters in a path. */
type PathParams<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: N extends "id" ? number : string } & PathParams<Rest>
  : unknown;

/** Path parameters, query and body of a call. */
export type AdminInput<Id extends AdminCallId> = AnyAdminInput &
  PathParams<Calls[Id]["call"]> &
  (Calls[Id] extends { readonly query: infer File extends SchemaFile }
    ? { readonly query: SchemaTypes[File] }
    : { readonly query?: never }) &
  (Calls[Id] extends { readonly request: infer File extends SchemaFile }
    ? { readonly body: SchemaTypes[File] }
    : { readonly body?: never });

export type AdminResponse<Id extends AdminCallId> = Calls[Id] extends {
  readonly response: infer File extends SchemaFile;
}
  ? SchemaTypes[File]
  : Done;

/** Makes admin calls in a world: in this process, over HTTP, or from the inspector. */
export type AdminClient = <Id extends JsonCallId>(
  id: Id,
  input: AdminInput<Id>,
) => Promise<AdminResponse<Id>>;

/** `AdminInput` of any call. */
export interface AnyAdminInput {
  readonly id?: number;
  readonly name?: string;
  readonly query?: object;
  readonly body?: unknown;
}

/** The path below `/__admin` of a call, with parameters and query filled in. */
export function adminTarget(id: AdminCallId, input: AnyAdminInput): string {
  const path = adminCall(id)
    .path.replace("{id}", String(input.id))
    .replace("{name}", encodeURIComponent(String(input.name)));
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}
