import { promises, Readable } from "node:stream";
import type express from "express";
import type { ErrorRequestHandler, IRoute, Request, RequestHandler, Response, Router } from "express";
import { type AdminCallId, adminCall, adminCallIds, type JsonCallId } from "../contract/admin-calls.js";
import { maxAdminBytes, maxAdminDepth } from "../contract/limits.js";
import { type Schemas, validOr } from "../contract/schemas.js";
import { fieldOf } from "../foundation/json.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import { type Failure, isFailure } from "../service/failures.js";
import { handleAdminCall } from "../world/admin-handlers.js";
import type { Epoch } from "../world/epoch.js";
import type { Worlds } from "../world/worlds.js";
import { type BodyRules, bodyFailure, missingBody, parseBody, refuseHead, refuseType } from "./body.js";
import { streamEvents } from "./events.js";
import { inspectorRoutes, pageHeaders } from "./inspector.js";
import { reportPage } from "./report-page.js";
import { sendFailure, sendJson } from "./send-json.js";

export interface AdminParts {
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
  /** Called with a bug of the mock. */
  readonly report: (bug: unknown) => void;
}

declare global {
  namespace Express {
    interface Locals {
      /** What an admin request found before its body was read. A reset or a disconnect may change it meanwhile. */
      before: { readonly epoch: Epoch; readonly address: string };
    }
  }
}

