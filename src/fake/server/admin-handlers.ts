import { fieldOf } from "../../foundation/json.js";
import type { Done, Fault, JournalEntry, SchemaFile } from "../../generated/types.js";
import {
  type AdminInput,
  type AdminResponse,
  type AnyAdminInput,
  adminCall,
  type JsonCallId,
} from "../contract/admin-calls.js";
import { MockError } from "../contract/mock-error.js";
import { type InputSchema, loadInputSchemas, type Schemas } from "../contract/schemas.js";
import { checkFixture } from "../service/seed.js";
import { listTests, showEntry, showPage, showPast } from "../world/journal/show-journal.js";
import type { ServedWorld } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import { showAssumptions } from "./show-assumptions.js";

/** The files of the inspector. */
export type PageFile = "index.html" | "inspector.js" | "inspector.css";

/** What the admin API needs from the server. */
export interface AdminParts {
  readonly worlds: Worlds;
  /** The report of one world, or of all worlds, as HTML in pieces. */
  readonly report: (url: string, only: ServedWorld | undefined) => Iterable<string>;
  /** What is known of a failed test, as text. @param error its type and message */
  readonly describe: (entries: JournalEntry[], faults: Fault[], error?: string) => string;
  /** A file of the inspector. */
  readonly readPage: (file: PageFile) => string;
}

type Handlers = {
  readonly [Id in JsonCallId]: (
    context: AdminParts & { readonly world: ServedWorld; readonly schemas: Schemas<InputSchema> },
    input: AdminInput<Id>,
  ) => AdminResponse<Id> | Promise<AdminResponse<Id>>;
};

/** The response to an admin call that returns nothing. */
const done: Done = { status: "ok" };

/** What each admin call does, for HTTP routes and the methods of `World`. */
const adminHandlers: Handlers = {
  health: ({ worlds, world }) => worlds.health(world),
  reset: ({ worlds, world }, { body }) => {
    worlds.reset(world, body.label);
    return done;
  },
  listHistory: ({ worlds, world }) => ({ history: worlds.parts.journals.of(world.name).map(showPast) }),
  exportState: ({ world }) => world.groups.export(),
  importState: ({ world, schemas }, { body }) => {
    world.load(checkFixture(body, { schemas, behaviour: world.behaviour }));
    return done;
  },
  listGroups: ({ world }) => ({ groups: world.groups.list() }),
  addGroup: ({ world }, { body }) => world.addGroup(body),
  listRequests: ({ world }, { query }) => showPage(world.findJournal(query.epoch), query),
  clearRequests: ({ world }) => {
    world.journal.clear();
    return done;
  },
  waitForRequests: async ({ world }, { body }) => {
    const entries = await world.journal.wait(body);
    return { requests: entries.map(showEntry) };
  },
  getRequest: ({ world }, { id }) => showEntry(world.entry(id)),
  getRequestBody: ({ world }, { id, query }) => world.entry(id, query.epoch).bodies,
  describe: ({ world: { journal, faults }, describe }, { body: { error } }) => {
    const { requests } = showPage(journal, {});
    return { text: describe(requests, faults.list(journal), error) };
  },
  listFaults: ({ world: { journal, faults } }) => ({ faults: faults.list(journal) }),
  armFault: ({ world }, { body }) => world.faults.arm(body),
  clearFaults: ({ world }) => {
    world.faults.clear();
    return done;
  },
  removeFault: ({ world }, { id }) => {
    world.faults.remove(id);
    return done;
  },
  releaseFault: ({ world }, { id }) => world.faults.release(id),
  listAssumptions: ({ world }) => showAssumptions(world.behaviour),
  assume: ({ world }, { body }) => showAssumptions(world.assume(body)),
  listWorlds: ({ worlds }) => worlds.list(),
  listTests: ({ worlds }) => listTests(worlds.tests()),
  dropWorld: ({ worlds }, { name }) => {
    worlds.drop(name);
    return done;
  },
  openApi: async () => (await import("../../generated/openapi-document.js")).openApi,
};

/** The report of one world or of all worlds, as HTML in pieces. */
export async function renderReport(parts: AdminParts, url: string, world: string, query: unknown) {
  checkInput("report.query.json", query, await loadInputSchemas());
  const only = fieldOf(query, "worlds") === "all" ? undefined : parts.worlds.peek(world);
  return parts.report(url, only);
}

/** Validates the input of an admin call, then runs its handler. GET does not create a world. */
export async function handleAdminCall<Id extends JsonCallId>(
  id: Id,
  parts: AdminParts,
  worldName: string,
  { query, body, ...params }: AnyAdminInput,
): Promise<AdminResponse<Id>> {
  const spec = adminCall(id);
  const isRead = spec.method === "GET";
  const schemas = await loadInputSchemas();
  const { worlds } = parts;
  const world = isRead ? worlds.peek(worldName) : worlds.enter(worldName);
  const given = body === undefined && spec.bodyIsOptional ? {} : body;
  const input = {
    ...params,
    query: spec.query && checkInput(spec.query, query, schemas),
    body: spec.request && checkInput(spec.request, given, schemas),
  };
  if (!isRead) worlds.parts.happened();
  // The types are generated from the schemas that were just checked.
  return adminHandlers[id]({ ...parts, world, schemas }, input as AdminInput<Id>);
}

/** What invalid input is, by its schema, if it is not a request. */
const inputNames: { readonly [File in SchemaFile]?: "fault" | "group" } = {
  "fault.request.json": "fault",
  "group.request.json": "group",
};

function checkInput(file: SchemaFile, value: unknown, schemas: Schemas<InputSchema>): unknown {
  // `load` validates a state like other fixtures, and `assume` compares with the tables.
  if (file === "fixture.json" || file === "assumptions.request.json") return value;
  const problems = schemas.shippedProblems(file as InputSchema, value);
  if (problems.length === 0) return value;
  const name = inputNames[file] ?? "request";
  throw new MockError(`invalid_${name}`, `Invalid ${name}:`, problems);
}
