import type {
  AdminAnswer,
  AdminCallId,
  adminCalls,
  JsonCallId,
  PathParams,
} from "../contract/admin-calls.js";
import { openApiDocument } from "../contract/openapi.js";
import type { Schemas } from "../contract/schemas.js";
import type { Done } from "../generated/types.js";
import type { HostedWorld } from "./hosted-world.js";
import { failureList } from "./journal/failure-list.js";
import { sendCall } from "./send-call.js";
import type { Worlds } from "./worlds.js";

/** What every handler can use. */
export interface AdminContext {
  readonly worlds: Worlds;
  readonly world: HostedWorld;
  /** The base URL of the world, as the caller wrote it. */
  readonly baseUrl: string;
  /** Where this server can be reached from this machine. */
  readonly address: string;
  readonly version: string;
  readonly schemas: Schemas;
  /** Aborted when the caller goes away. */
  readonly gone?: () => AbortSignal;
}

/** What came with a call. Query and body are not validated yet. */
type HandlerInput<Id extends AdminCallId> = PathParams<(typeof adminCalls)[Id]["call"]> & {
  readonly query?: unknown;
  readonly body?: unknown;
};

type Handlers = {
  readonly [Id in JsonCallId]: (
    context: AdminContext,
    input: HandlerInput<Id>,
  ) => AdminAnswer<Id> | Promise<AdminAnswer<Id>>;
};

/** What each admin call does. HTTP routes and the methods of `World` both end here. */
export const adminHandlers: Handlers = {
  health: ({ worlds, world }) => worlds.health(world),
  reset: ({ world }, { body = {} }) => done(world.reset(body)),
  listHistory: ({ world }) => world.history(),
  listPastRequests: ({ world }, { id, query }) => world.pastRequests(id, query),
  exportState: ({ world }) => world.state(),
  importState: ({ world }, { body }) => done(world.load(body)),
  listGroups: ({ world }) => world.groups(),
  addGroup: ({ world }, { body }) => world.addGroup(body),
  listRequests: ({ world }, { query }) => world.requests(query),
  sendRequest: ({ world, schemas, address, gone }, { body }) => {
    return sendCall(world, body, { schemas, address, gone: gone?.() });
  },
  clearRequests: ({ world }) => done(world.clearRequests()),
  exportHar: ({ world, baseUrl }) => world.har(baseUrl),
  waitForRequests: async ({ world, gone }, { body = {} }) => {
    return { requests: await world.waitForRequests(body, gone?.()) };
  },
  getRequest: ({ world }, { id }) => world.request(id),
  getRequestBody: ({ world }, { id, query }) => world.requestBody(id, query),
  listFaults: ({ world }) => world.faults(),
  armFault: ({ world }, { body }) => world.armFault(body),
  clearFaults: ({ world }) => done(world.clearFaults()),
  removeFault: ({ world }, { id }) => done(world.removeFault(id)),
  releaseFault: ({ world }, { id }) => world.releaseFault(id),
  listAssumptions: ({ world }) => world.assumptions(),
  assume: ({ world }, { body }) => world.assume(body),
  listWorlds: ({ worlds }) => worlds.list(),
  listFailures: ({ worlds }) => failureList(worlds.all()),
  dropWorlds: ({ worlds }) => done(worlds.dropAll()),
  dropWorld: ({ worlds }, { name }) => done(worlds.drop(name)),
  takeSnapshot: ({ world }) => world.snapshot(),
  restoreSnapshot: ({ world }, { id }) => done(world.restore(id)),
  forgetSnapshot: ({ world }, { id }) => done(world.forget(id)),
  openApi: ({ baseUrl, version, schemas }) => {
    return openApiDocument({ version, basePath: new URL(baseUrl).pathname.replace(/\/$/, ""), schemas });
  },
};

/** The answer to a call that returns nothing. */
function done(_: unknown): Done {
  return { status: "ok" };
}

/** Runs the handler of a call whose id is known only at run time. */
export async function handleAdminCall<Id extends JsonCallId>(
  id: Id,
  context: AdminContext,
  input: HandlerInput<Id>,
): Promise<AdminAnswer<Id>> {
  return adminHandlers[id](context, input);
}
