import type { RequestListener, ServerResponse } from "node:http";
import { defaultWorld } from "../contract/world-name.js";
import { MockError } from "../foundation/mock-error.js";
import type { HostedWorld } from "../world/hosted-world.js";
import type { Worlds } from "../world/worlds.js";
import { adminApp } from "./admin-app.js";
import type { AdminParts } from "./admin-routes.js";
import { Guard, type GuardRules, type RefusalListener } from "./guard.js";
import { answerDefect, sendRefusal } from "./send-json.js";
import type { ServerRequest } from "./server-request.js";
import { type ServiceParts, serviceRoutes } from "./service-routes.js";

type AppParts = AdminParts &
  ServiceParts & { readonly guard: GuardRules; readonly refused?: RefusalListener | undefined };

/**
 * The order of things: guard → world → service or admin API. A call of the service does not go through Express, which
 * would add 3 to 10 % to what it costs.
 */
export function createApp(parts: AppParts): RequestListener {
  const guard = new Guard(parts.guard, parts.refused);
  const serve = serviceRoutes(parts);
  const administer = adminApp(parts);
  return (req, res) => {
    try {
      receive(req as ServerRequest, res);
    } catch (defect) {
      answerDefect(defect, res, parts.report);
    }
  };

  function receive(req: ServerRequest, res: ServerResponse): void {
    if (!guard.admits(req, res)) return;
    const target = targetPath(req.url);
    req.url = target;
    // A browser that shows an answer asks for this; in the journal it would be a failed call.
    if (target === "/favicon.ico") res.writeHead(204).end();
    else if (isVisit(req))
      res.writeHead(302, { Location: `${target.replace(/\/?(\?.*)?$/, "")}/__admin/` }).end();
    else route(req, res, target);
  }

  function route(req: ServerRequest, res: ServerResponse, target: string): void {
    const isAdmin = adminPath.test(target);
    if (!(isAdmin ? guard.admitsAdmin(req, res) : guard.admitsService(req, res))) return;
    const world = enterWorld(parts.worlds, guard, req, res);
    if (world === undefined) return;
    if (isAdmin) administer(req, res, { world, target });
    else serve(req, res, world);
  }
}

const worldPrefix = "/worlds/";
const adminPath = /^(?:\/worlds\/[^/?]*)?\/__admin(?:[/?]|$)/;

/** Somebody opens a base URL in a browser: the inspector is what they want to see. */
function isVisit({ method, url, headers }: ServerRequest): boolean {
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
function enterWorld(
  worlds: Worlds,
  guard: Guard,
  req: ServerRequest,
  res: ServerResponse,
): HostedWorld | undefined {
  if (!req.url.startsWith(worldPrefix)) return worlds.enter(defaultWorld);
  const path = req.url.slice(worldPrefix.length);
  const end = path.search(/[/?]|$/);
  const name = path.slice(0, end);
  const rest = path.slice(end);
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
