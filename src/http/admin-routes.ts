import type { Request, Response, Router } from "express";
import { type AdminCallId, adminCall, adminCallIds, type JsonCallId } from "../contract/admin-calls.js";
import { failures } from "../contract/failures.js";
import { maxAdminBytes, maxAdminDepth } from "../contract/limits.js";
import { type Schemas, validOr } from "../contract/schemas.js";
import { fieldOf } from "../foundation/json.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import { type SchemaFile, shippedSchemas } from "../generated/shipped-schemas.js";
import { type Failure, isFailure } from "../service/failures.js";
import { handleAdminCall } from "../world/admin-handlers.js";
import type { Worlds } from "../world/worlds.js";
import { type Body, type BodyRules, readBody, refuseType } from "./body.js";
import { streamEvents } from "./events.js";
import { inspectorRoutes, pageHeaders } from "./inspector.js";
import { reportPage } from "./report-page.js";
import { answerDefect, sendAdminFailure, sendLongJson } from "./send-json.js";

export interface AdminParts {
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
  readonly report: (defect: unknown) => void;
}

export function adminRoutes(
  { worlds, version, schemas, report }: AdminParts,
  newRouter: typeof Router,
): Router {
  const router = newRouter({ caseSensitive: true, strict: true });
  for (const [path, idsByMethod] of callsByPath()) {
    router.all(path.replace(/\{(\w+)\}/g, ":$1"), async (req, res) => {
      const id = idsByMethod.get(req.method);
      if (id === undefined) refuseMethod(req, res, [...idsByMethod.keys()].join(", "));
      else if (id === "streamEvents") streamEvents(res.locals.world, req, res);
      else if (id === "getReport") sendReport(req, res);
      else await handle(id, req, res);
    });
  }
  router.use(inspectorRoutes(newRouter));
  router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for what there is.`;
    sendAdminFailure(res, 404, { code: "not_found", message });
  });
  return router;

  function sendReport(req: Request, res: Response): void {
    const parsed = schemas.parse("report.query.json", queryOf(req, undefined));
    try {
      const { worlds: wanted } = validOr(parsed, "invalid_request", "There is no such report:");
      const text = reportPage(worlds.report(res.locals.world, wanted === "all"));
      // The page has a policy of its own, but only a header can keep it out of frames.
      const headers = { ...pageHeaders, "Content-Security-Policy": "frame-ancestors 'none'" };
      const length = Buffer.byteLength(text);
      res.writeHead(200, {
        ...headers,
        "Content-Type": "text/html; charset=utf-8",
        "Content-Length": length,
      });
      res.end(text);
    } catch (error) {
      if (!(error instanceof MockError)) throw error;
      refuseCall(res, error);
    }
  }

  async function handle(id: JsonCallId, req: Request, res: Response): Promise<void> {
    try {
      const { world } = res.locals;
      const { epoch } = world;
      // A caller that leaves while its body is unpacked takes the address of its connection along.
      const address = addressOf(req);
      const body = await bodyOf(req, adminCall(id).maxBytes ?? maxAdminBytes);
      if (body === undefined) return;
      if (isFailure(body)) return sendAdminFailure(res, failures[body.code].status, body);
      epoch.assertOpen();
      const context = {
        worlds,
        world,
        version,
        schemas,
        baseUrl: baseUrlOf(req),
        address,
        gone: () => goneOf(res),
      };
      const params = { id: idOf(req.params.id, adminCall(id).path), name: String(req.params.name) };
      const input = { ...params, query: queryOf(req, adminCall(id).query), body: body.json };
      await sendLongJson(res, await handleAdminCall(id, context, input));
    } catch (error) {
      if (error instanceof MockError && !res.headersSent) refuseCall(res, error);
      else answerDefect(error, res, report);
    }
  }
}

function refuseCall(res: Response, { code, summary, details }: MockError): void {
  sendAdminFailure(res, refusalStatus(code), { code, message: summary, details });
}

function callsByPath(): Map<string, Map<string, AdminCallId>> {
  const paths = new Map<string, Map<string, AdminCallId>>();
  for (const id of adminCallIds) {
    const { path, method } = adminCall(id);
    paths.set(path, (paths.get(path) ?? new Map()).set(method, id));
  }
  return paths;
}

function refuseMethod({ method }: Request, res: Response, allow: string): void {
  const message = `${method} means nothing here; ${allow} does.`;
  sendAdminFailure(res, 405, { code: "method_not_allowed", message }, { Allow: allow });
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
  throw new MockError(code, `${JSON.stringify(given)} is no id of ${what}: ids are whole numbers from 1.`);
}

/** What has ids, by the first part of the path. */
const unknownIds: Readonly<Record<string, readonly [MockErrorCode, string]>> = {
  history: ["unknown_epoch", "an epoch"],
  requests: ["unknown_request", "a request"],
  faults: ["unknown_fault", "a fault"],
  snapshots: ["unknown_snapshot", "a snapshot"],
};

/** The body of a PUT or PATCH, or of a POST that has one. */
function bodyOf(req: Request, limit: number): Promise<Body | Failure | undefined> | Body | Failure {
  const { method, headers } = req;
  const rules: BodyRules = {
    limit,
    maxDepth: maxAdminDepth,
    whenTooLarge: "Send less. A larger seed is a fixture: start with --fixtures.",
    acceptAnyType: () => false,
  };
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (method === "PUT" || method === "PATCH" || (method === "POST" && hasBody)) {
    return new Promise((resolve) => readBody(req, rules, resolve));
  }
  // An HTML form names its type even when it sends nothing: only JSON may change something.
  const type = headers["content-type"];
  const refused = method === "GET" || type === undefined ? undefined : refuseType(type, rules);
  if (refused === undefined) return { json: undefined };
  return { ...refused, message: `${refused.message} Or send no type: there is no body.` };
}

/** The HTTP status that fits the code of a refusal. */
function refusalStatus(code: string): number {
  if (code.startsWith("unknown_")) return 404;
  if (code.startsWith("too_many_")) return 429;
  return statuses[code] ?? 400;
}

const statuses: Readonly<Record<string, number>> = {
  timeout: 408,
  let_go: 409,
  group_exists: 409,
  invalid_world: 404,
};

/** A query is text; what its schema calls an integer becomes a number. */
function queryOf(req: Request, schema: SchemaFile | undefined): Record<string, unknown> {
  const properties = schema && fieldOf(shippedSchemas[schema], "properties");
  const isInteger = (name: string) => fieldOf(fieldOf(properties, name), "type") === "integer";
  const query = new URLSearchParams(req.url.split(/\?(.*)/s)[1]);
  return Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      isInteger(name) && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** The base URL of the world, as the caller wrote it. */
function baseUrlOf(req: Request): string {
  const { protocol, headers, originalUrl } = req;
  // HTTP/1.0 needs no Host, and --allow-host may name one that is no part of a URL.
  const origin = `${protocol}://${headers.host ?? ""}`;
  const path = originalUrl.slice(0, originalUrl.indexOf("/__admin/"));
  return `${URL.canParse(origin) ? origin : `${protocol}://localhost`}${path}`;
}

/** Where this server can be reached from this machine: where this call came in. */
function addressOf({ protocol, socket }: Request): string {
  // An IPv4 address on an IPv6 socket has a prefix, a link-local one the name of its network interface.
  const address = (socket.localAddress ?? "127.0.0.1").replace(/^::ffff:/, "").replace(/%.*/, "");
  return `${protocol}://${address.includes(":") ? `[${address}]` : address}:${socket.localPort}`;
}
