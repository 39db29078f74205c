import { pipeline } from "node:stream/promises";
import type express from "express";
import type { IRoute, Request, RequestHandler, Response, Router } from "express";
import { type AdminCallId, adminCall, adminCallIds, type JsonCallId } from "../contract/admin-calls.js";
import { maxAdminBytes, maxAdminDepth } from "../contract/limits.js";
import { setImmediate } from "../foundation/clock.js";
import { fieldOf } from "../foundation/json.js";
import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import { type AdminParts, handleAdminCall, renderReport } from "./admin-handlers.js";
import { assertJsonType, decodeBody, missingBody, readBody, readJsonBody } from "./body.js";
import { enterWorld } from "./enter-world.js";
import { inspectorRoutes, pageHeaders } from "./inspector-routes.js";
import { sendFailure } from "./send-failure.js";

/** The admin API of a world, from the table of admin calls, and the inspector. */
export function adminRoutes(parts: AdminParts, { raw }: Pick<typeof express, "raw">, router: Router): Router {
  const { worlds } = parts;
  router.use(withoutConditions);
  // Ids count from 1, in plain digits.
  router.param("id", (_req, _res, next, id) => next(/^[1-9]\d{0,14}$/.test(id) ? undefined : "route"));
  for (const path of new Set(adminCallIds.map((id) => adminCall(id).path))) {
    const ids = adminCallIds.filter((id) => adminCall(id).path === path);
    const route = router.route(path.replace(/\{(\w+)\}/g, ":$1"));
    for (const id of ids) {
      const { method } = adminCall(id);
      route[method.toLowerCase() as Lowercase<typeof method>](makeHandlers(id));
    }
    rejectOtherMethods(route, ids.map((id) => adminCall(id).method).join(", "));
  }
  inspectorRoutes(router, rejectOtherMethods);
  return router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for all paths.`;
    sendFailure(req, res, 404, { code: "not_found", message });
  });

  function makeHandlers(id: AdminCallId): RequestHandler[] {
    if (id === "getReport") return [enterWorld(worlds), sendReport];
    const { method } = adminCall(id);
    const hasBody = method !== "GET" && method !== "DELETE";
    const body = hasBody ? [readBody(raw, { limit: maxAdminBytes, whenTooLarge }), parse] : [];
    return [...body, enterWorld(worlds), (req: Request, res: Response) => respond(id, req, res)];
  }

  async function sendReport(req: Request, res: Response): Promise<void> {
    const page = renderReport(parts, readOrigin(req), res.locals.world, { ...req.query });
    // The page has a policy of its own, but only a header can keep it out of frames.
    res.set({ ...pageHeaders, "Content-Security-Policy": "frame-ancestors 'none'" });
    res.type("html");
    if (req.method === "HEAD") return void res.end();
    await pipeline(inTurns(page), res).catch((error) => {
      if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }

  async function respond(id: JsonCallId, req: Request, res: Response): Promise<void> {
    const context = {
      ...parts,
      world: res.locals.world,
      gone: () => watchClient(res),
    };
    const params = { id: Number(req.params.id), name: String(req.params.name) };
    const input = { ...params, query: readQuery(req, adminCall(id).query), body: req.body };
    res.set("Cache-Control", "no-store").json(await handleAdminCall(id, context, input));
  }
}

/** Other requests get a response between two pieces of a report: writing to a socket may return at once. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

const whenTooLarge = "Send a smaller body. For a larger seed, start with --fixtures.";

/** An empty body may have any Content-Type. */
const parse: RequestHandler = (req, _res, next) => {
  const bytes: unknown = req.body;
  req.body = undefined;
  if (Buffer.isBuffer(bytes) && bytes.length > 0) {
    assertJsonType(req.headers["content-type"], () => false);
    req.body = readJsonBody(decodeBody(bytes), maxAdminDepth);
  } else if (req.method !== "POST") throw missingBody(req);
  next();
};

/** Conditional requests are not supported: with `If-None-Match: *`, Express would respond with 304. */
const withoutConditions: RequestHandler = ({ headers }, _res, next) => {
  delete headers["if-none-match"];
  delete headers["if-modified-since"];
  next();
};

/** Express runs the handlers of GET for HEAD. It would respond to OPTIONS itself. */
function rejectOtherMethods(route: IRoute, methods: string): void {
  const allow = methods.replace("GET", "GET, HEAD");
  route.all((req, res) => {
    const message = `${req.method} is not allowed here. Use ${allow.replace(/, (?=\w+$)/, " or ")}.`;
    sendFailure(req, res.set("Allow", allow), 405, { code: "method_not_allowed", message });
  });
}

function watchClient(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}

/** Values of a query are text. Those that are integers by their schema become numbers. */
function readQuery(req: Request, schema: SchemaFile | undefined): Record<string, unknown> {
  const properties = schema && fieldOf(shippedSchemas[schema], "properties");
  const isInteger = (name: string) => fieldOf(fieldOf(properties, name), "type") === "integer";
  return Object.fromEntries(
    Object.entries(req.query).map(([name, value]) => [
      name,
      isInteger(name) && typeof value === "string" && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** The origin, as the client wrote it. */
function readOrigin({ protocol, headers }: Request): string {
  // HTTP/1.0 needs no Host, and --allow-host may name one that cannot be part of a URL.
  const origin = `${protocol}://${headers.host ?? ""}`;
  return URL.canParse(origin) ? origin : `${protocol}://localhost`;
}
