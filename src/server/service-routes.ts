import type { raw as expressRaw, Request, RequestHandler, Response } from "express";
import type { AssumptionId, AssumptionValues } from "../contract/assumptions.js";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import { defaultWorld } from "../contract/world-name.js";
import type { Operation } from "../generated/types.js";
import { readBody } from "./body.js";
import { type RequestParts, ServiceRequest } from "./service-request.js";

interface ServiceHandlers
  extends Readonly<Record<"open" | "options" | "wrongMethod" | "notFound", RequestHandler>> {
  operation(id: Operation): RequestHandler[];
  /** For paths that exist only under an assumption. */
  onlyIf<Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]): RequestHandler;
}

/** The handlers of the service. `open` comes first, so that the journal has every request whatever happens. */
export function serviceHandlers(parts: RequestParts, raw: typeof expressRaw): ServiceHandlers {
  const whenTooLarge = "Send a smaller body, or start with a larger --body-limit.";
  const read = readBody(raw, parts.bodyLimit, whenTooLarge);
  const open: RequestHandler = (req, res, next) => {
    // The first request to the service of a world creates the world.
    const { epoch } = parts.worlds.enter(readWorldName(req));
    res.locals.request = new ServiceRequest(req, res, epoch, parts);
    next();
  };
  const operation = (id: Operation): RequestHandler[] => [
    (req, res, next) => {
      currentRequest(res).entry.operation = id;
      read(req, res, next);
    },
    (_req, res, next) => currentRequest(res).handle(id, next),
  ];
  const onlyIf =
    <Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]): RequestHandler =>
    (req, res, next) => {
      if (currentRequest(res).entry.decisions.decide(id) === value) next();
      else notFound(req, res, next);
    };
  const options: RequestHandler = (_req, res) => currentRequest(res).respond({ status: 204 });
  const wrongMethod: RequestHandler = ({ method }, res) => {
    const message = `${method} is not supported. The service has ${methods}.`;
    currentRequest(res).reject({ code: "method_not_allowed", message });
  };
  const notFound: RequestHandler = ({ method, path }, res) => {
    const message = `There is no ${method} ${path}. The service is at ${servicePath}, the admin API under /__admin/.`;
    currentRequest(res).reject({ code: "not_found", message });
  };
  return { open, operation, onlyIf, options, wrongMethod, notFound };
}

/** Not `req.params.world`, which is decoded: a world has one URL. */
export function readWorldName({ baseUrl }: Request): string {
  if (!baseUrl.startsWith("/worlds")) return defaultWorld;
  const [, , name = ""] = baseUrl.split("/");
  return name;
}

function currentRequest({ locals }: Response): ServiceRequest {
  if (locals.request === undefined) throw new Error("No request was opened before this handler.");
  return locals.request;
}

const methods = operationIds
  .map((id) => `${operations[id].method} (${operations[id].summary.toLowerCase()})`)
  .join(" and ");
