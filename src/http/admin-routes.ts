import express, { type Request, type Response, type Router } from "express";
import { openApiDocument } from "../contract/openapi.js";
import type { Schemas } from "../contract/schemas.js";
import { maxAdminBytes, maxAdminDepth, maxStateBytes } from "../foundation/json.js";
import { MockError } from "../foundation/mock-error.js";
import { type Failure, isFailure, statusOf } from "../service/failures.js";
import type { World } from "../world/world.js";
import type { Worlds } from "../world/worlds.js";
import { type Body, type BodyRules, readBody, refuseType } from "./body.js";
import { streamEvents } from "./events.js";
import { inspectorRoutes } from "./inspector.js";
import { sendAdminFailure, sendJson } from "./send.js";

const bodyRules = {
  limit: maxAdminBytes,
  maxDepth: maxAdminDepth,
  whenTooLarge: "Send less.",
  acceptAnyType: () => false,
};

export interface AdminParts {
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
  readonly report: (defect: unknown) => void;
}

/** What an admin call asks for. */
interface AdminCall {
  readonly world: World;
  readonly req: Request;
  /** The number in the path. */
  readonly id: number;
  /** The JSON of a PUT, or of a POST that has one. */
  readonly body: unknown;
  /** Told when the caller goes away. */
  readonly gone: () => AbortSignal;
}

/** Does one admin call, and gives what to answer where there is something to tell. */
type Handler = (call: AdminCall) => unknown;

