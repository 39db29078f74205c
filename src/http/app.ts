import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { defaultWorld } from "../contract/world-name.js";
import { MockError, thrown } from "../foundation/mock-error.js";
import type { HostedWorld } from "../world/hosted-world.js";
import type { Worlds } from "../world/worlds.js";
import { type AdminParts, adminRoutes } from "./admin-routes.js";
import { Guard, type GuardRules, type RefusalListener } from "./guard.js";
import { type NodeClasses, nodeClassesFor } from "./node-classes.js";
import { sendAdminFailure, sendRefusal } from "./send-json.js";
import { type ServiceParts, serviceRoutes } from "./service-routes.js";

declare global {
  namespace Express {
    interface Locals {
      /** The world that an admin call is made in. */
      world: HostedWorld;
    }
  }
}

export interface MockApp {
  readonly handle: (req: IncomingMessage, res: ServerResponse) => void;
  /** The classes that Node makes requests and responses from. */
  readonly classes: NodeClasses;
}

type AppParts = AdminParts &
  ServiceParts & { readonly guard: GuardRules; readonly refused?: RefusalListener | undefined };

/** The order of things: guard → world → service or admin API → errors. */
export async function createApp(parts: AppParts): Promise<MockApp> {
  const { default: express } = await import("express");
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  const guard = new Guard(parts.guard, parts.refused);
  const serve = serviceRoutes(parts);
  app.use((req, res, next) => {
    const isAdmin = adminPath.test(req.url);
    if (!(isAdmin ? guard.admitsAdmin(req, res) : guard.admitsService(req, res))) return;
    const world = enterWorld(parts.worlds, guard, req, res);
    if (world === undefined) return;
    if (!isAdmin) {
      serve(req, res, world);
      return;
    }
    res.locals.world = world;
    next();
  });
  app.use("/__admin", adminRoutes(parts, express.Router));
  // Express's types leave out the third argument: it is called when no route answered.
  const route = app as (req: IncomingMessage, res: ServerResponse, done: (error: unknown) => void) => void;
  return {
    handle: (req, res) => {
      if (!guard.admits(req, res)) return;
      req.url = targetPath(req.url ?? "/");
      // A browser that shows an answer asks for this; in the journal it would be a failed call.
      if (req.url === "/favicon.ico") res.writeHead(204).end();
      else if (isVisit(req))
        res.writeHead(302, { Location: `${req.url.replace(/\/?(\?.*)?$/, "")}/__admin/` }).end();
      else route(req, res, (error) => answerError(error, res, parts.report));
    },
    classes: nodeClassesFor(app),
  };
}

const adminPath = /^(?:\/worlds\/[^/?]*)?\/__admin(?:[/?]|$)/;

/** Somebody opens a base URL in a browser: the inspector is what they want to see. */
function isVisit({ method, url = "", headers }: IncomingMessage): boolean {
  const acceptsPages = headers.accept?.includes("text/html") ?? false;
  return acceptsPages && method === "GET" && /^(\/worlds\/[^/?]+)?\/?(\?.*)?$/.test(url);
}

/**
 * The path of a target, also of one in absolute form, whose host the guard has checked. A # does not belong in a
 * target: Express would parse it as a URL, and throw.
 */
function targetPath(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?#]*\/?/i, "/");
  return path.includes("#") ? path.replaceAll("#", "%23") : path;
}

/**
 * `/worlds/w3/api/user` is `/api/user` in the world w3: no later step sees the prefix. Undefined when there can be no
 * such world; the call is answered then.
 */
function enterWorld(worlds: Worlds, guard: Guard, req: Request, res: Response): HostedWorld | undefined {
  if (!req.url.startsWith("/worlds/")) return worlds.enter(defaultWorld);
  const [, name = "", rest = ""] = /^\/worlds\/([^/?]*)(.*)$/.exec(req.url) ?? [];
  // A GET brings no world to life, except that of the event stream: its reader expects the first call.
  const isLook = req.method === "GET" && /^\/__admin(?!\/events(?:\?|$))(?:[/?]|$)/.test(rest);
  if (!isLook && !worlds.has(name) && !guard.admitsToNewWorld(req, res)) return undefined;
  try {
    const world = isLook ? worlds.peek(name) : worlds.enter(name);
    req.url = rest.startsWith("/") ? rest : `/${rest}`;
    return world;
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    const code = error.code === "too_many_worlds" ? error.code : "invalid_world";
    sendRefusal(req, res, { code, message: error.summary });
    return undefined;
  }
}

/** What Express itself refuses, such as `%zz` in a path, and defects of the mock. */
function answerError(error: unknown, res: ServerResponse, report: (defect: unknown) => void): void {
  const { status = 500 } = (error ?? {}) as { status?: number };
  if (status === 500) report(error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const message =
    status === 500 ? "A defect of the mock; its log has the cause." : `${thrown(error).message}.`;
  sendAdminFailure(res, status, { code: status === 500 ? "internal" : "bad_request", message });
}
