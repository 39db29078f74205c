import type { Request, RequestHandler } from "express";
import { defaultWorld } from "../contract/world-name.js";
import type { HostedWorld } from "../world/hosted-world.js";
import type { Worlds } from "../world/worlds.js";
import type { ServiceRequest } from "./service-request.js";

declare global {
  namespace Express {
    interface Locals {
      world: HostedWorld;
      /** The request to the service. Undefined for one to the admin API. */
      request?: ServiceRequest;
    }
  }
}

/** Not `req.params.world`, which is decoded: a world has one URL. */
export function nameOfWorld({ baseUrl }: Request): string {
  if (!baseUrl.startsWith("/worlds")) return defaultWorld;
  const [, , name = ""] = baseUrl.split("/");
  return name;
}

/** GET does not create a world, except for the event stream: its reader expects the first request. */
export function lookAtWorld(worlds: Worlds): RequestHandler {
  return (req, res, next) => {
    const name = nameOfWorld(req);
    const isRead = req.method === "HEAD" || (req.method === "GET" && req.path !== "/events");
    res.locals.world = isRead ? worlds.findOrPreview(name) : worlds.enter(name);
    next();
  };
}
