import express, { type Express as ExpressApp, type NextFunction, type Request, type Response } from "express";
import { MockError } from "../contract/mock-error.js";
import type { World } from "../world/world.js";
import { defaultWorld, type Worlds } from "../world/worlds.js";
import { type AdminParts, adminRoutes, refusalStatus } from "./admin-routes.js";
import { sendJson } from "./send.js";
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
export function createApp(parts: AdminParts & ServiceParts): ExpressApp {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.set("query parser", false);
  app.use(enterWorld(parts.worlds));
  app.use("/__admin", adminRoutes(parts));
  app.use(serviceRoutes(parts));
  return app;
}

/** `/worlds/w3/api/user` is `/api/user` in the world w3: from here on, nobody sees the prefix. */
function enterWorld(worlds: Worlds) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const [, name, rest] = req.url.startsWith("/worlds/")
      ? (/^\/worlds\/([^/?]*)(.*)$/.exec(req.url) ?? [])
      : [];
    try {
      res.locals.world = worlds.enter(name ?? defaultWorld);
    } catch (error) {
      if (!(error instanceof MockError)) throw error;
      const { code, summary: message } = error;
      sendJson(res, refusalStatus(code), { success: 0, error: { code, message } });
      return;
    }
    if (rest !== undefined) {
      req.url = rest.startsWith("/") ? rest : `/${rest}`;
    }
    next();
  };
}
