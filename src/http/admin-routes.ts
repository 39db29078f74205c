import { promises, Readable } from "node:stream";
import type express from "express";
import type { IRoute, Request, RequestHandler, Response, Router } from "express";
import { type AdminCallId, adminCall, adminCallIds, type JsonCallId } from "../contract/admin-calls.js";
import { maxAdminBytes, maxAdminDepth } from "../contract/limits.js";
import { type Schemas, validOr } from "../contract/schemas.js";
import { fieldOf } from "../foundation/json.js";
import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import { handleAdminCall } from "../world/admin-handlers.js";
import type { Epoch } from "../world/epoch.js";
import type { Worlds } from "../world/worlds.js";
import { assertJsonType, decodeBody, missingBody, parseBody, readBody } from "./body.js";
import { streamEvents } from "./events.js";
import { inspectorRoutes, pageHeaders } from "./inspector.js";
import { reportPage } from "./report-page.js";
import { sendFailure, sendJson } from "./send-json.js";

export interface AdminParts {
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
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
  // Ids count from 1, in plain digits.
  router.param("id", (_req, _res, next, id) => next(/^[1-9]\d{0,14}$/.test(id) ? undefined : "route"));
  for (const path of new Set(adminCallIds.map((id) => adminCall(id).path))) {
    const ids = adminCallIds.filter((id) => adminCall(id).path === path);
    const route = router.route(path.replace(/\{(\w+)\}/g, ":$1"));
    for (const id of ids) {
      const { method } = adminCall(id);
      route[method.toLowerCase() as Lowercase<typeof method>](handlersOf(id));
    }
    refuseOtherMethods(route, ids.map((id) => adminCall(id).method).join(", "));
  }
  inspectorRoutes(router, serveFiles, refuseOtherMethods);
  return router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for all paths.`;
    sendFailure(req, res, 404, { code: "not_found", message });
  });

  function handlersOf(id: AdminCallId): RequestHandler[] {
    if (id === "streamEvents") return [streamEvents];
    if (id === "getReport") return [sendReport];
    const { method, maxBytes: limit = maxAdminBytes } = adminCall(id);
    const hasBody = method !== "GET" && method !== "DELETE";
    const body = hasBody ? [readBody(raw, { limit, whenTooLarge }), parse] : [];
    return [remember, ...body, (req: Request, res: Response) => respond(id, req, res)];
  }

  async function sendReport(req: Request, res: Response): Promise<void> {
    const parsed = schemas.parse("report.query.json", { ...req.query });
    const { worlds: wanted } = validOr(parsed, "invalid_request", "Invalid query for the report:");
    const page = reportPage(worlds.report(res.locals.world, wanted === "all").pieces);
    // The page has a policy of its own, but only a header can keep it out of frames.
    res.set({ ...pageHeaders, "Content-Security-Policy": "frame-ancestors 'none'" });
    await promises.pipeline(Readable.from(page), res.type("html")).catch((error) => {
      // A client that disconnects is not an internal error.
      if (!res.destroyed) throw error;
    });
  }

  async function respond(id: JsonCallId, req: Request, res: Response): Promise<void> {
    const { world, before } = res.locals;
    before.epoch.assertOpen();
    const context = {
      worlds,
      world,
      version,
      schemas,
      baseUrl: baseUrlOf(req),
      address: before.address,
      gone: () => goneOf(res),
    };
    const params = { id: Number(req.params.id), name: String(req.params.name) };
    const input = { ...params, query: queryOf(req, adminCall(id).query), body: req.body };
    sendJson(res, 200, await handleAdminCall(id, context, input));
  }
}

const whenTooLarge = "Send less. For a larger seed, start with --fixtures.";

const remember: RequestHandler = (req, res, next) => {
  res.locals.before = { epoch: res.locals.world.epoch, address: addressOf(req) };
  next();
};

/** An empty body may have any Content-Type. */
const parse: RequestHandler = (req, _res, next) => {
  const bytes: unknown = req.body;
  req.body = undefined;
  if (Buffer.isBuffer(bytes) && bytes.length > 0) {
    assertJsonType(req.headers["content-type"], () => false);
    req.body = parseBody(decodeBody(bytes), maxAdminDepth).json;
  } else if (req.method !== "POST") throw missingBody(req.method);
  next();
};

/** Conditional requests are not supported: with `If-None-Match: *`, Express would respond with 304. */
const withoutConditions: RequestHandler = ({ headers }, _res, next) => {
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
  next();
};

/** Express would run the handlers of GET for HEAD, and respond to OPTIONS itself. */
function refuseOtherMethods(route: IRoute, allow: string): void {
  const refuse: RequestHandler = (req, res) => {
    const message = `${req.method} is not allowed here. Use ${allow.replace(/, (?=\w+$)/, " or ")}.`;
    sendFailure(req, res.set("Allow", allow), 405, { code: "method_not_allowed", message });
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

/** Values of a query are text. Those that are integers by their schema become numbers. */
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
  // HTTP/1.0 needs no Host, and --allow-host may name one that cannot be part of a URL.
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
