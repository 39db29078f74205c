import express, { type Request, type Response, type Router } from "express";
import { MockError } from "../contract/mock-error.js";
import { openApiDocument } from "../contract/openapi.js";
import type { Schemas } from "../contract/schemas.js";
import { isFailure, statusOf } from "../service/failures.js";
import type { Worlds } from "../world/worlds.js";
import { CallerGone, readBody } from "./body.js";
import { sendAdminFailure, sendJson } from "./send.js";

/** A state of some 200,000 groups; the limit of the service's own bodies would not let it through. */
const bodyRules = { limit: 100_000_000, acceptAnyType: () => false };
const noBody = { json: undefined };

export interface AdminParts {
  readonly worlds: Worlds;
  readonly version: string;
  readonly schemas: Schemas;
  readonly report: (defect: unknown) => void;
}

/** Does one admin call to the world of that name, and gives what to answer where there is something to tell. */
type Handler = (world: string, body: unknown) => unknown;

/** The admin API of every world. */
export function adminRoutes({ worlds, version, schemas, report }: AdminParts): Router {
  const router = express.Router({ caseSensitive: true, strict: true });

  route("/health", { GET: (world) => worlds.health(world) });
  route("/reset", { POST: (world) => worlds.reset(world) });
  route("/state", {
    GET: (world) => worlds.state(world),
    PUT: (world, body) => worlds.load(world, body),
  });
  route("/openapi.json", {
    GET: () => openApiDocument({ version, basePath: "/", overlay: schemas.overlay }),
  });
  router.use((req, res) => {
    const message = `There is no ${req.method} ${req.originalUrl}. See /__admin/openapi.json for what there is.`;
    sendAdminFailure(res, 404, { code: "not_found", message });
  });
  return router;

  function route(path: string, handlers: Readonly<Record<string, Handler>>): void {
    const allow = Object.keys(handlers).join(", ");
    router.all(path, async (req, res) => {
      const handler = handlers[req.method];
      if (handler !== undefined) return handle(handler, req, res);
      const message = `${req.method} means nothing here; ${allow} does.`;
      sendAdminFailure(res, 405, { code: "method_not_allowed", message }, { Allow: allow });
    });
  }

  async function handle(handler: Handler, req: Request, res: Response): Promise<void> {
    const { name } = res.locals.world;
    try {
      const body = req.method === "PUT" ? await readBody(req, bodyRules) : noBody;
      if (isFailure(body)) sendAdminFailure(res, statusOf(body.code), body);
      else sendJson(res, 200, handler(name, body.json) ?? { status: "ok" });
    } catch (error) {
      if (error instanceof CallerGone) return;
      if (error instanceof MockError) {
        const { code, summary, details } = error;
        return sendAdminFailure(res, 400, { code, message: summary, details });
      }
      report(error);
      sendAdminFailure(res, 500, {
        code: "internal",
        message: "A defect of the mock; its log has the cause.",
      });
    }
  }
}