/** The admin API of a world, from the table of admin calls, and the inspector. */
export function adminRoutes(
  { worlds, version, schemas }: AdminParts,
  { raw, static: serveFiles }: typeof express,
  router: Router,
): Router {
  router.use(withoutConditions);
  for (const [path, ids] of callsByPath()) {
    const route = router.route(path.replace(/\{(\w+)\}/g, ":$1"));
    for (const id of ids) {
      const { method } = adminCall(id);
      route[method.toLowerCase() as Lowercase<typeof method>](handlersOf(id));
    }
    refuseOtherMethods(route, ids.map((id) => adminCall(id).method).join(", "));
  }
  inspectorRoutes(router, serveFiles, refuseOtherMethods);
  return router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for what there is.`;
    sendFailure(req, res, 404, { code: "not_found", message });
  });

  function handlersOf(id: AdminCallId): RouteHandlers {
    if (id === "streamEvents") return [streamEvents];
    if (id === "getReport") return [sendReport];
    const { method, maxBytes } = adminCall(id);
    const body = method === "GET" || method === "DELETE" ? [] : readAdminBody(raw, maxBytes);
    return [remember, ...body, (req: Request, res: Response) => answer(id, req, res)];
  }

  async function sendReport(req: Request, res: Response): Promise<void> {
    const parsed = schemas.parse("report.query.json", { ...req.query });
    const { worlds: wanted } = validOr(parsed, "invalid_request", "There is no such report:");
    const page = reportPage(worlds.report(res.locals.world, wanted === "all").pieces);
    // The page has a policy of its own, but only a header can keep it out of frames.
    res.set({ ...pageHeaders, "Content-Security-Policy": "frame-ancestors 'none'" });
    await promises.pipeline(Readable.from(page), res.type("html")).catch((error) => {
      // A client that disconnects is not an error of ours.
      if (!res.destroyed) throw error;
    });
  }

  async function answer(id: JsonCallId, req: Request, res: Response): Promise<void> {
    const { world, before } = res.locals;
    before.epoch.assertOpen();
    const { path, query } = adminCall(id);
    const context = {
      worlds,
      world,
      version,
      schemas,
      baseUrl: baseUrlOf(req),
      address: before.address,
      gone: () => goneOf(res),
    };
    const params = { id: idOf(req.params.id, path), name: String(req.params.name) };
    const input = { ...params, query: queryOf(req, query), body: req.body };
    sendJson(res, 200, await handleAdminCall(id, context, input));
  }
}

type RouteHandlers = (RequestHandler | ErrorRequestHandler)[];

/** Conditional requests are not supported: with `If-None-Match: *`, Express would respond with 304. */
const withoutConditions: RequestHandler = ({ headers }, _res, next) => {
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
  next();
};

const remember: RequestHandler = (req, res, next) => {
  res.locals.before = { epoch: res.locals.world.epoch, address: addressOf(req) };
  next();
};

/** Reads the JSON body, if there is one, into `req.body`. An empty body may have any Content-Type. */
function readAdminBody(raw: typeof express.raw, limit = maxAdminBytes): RouteHandlers {
  const whenTooLarge = "Send less. A larger seed is a fixture: start with --fixtures.";
  const rules: BodyRules = { limit, maxDepth: maxAdminDepth, whenTooLarge };
  const checkHead: RequestHandler = (req, _res, next) => {
    assertBody(refuseHead(req, rules));
    next();
  };
  const parse: RequestHandler = (req, _res, next) => {
    const bytes: unknown = req.body;
    req.body = undefined;
    if (Buffer.isBuffer(bytes) && bytes.length > 0) {
      assertBody(refuseType(req.headers["content-type"], () => false));
      const body = parseBody(bytes, rules);
      if (isFailure(body)) assertBody(body);
      else req.body = body.json;
    } else if (req.method !== "POST") assertBody(missingBody(req.method));
    next();
  };
  const fail: ErrorRequestHandler = (error, req, _res, next) => {
    const failure = bodyFailure(error, req, rules);
    // To a client that has disconnected there is nothing to say.
    if (failure !== "aborted")
      next(failure === undefined ? error : new MockError(failure.code, failure.message));
  };
  return [checkHead, raw({ type: () => true, limit }), parse, fail];
}

function assertBody(failure: Failure | undefined): void {
  if (failure !== undefined) throw new MockError(failure.code, failure.message);
}

function callsByPath(): Map<string, AdminCallId[]> {
  const paths = new Map<string, AdminCallId[]>();
  for (const id of adminCallIds) {
    const { path } = adminCall(id);
    paths.set(path, [...(paths.get(path) ?? []), id]);
  }
  return paths;
}

/** Express would run the handlers of GET for HEAD, and respond to OPTIONS itself. */
function refuseOtherMethods(route: IRoute, allow: string): void {
  const refuse: RequestHandler = (req, res) => {
    const message = `${req.method} is not allowed here. Use ${allow.replace(/, (?=\w+$)/, " or ")}.`;
    sendFailure(req, res, 405, { code: "method_not_allowed", message }, { Allow: allow });
  };
  if (!allow.includes("HEAD")) route.head(refuse);
  route.all(refuse);
}

function goneOf(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}

/** Ids count from 1, in plain digits. A path without one gives 0, which nothing has. */
function idOf(given: string | string[] | undefined, path: string): number {
  if (given === undefined || /^[1-9]\d{0,14}$/.test(String(given))) return Number(given ?? 0);
  const [, folder = ""] = path.split("/");
  const [code, what] = unknownIds[folder] ?? (["invalid_request", "anything"] as const);
  throw new MockError(
    code,
    `${JSON.stringify(given)} is not the id of ${what}. Ids are whole numbers from 1.`,
  );
}

/** What has ids, by the first part of the path. */
const unknownIds: Readonly<Record<string, readonly [MockErrorCode, string]>> = {
  history: ["unknown_epoch", "an epoch"],
  requests: ["unknown_request", "a request"],
  faults: ["unknown_fault", "a fault"],
  snapshots: ["unknown_snapshot", "a snapshot"],
};

/** A query is text; what its schema calls an integer becomes a number. */
function queryOf(req: Request, schema: SchemaFile | undefined): Record<string, unknown> {
  const properties = schema && fieldOf(shippedSchemas[schema], "properties");
  const isInteger = (name: string) => fieldOf(fieldOf(properties, name), "type") === "integer";
  return Object.fromEntries(
    Object.entries(req.query).map(([name, value]) => [
      name,
      isInteger(name) && typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** The base URL of the world, as the client wrote it. */
function baseUrlOf({ protocol, headers, baseUrl }: Request): string {
  // HTTP/1.0 needs no Host, and --allow-host may name one that is no part of a URL.
  const origin = `${protocol}://${headers.host ?? ""}`;
  const path = baseUrl.replace(/\/__admin$/, "");
  return `${URL.canParse(origin) ? origin : `${protocol}://localhost`}${path}`;
}

/** Where this server can be reached from this machine: where this request came in. */
function addressOf({ protocol, socket }: Request): string {
  // An IPv4 address on an IPv6 socket has a prefix, a link-local one the name of its network interface.
  const address = (socket.localAddress ?? "127.0.0.1").replace(/^::ffff:/, "").replace(/%.*/, "");
  return `${protocol}://${address.includes(":") ? `[${address}]` : address}:${socket.localPort}`;
}
