import type { IncomingMessage, ServerResponse } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { MockError, thrown } from "../foundation/mock-error.js";
import type { World } from "../world/world.js";
import { defaultWorld, type Worlds } from "../world/worlds.js";
import { type AdminParts, adminRoutes, refusalStatus } from "./admin-routes.js";
import { Guard, type GuardRules } from "./guard.js";
import { type NodeClasses, nodeClassesFor } from "./node-classes.js";
import { sendAdminFailure, sendRefusal } from "./send.js";
import { type ServiceParts, serviceRoutes } from "./service-routes.js";

declare global {
  namespace Express {
    interface Locals {
      /** The world that this admin call is made in. */
      world: World;
    }
  }
}

export interface App {
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
  /** What Node is to make requests and responses from. */
  readonly classes: NodeClasses;
}

/** The order of things: guard → world → service, or admin API → errors. */
export function createApp(parts: AdminParts & ServiceParts & { readonly guard: GuardRules }): App {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  const guard = new Guard(parts.guard);
  const serve = serviceRoutes(parts);
  app.use((req: Request, res: Response, next: NextFunction) => {
    const isAdmin = adminPath.test(req.url);
    if (!(isAdmin ? guard.admitsAdmin(req, res) : guard.admitsService(req, res))) return;
    const world = enterWorld(parts.worlds, guard, req, res);
    if (world === undefined) return;
    if (isAdmin) {
      res.locals.world = world;
      next();
    } else {
      // At once: its calls need not pass the layers of the admin API.
      serve(req, res, world);
    }
  });
  app.use("/__admin", adminRoutes(parts));
  // Express's own types leave the third argument out: who is called when nobody answered.
  const route = app as (req: IncomingMessage, res: ServerResponse, done: (error: unknown) => void) => void;
  return {
    handle: (req, res) => {
      if (!guard.admits(req, res)) return;
      req.url = pathOf(req.url ?? "/");
      // A browser that shows an answer of ours asks for it; in the journal it would be a call that failed.
      if (req.url === "/favicon.ico") res.writeHead(204).end();
      else route(req, res, (error) => answerError(error, res, parts.report));
    },
    classes: nodeClassesFor(app),
  };
}

const adminPath = /^(?:\/worlds\/[^/?]*)?\/__admin(?:[/?]|$)/;

/**
 * The path of a target in absolute form, whose host the guard has looked at: the rest is as usual. A # is no part of
 * any target; Express would read what stands around it as a URL, and throw where it is none.
 */
function pathOf(target: string): string {
  const path =
    target.startsWith("/") || target === "*" ? target : target.replace(/^[a-z]+:\/\/[^/?#]*\/?/i, "/");
  return path.replaceAll("#", "%23");
}

/**
 * `/worlds/w3/api/user` is `/api/user` in the world w3: from here on, nobody sees the prefix. Undefined where there
 * can be no such world, which has been answered then.
 */
function enterWorld(worlds: Worlds, guard: Guard, req: Request, res: Response): World | undefined {
  if (!req.url.startsWith("/worlds/")) return worlds.enter(defaultWorld);
  const [, name = "", rest = ""] = /^\/worlds\/([^/?]*)(.*)$/.exec(req.url) ?? [];
  if (!worlds.has(name) && !guard.admitsToNewWorld(req, res)) return undefined;
  try {
    const world = worlds.enter(name);
    req.url = rest.startsWith("/") ? rest : `/${rest}`;
    return world;
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    const { code, summary: message } = error;
    sendRefusal(req, res, { status: refusalStatus(code), code, message });
    return undefined;
  }
}

/** What Express itself refuses, such as `%zz` in a path; and a defect of ours. */
function answerError(error: unknown, res: ServerResponse, report: (defect: unknown) => void): void {
  const { status = 500 } = (error ?? {}) as { status?: number };
  if (status === 500) report(error);
  if (res.headersSent) return;
  const message =
    status === 500 ? "A defect of the mock; its log has the cause." : `${thrown(error).message}.`;
  sendAdminFailure(res, status, { code: status === 500 ? "internal" : "bad_request", message });
}
