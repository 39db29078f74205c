import type { raw as expressRaw, Request, RequestHandler, Response } from "express";
import type { AssumptionId, AssumptionValues } from "../contract/assumptions.js";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import type { Operation } from "../generated/types.js";
import type { Rejection } from "../service/result.js";
import { readBody } from "./body.js";
import { readWorldName } from "./enter-world.js";
import { type RequestParts, ServiceRequest } from "./service-request.js";

export interface ServiceParts extends RequestParts {
  readonly bodyLimit: number;
}

/** The handlers of the service. `open` comes first, so that the journal has every request whatever happens. */
export interface ServiceHandlers
  extends Readonly<Record<"open" | "options" | "wrongMethod" | "notFound", RequestHandler>> {
  readonly operation: (operation: Operation) => RequestHandler[];
  /** For paths that exist only under an assumption. */
  readonly onlyIf: <Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]) => RequestHandler;
}

export function serviceHandlers(parts: ServiceParts, raw: typeof expressRaw): ServiceHandlers {
  const whenTooLarge = "Send a smaller body, or start with a larger --body-limit.";
  const read = readBody(raw, { limit: parts.bodyLimit, whenTooLarge });
  return {
    open(req, res, next) {
      // The first request to the service of a world creates the world.
      res.locals.world = parts.worlds.enter(readWorldName(req));
      res.locals.request = new ServiceRequest(req, res, parts);
      next();
    },
    operation: (operation) => [
      (req, res, next) => {
        currentRequest(res).entry.operation = operation;
        read(req, res, next);
      },
      (_req, res) => currentRequest(res).handle(operation),
    ],
    onlyIf: (id, value) => (req, res, next) => {
      const request = currentRequest(res);
      if (request.entry.decisions.decide(id) === value) next();
      else request.reject(unknownPath(req));
    },
    options: (_req, res) => currentRequest(res).respond({ status: 204 }),
    wrongMethod({ method }, res) {
      const message = `${method} is not supported. The service has ${methods}.`;
      currentRequest(res).reject({ code: "method_not_allowed", message });
    },
    notFound: (req, res) => currentRequest(res).reject(unknownPath(req)),
  };
}

function currentRequest({ locals }: Response): ServiceRequest {
  if (locals.request === undefined) throw new Error("No request was opened before this handler.");
  return locals.request;
}

const methods = operationIds.map((id) => `${operations[id].method} (${operations[id].does})`).join(" and ");

function unknownPath({ method, path }: Request): Rejection {
  const message = `There is no ${method} ${path}. The service is at ${servicePath}, the admin API under /__admin/.`;
  return { code: "not_found", message };
}
