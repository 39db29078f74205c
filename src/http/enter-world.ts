import type { RequestHandler } from "express";
import { defaultWorld } from "../contract/world-name.js";
import type { HostedWorld } from "../world/hosted-world.js";
import type { Worlds } from "../world/worlds.js";
import type { Guard } from "./guard.js";
import type { ServiceRequest } from "./service-request.js";

declare global {
  namespace Express {
    interface Locals {
      /** As the URL has it; undefined for the default world. */
      worldName?: string;
      world: HostedWorld;
      /** The request to the service. Undefined for one to the admin API. */
      request?: ServiceRequest;
    }
  }
}

/** Not `req.params.world`, which is decoded: a world has one URL. */
export const nameWorld: RequestHandler = (req, res, next) => {
  res.locals.worldName = req.baseUrl.slice("/worlds/".length);
  next();
};

/** A world is created by the first request to its service. */
export function enterWorld(worlds: Worlds, guard: Guard): RequestHandler {
  return (req, res, next) => {
    const { worldName = defaultWorld } = res.locals;
    if (!worlds.has(worldName) && !guard.admitsToNewWorld(req, res)) return;
    res.locals.world = worlds.enter(worldName);
    next();
  };
}

/** GET does not create a world, except for the event stream: its reader expects the first request. */
export function lookAtWorld(worlds: Worlds, guard: Guard): RequestHandler {
  const enter = enterWorld(worlds, guard);
  return (req, res, next) => {
    if (req.method === "GET" && req.path !== "/events") {
      res.locals.world = worlds.peek(res.locals.worldName ?? defaultWorld);
      next();
    } else enter(req, res, next);
  };
}
