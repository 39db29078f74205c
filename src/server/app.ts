import type { IRoute, IRouter } from "express";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import type { AdminParts } from "./admin-handlers.js";
import { adminRoutes, openInspector } from "./admin-routes.js";
import { type GuardRules, guard } from "./guard.js";
import { handleError } from "./handle-error.js";
import { requestClasses } from "./request-classes.js";
import type { RequestParts } from "./service-request.js";
import { serviceHandlers } from "./service-routes.js";

type AppParts = AdminParts & RequestParts & { readonly guard: GuardRules };

/** The Express app that serves everything: the service, worlds, the admin API and the inspector. */
export async function createApp(parts: AppParts) {
  // Loaded by the first start: most test files of a user import this package, and fewer start a mock.
  const { default: express } = await import("express");
  // A router that matches nothing continues in a setImmediate, which fake timers replace. So each router ends in a
  // handler for what is not found and in an error handler.
  const newRouter = () => express.Router({ caseSensitive: true, strict: true });
  const { pages, admin: adminOnly } = guard(parts.guard);
  const service = serviceHandlers(parts, express.raw);

  const admin = adminRoutes(parts, express, newRouter()).use(handleError);

  const app = express();
  app.disable("x-powered-by").enable("case sensitive routing").enable("strict routing");
  app.use(pages);
  const notFound = [service.open, service.notFound, handleError];
  const world = serveWorld(newRouter()).use(notFound);
  // Without a name, /worlds is rejected like every other name that a world cannot have.
  serveWorld(app).use("/worlds{/:world}", world).use(notFound);
  return { handle: app, classes: requestClasses(app) };

  /** The routes of a world: the default one is at /, every other at /worlds/:world. */
  function serveWorld(world: IRouter): IRouter {
    serve(world.route(servicePath).all(service.open));
    serve(world.route(withSlash).all(service.open, service.onlyIf("trailing-slash", "accepted")));
    world.post(
      "/videos",
      service.open,
      service.onlyIf("videos-path", "rotates"),
      service.operation("rotate"),
    );
    world.use("/__admin", adminOnly, admin);
    world.get("/", openInspector);
    // Browsers request it. In the journal it would be a failed request.
    world.get("/favicon.ico", (_req, res) => void res.status(204).end());
    return world;
  }

  function serve(route: IRoute): void {
    for (const id of operationIds) {
      const { method } = operations[id];
      route[method.toLowerCase() as Lowercase<typeof method>](service.operation(id));
    }
    // Express would run the handlers of GET for HEAD, and respond to OPTIONS itself.
    route.head(service.wrongMethod).options(service.options).all(service.wrongMethod);
  }
}

const withSlash: string = `${servicePath}/`;