/** The admin API of every world. */
export function adminRoutes({ worlds, version, schemas, report }: AdminParts): Router {
  const router = express.Router({ caseSensitive: true, strict: true });

  route("/health", { GET: ({ world }) => worlds.health(world.name) });
  route("/reset", { POST: ({ world }) => world.reset() });
  const state = {
    GET: ({ world }: AdminCall) => world.state(),
    PUT: ({ world, body }: AdminCall) => world.load(body),
  };
  route("/state", state, { ...bodyRules, limit: maxStateBytes });
  route("/groups", { GET: ({ world }) => world.groups() });
  route("/requests", {
    GET: ({ world, req }) => world.requests(filterOf(req)),
    DELETE: ({ world }) => world.clearRequests(),
  });
  route("/requests.har", { GET: ({ world, req }) => world.har(baseUrlOf(req)) });
  route("/requests/wait", {
    POST: async ({ world, body, gone }) => ({ requests: await world.waitForRequests(body ?? {}, gone()) }),
  });
  route("/requests/:id/body", { GET: ({ world, id }) => world.requestBody(id) });
  route("/requests/:id", { GET: ({ world, id }) => world.request(id) });
  route("/faults", {
    GET: ({ world }) => world.faults(),
    POST: ({ world, body }) => world.armFault(body),
    DELETE: ({ world }) => world.clearFaults(),
  });
  route("/faults/:id", { DELETE: ({ world, id }) => world.removeFault(id) });
  route("/faults/:id/release", { POST: ({ world, id }) => world.releaseFault(id) });
  route("/assumptions", {
    GET: ({ world }) => world.assumptions(),
    PATCH: ({ world, body }) => world.assume(body),
  });
  route("/worlds", { GET: () => worlds.list(), DELETE: () => worlds.dropAll() });
  route("/worlds/:name", { DELETE: ({ req }) => worlds.drop(String(req.params.name)) });
  route("/snapshots", { POST: ({ world }) => world.snapshot() });
  route("/snapshots/:id", { DELETE: ({ world, id }) => world.forget(id) });
  route("/snapshots/:id/restore", { POST: ({ world, id }) => world.restore(id) });
  route("/openapi.json", { GET: ({ req }) => openApiDocument({ version, basePath: pathOf(req), schemas }) });
  router.use(inspectorRoutes());
  router.all("/events", (req, res) => {
    if (req.method === "GET") streamEvents(res.locals.world, req, res);
    else refuseMethod(req, res, "GET");
  });
  router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for what there is.`;
    sendAdminFailure(res, 404, { code: "not_found", message });
  });
  return router;

  function route(path: string, handlers: Readonly<Record<string, Handler>>, rules = bodyRules): void {
    const allow = Object.keys(handlers).join(", ");
    router.all(path, async (req, res) => {
      const handler = handlers[req.method];
      if (handler !== undefined) return handle(handler, rules, req, res);
      refuseMethod(req, res, allow);
    });
  }

  async function handle(handler: Handler, rules: BodyRules, req: Request, res: Response): Promise<void> {
    try {
      const body = mayHaveBody(req) ? await bodyOf(req, rules) : noBody(req);
      if (body === undefined) return;
      if (isFailure(body)) return sendAdminFailure(res, statusOf(body.code), body);
      const gone = () => goneOf(res);
      const call = { world: res.locals.world, req, id: idOf(req.params.id), body: body.json, gone };
      sendJson(res, 200, (await handler(call)) ?? { status: "ok" });
    } catch (error) {
      if (error instanceof MockError) {
        const { code, summary, details } = error;
        return sendAdminFailure(res, refusalStatus(code), { code, message: summary, details });
      }
      report(error);
      const message = "A defect of the mock; its log has the cause.";
      sendAdminFailure(res, 500, { code: "internal", message });
    }
  }
}

function refuseMethod({ method }: Request, res: Response, allow: string): void {
  const message = `${method} means nothing here; ${allow} does.`;
  sendAdminFailure(res, 405, { code: "method_not_allowed", message }, { Allow: allow });
}

function goneOf(res: Response): AbortSignal {
  const gone = new AbortController();
  if (res.closed) gone.abort();
  else res.once("close", () => gone.abort());
  return gone.signal;
}

/** Ids count from 1, in plain digits; 0 is nobody's. */
function idOf(given: string | string[] | undefined): number {
  return /^[1-9]\d{0,14}$/.test(String(given)) ? Number(given) : 0;
}

/** A POST that says all by its path needs none. */
function mayHaveBody({ method, headers }: Request): boolean {
  if (method === "PUT" || method === "PATCH") return true;
  const sent = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return method === "POST" && sent;
}

function bodyOf(req: Request, rules: BodyRules): Promise<Body | Failure | undefined> {
  return new Promise((resolve) => readBody(req, rules, resolve));
}

/** A form of a web page says what it is even when it sends nothing: only JSON may change something. */
function noBody({ method, headers: { "content-type": type } }: Request): Body | Failure {
  const refused = method === "GET" || type === undefined ? undefined : refuseType(type, bodyRules);
  if (refused === undefined) return { json: undefined };
  return { ...refused, message: `${refused.message} Or send no type: there is no body.` };
}

/** The status that says it to a client that reads no code. */
export function refusalStatus(code: string): number {
  if (code.startsWith("unknown_")) return 404;
  if (code.startsWith("too_many_")) return 429;
  return statuses[code] ?? 400;
}

const statuses: Readonly<Record<string, number>> = { timeout: 408, let_go: 409, invalid_world: 404 };

function filterOf(req: Request): Record<string, unknown> {
  const query = new URLSearchParams(req.url.split(/\?(.*)/s)[1]);
  return Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      /^(after|limit)$/.test(name) && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** The path of the world that was asked, as the caller wrote it: `` or `/worlds/w3`. */
function pathOf({ originalUrl }: Request): string {
  return originalUrl.slice(0, originalUrl.indexOf("/__admin/"));
}

function baseUrlOf(req: Request): string {
  // HTTP/1.0 needs no Host, and --allow-host may name what is no part of a URL.
  const origin = `${req.protocol}://${req.headers.host ?? ""}`;
  return `${URL.canParse(origin) ? origin : `${req.protocol}://localhost`}${pathOf(req)}`;
}
