import express, { type Application } from "express";
import type { World } from "../world/world.js";
import { defaultWorld } from "../world/worlds.js";
import { type AdminParts, adminRoutes } from "./admin-routes.js";
import { type ServiceParts, serviceRoutes } from "./service-routes.js";

declare global {
  namespace Express {
    interface Locals {
      /** The world that this call is made in. */
      world: World;
    }
  }
}

/** The order of things: world → admin or service. */
export function createApp(parts: AdminParts & ServiceParts): Application {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("query parser", false);
  app.use((_req, res, next) => {
    res.locals.world = parts.worlds.enter(defaultWorld);
    next();
  });
  app.use("/__admin", adminRoutes(parts));
  app.use(serviceRoutes(parts));
  return app;
}
