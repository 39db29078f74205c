import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express, IRoute, IRouter, NextFunction, Request, RequestHandler, Response } from "express";
import type { Operation } from "../../generated/types.js";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import type { SituationId } from "../contract/situations.js";
import type { AdminParts } from "./admin-handlers.js";
import { adminRoutes, openInspector, readWorldName } from "./admin-routes.js";
import { type GuardRules, guard } from "./guard.js";
import { handleError } from "./handle-error.js";
import { readBody } from "./read-body.js";
import { sendEmpty } from "./send-response.js";
import { type RequestParts, ServiceRequest } from "./service-request.js";

/** The Express app that serves everything: the service, worlds, the admin API and the inspector. */
export async function createApp(parts: AdminParts & RequestParts & GuardRules) {
  // Loaded by the first start: most test files of a user import this package, and fewer start a mock.
  const { default: express } = await import("express");
  // A router that matches nothing continues in a setImmediate, which fake timers replace. So each router ends in a
  // handler for what is not found and in an error handler.
  const newRouter = () => express.Router({ caseSensitive: true, strict: true });
  const { pages, admin: adminOnly } = guard(parts);
  let madeAdmin: RequestHandler | undefined;
  /** Makes the routes of the admin API for its first request: they take 5 % of an import with the first start. */
  const admin: RequestHandler = (req, res, next) => {
    madeAdmin ??= adminRoutes(parts, express, newRouter()).use(handleError);
    madeAdmin(req, res, next);
  };
  const whenTooLarge = "Send a smaller body, or start with a larger --body-limit.";
  const read = readBody(express.raw, parts.bodyLimit, whenTooLarge);

  const app = express();
  app.disable("x-powered-by").enable("case sensitive routing").enable("strict routing");
  app.use(pages);
  const world = serveWorld(newRouter()).use(rejectPath, handleError);
  serveWorld(app).use("/worlds/:world", world).use(rejectPath, handleError);
  return { handle: app, classes: requestClasses(app) };

  /** The routes of a world: the default one is at /, every other at /worlds/:world. */
  function serveWorld(world: IRouter): IRouter {
    serveOperations(world.route(servicePath));
    serveOperations(world.route(withSlash).all(unlessRejected("trailing slash")));
    world.post("/videos", unlessRejected("POST /videos"), serve("rotate"));
    // The page uses relative URLs, which need the slash.
    world.get("/__admin", adminOnly, (_req, res) => sendEmpty(res.location("__admin/"), 302));
    world.use("/__admin", adminOnly, admin);
    world.get("/", openInspector);
    // Browsers request it. In the journal it would be a failed request.
    world.get("/favicon.ico", (_req, res) => sendEmpty(res, 204));
    return world;
  }

  function serveOperations(route: IRoute): void {
    for (const id of operationIds) {
      const { method } = operations[id];
      route[method.toLowerCase() as Lowercase<typeof method>](serve(id));
    }
    // Express would run the handlers of GET for HEAD, and respond to OPTIONS itself.
    route.head(rejectMethod("HEAD")).options(respondToOptions).all(rejectMethod("other method"));
  }

  /** Every handler calls it first, so that the journal has the request whatever happens. It may create the world. */
  function opened(req: Request, res: Response): ServiceRequest {
    res.locals.request ??= new ServiceRequest(req, res, parts.worlds.enter(readWorldName(req)), parts);
    return res.locals.request;
  }

  function serve(id: Operation): RequestHandler {
    return (req, res, next) => {
      const request = opened(req, res);
      request.entry.operation = id;
      read(req, res, (error?: unknown) => request.handle(id, next, error));
    };
  }

  /** For paths that the document does not show. */
  function unlessRejected(situation: "trailing slash" | "POST /videos"): RequestHandler {
    return (req, res, next) => {
      if (opened(req, res).entry.decisions.outcome(situation) === "accepted") next();
      else rejectPathIn(situation, req, res);
    };
  }

  function rejectPath(req: Request, res: Response): void {
    rejectPathIn("other path", req, res);
  }

  function rejectPathIn(situation: SituationId, req: Request, res: Response): void {
    const message = `There is no ${req.method} ${req.path}. The service is at ${servicePath}, the admin API under /__admin/.`;
    opened(req, res).reject(situation, message);
  }

  function respondToOptions(req: Request, res: Response, next: NextFunction): void {
    const request = opened(req, res);
    if (request.entry.decisions.outcome("OPTIONS") === "no content") request.respondWithoutContent();
    else rejectMethod("OPTIONS")(req, res, next);
  }

  function rejectMethod(situation: "HEAD" | "OPTIONS" | "other method"): RequestHandler {
    return (req, res) => {
      const all = Object.values(operations).map(
        ({ method, summary }) => `${method} (${summary.toLowerCase()})`,
      );
      const message = `${req.method} is not supported. The service has ${all.join(" and ")}.`;
      opened(req, res).reject(situation, message);
    };
  }
}

const withSlash: string = `${servicePath}/`;

type RequestClasses = Pick<ServerOptions, "IncomingMessage" | "ServerResponse">;

/**
 * The classes of an app's requests and responses, for `createServer`.
 *
 * Express sets the prototype of every request and response to `app.request` and `app.response`. V8 then forgets what it
 * knows about the shape of these objects, and each request takes more than twice the processor time
 * (expressjs/express#5998). With these classes Express finds the prototypes that it wants already in place. The class
 * syntax matters: other ways to construct such objects are nearly as slow as plain Express.
 */
function requestClasses(app: Express): RequestClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    /** Express would use `Object.create(null)`, which V8 stores as a dictionary: 5 % of a request. */
    locals = {};
  }
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request);
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
