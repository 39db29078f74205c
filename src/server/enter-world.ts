import type { Request, RequestHandler } from "express";
import { defaultWorld } from "../contract/world-name.js";
import type { ServedWorld } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import type { ServiceRequest } from "./service-request.js";

declare global {
  namespace Express {
    interface Locals {
      world: ServedWorld;
      /** The request to the service. Undefined for one to the admin API. */
      request?: ServiceRequest;
    }
  }
}

/** Not `req.params.world`, which is decoded: a world has one URL. */
export function readWorldName({ baseUrl }: Request): string {
  if (!baseUrl.startsWith("/worlds")) return defaultWorld;
  const [, , name = ""] = baseUrl.split("/");
  return name;
}

/** Finds the world of an admin request, once its body has arrived. GET does not create a world. */
export function enterWorld(worlds: Worlds): RequestHandler {
  return (req, res, next) => {
    const name = readWorldName(req);
    const isRead = req.method === "GET" || req.method === "HEAD";
    res.locals.world = isRead ? worlds.find(name) : worlds.enter(name);
    next();
  };
}
