import { posix } from "node:path";
import { pipeline } from "node:stream/promises";
import type express from "express";
import type { IRoute, Request, RequestHandler, Response, Router } from "express";
import { setImmediate } from "../../foundation/clock.js";
import { fieldOf } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import {
  adminCall,
  adminCallIds,
  type JsonCallId,
  maxAdminDepth,
  type QueryFile,
} from "../contract/admin-calls.js";
import { MockError } from "../contract/mock-error.js";
import { defaultWorld } from "../contract/world-name.js";
import { type AdminParts, handleAdminCall, renderReport } from "./admin-handlers.js";
import { missingBodyMessage, readAdminBody, readBody } from "./read-body.js";
import { endResponse, nosniff, sendEmpty, sendJson } from "./send-response.js";

/** Nothing from another origin, nothing inline: what a test sent is shown, never run. */
const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...nosniff,
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

/** The largest body of an admin call, in bytes: a state of about 65,000 groups. A larger seed has to be a fixture. */
const maxAdminBytes = 10_000_000;

/** The admin API of a world, from the table of admin calls, and the inspector. */
export function adminRoutes(parts: AdminParts, { raw }: Pick<typeof express, "raw">, router: Router): Router {
  const whenTooLarge = "Send a smaller body. For a larger seed, start with --fixtures.";
  const read = readBody(raw, maxAdminBytes, whenTooLarge);
  // Ids count from 1, in plain digits.
  router.param("id", (_req, _res, next, id) => next(/^[1-9]\d{0,14}$/.test(id) ? undefined : "route"));
  for (const path of new Set(adminCallIds.map((id) => adminCall(id).path))) {
    const ids = adminCallIds.filter((id) => adminCall(id).path === path);
    const route = router.route(path.replace(/\{(\w+)\}/g, ":$1"));
    for (const id of ids) {
      const { method } = adminCall(id);
      const body = method === "GET" || method === "DELETE" ? [] : [read, parse];
      const respond = id === "getReport" ? sendReport : callHandler(id);
      route[method.toLowerCase() as Lowercase<typeof method>](body, respond);
    }
    rejectOtherMethods(route, ids.map((id) => adminCall(id).method).join(", "));
  }
  for (const file of ["index.html", "inspector.js", "inspector.css"] as const) {
    const path: string = file === "index.html" ? "/" : `/${file}`;
    const route = router.route(path);
    route.get((_req, res) => endResponse(res.set(pageHeaders).type(file), parts.readPage(file)));
    rejectOtherMethods(route, "GET");
  }
  return router.use(({ method, originalUrl }) => {
    const message = `There is no ${method} ${originalUrl}. See /__admin/openapi.json for all paths.`;
    throw new MockError("not_found", message);
  });

  async function sendReport(req: Request, res: Response): Promise<void> {
    const url = `${req.protocol}://${req.headers.host ?? "localhost"}`;
    const page = await renderReport(parts, url, readWorldName(req), req.query);
    // The page has a policy of its own, but only a header can keep it out of frames.
    res.set({ ...pageHeaders, "Content-Security-Policy": "frame-ancestors 'none'" });
    res.type("html");
    if (req.method === "HEAD") return void res.end();
    await pipeline(inTurns(page), res).catch((error) => {
      if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
    });
  }

  function callHandler(id: JsonCallId): RequestHandler {
    return async (req, res) => {
      const params = { id: Number(req.params.id), name: String(req.params.name) };
      const input = { ...params, query: readQuery(req, adminCall(id).query), body: req.body };
      sendJson(res, 200, await handleAdminCall(id, parts, readWorldName(req), input));
    };
  }
}

/** Other requests get a response between two pieces of a report: writing to a socket may return at once. */
async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

/** An empty body may have any Content-Type. */
const parse: RequestHandler = (req, _res, next) => {
  const bytes: unknown = req.body;
  req.body = undefined;
  if (Buffer.isBuffer(bytes) && bytes.length > 0) {
    req.body = readAdminBody(bytes, req.headers["content-type"], maxAdminDepth);
  } else if (req.method !== "POST") throw new MockError("missing_body", missingBodyMessage(req));
  next();
};

/** Express runs the handlers of GET for HEAD. It would respond to OPTIONS itself. */
function rejectOtherMethods(route: IRoute, methods: string): void {
  const allow = methods.replace("GET", "GET, HEAD");
  route.all((req, res) => {
    res.set("Allow", allow);
    const message = `${req.method} is not allowed here. Use ${allow.replace(/, (?=\w+$)/, " or ")}.`;
    throw new MockError("method_not_allowed", message);
  });
}

/** Not `req.params.world`, which is decoded: a world has one URL. */
export function readWorldName({ baseUrl }: Request): string {
  return /^\/worlds\/([^/]*)/.exec(baseUrl)?.[1] ?? defaultWorld;
}

/** Values of a query are text. Those that are integers by their schema become numbers. */
function readQuery({ query }: Request, schema: QueryFile | undefined): Record<string, unknown> {
  const properties = schema && fieldOf(shippedSchemas[schema], "properties");
  const read = (name: string, value: unknown) => {
    const isInteger = fieldOf(fieldOf(properties, name), "type") === "integer";
    return isInteger && /^-?\d{1,16}$/.test(String(value)) ? Number(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, read(name, value)]));
}

/**
 * A person who opens a base URL wants to see the inspector, and a tool that asks for it waits until the mock is ready.
 * With Authorization, it is a client whose URL lacks the path.
 */
export const openInspector: RequestHandler = (req, res, next) => {
  if (req.headers.authorization !== undefined) return next();
  // Relative, because a proxy may add a prefix. The path of a world may lack the slash at its end.
  const [, last = ""] = /([^/?]*)(\?|$)/.exec(req.originalUrl) ?? [];
  sendEmpty(res.location(posix.join(last, "__admin/")), 302);
};
