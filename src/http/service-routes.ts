import type { raw as expressRaw, RequestHandler } from "express";
import { maxDepth } from "../contract/limits.js";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import type { Operation } from "../generated/types.js";
import type { AssumptionId, AssumptionValues } from "../service/assumptions.js";
import { failureReply, plainReply, type Reply } from "../service/failures.js";
import { readBody } from "./read-body.js";
import { type RequestParts, ServiceRequest } from "./service-request.js";

export interface ServiceParts extends Omit<RequestParts, "bodyRules"> {
  readonly bodyLimit: number;
}

interface ServiceHandlers {
  readonly open: RequestHandler;
  /** Reads the body and performs an operation. */
  readonly perform: (operation: Operation) => RequestHandler[];
  /** What the document does not list is there under an assumption only. */
  readonly onlyIf: <Id extends AssumptionId>(id: Id, value: AssumptionValues[Id]) => RequestHandler;
  readonly options: RequestHandler;
  readonly wrongMethod: RequestHandler;
  readonly notFound: RequestHandler;
}

/** The handlers of the service. Each request is opened first, so that the journal has it whatever happens. */
export function serviceHandlers(parts: ServiceParts, raw: typeof expressRaw): ServiceHandlers {
  const { bodyLimit: limit } = parts;
  const whenTooLarge = "Send less, or start with a larger --body-limit.";
  const requestParts = { ...parts, bodyRules: { limit, maxDepth, whenTooLarge } };
  return {
    open: (req, res, next) => {
      res.locals.request = new ServiceRequest(req, res, requestParts);
      next();
    },
    perform: (operation) => [
      handler((request, next) => {
        if (request.begin(operation)) next();
      }),
      readBody(raw({ type: () => true, limit }), limit),
      handler((request) => request.perform()),
    ],
    onlyIf: (id, value) =>
      handler((request, next) => {
        if (request.entry.decisions.decide(id) === value) next();
        else request.respond(notFoundReply(request));
      }),
    options: handler((request) => request.respond({ status: 204 })),
    wrongMethod: handler((request) => request.respond(wrongMethodReply(request))),
    notFound: handler((request) => request.respond(notFoundReply(request))),
  };
}

function handler(step: (request: ServiceRequest, next: () => void) => void): RequestHandler {
  return (_req, res, next) => {
    const { request } = res.locals;
    if (request === undefined) throw new Error("No request was opened before this handler.");
    step(request, next);
  };
}

const methods = operationIds.map((id) => `${operations[id].method} (${operations[id].does})`).join(" and ");

function wrongMethodReply({ method, entry }: ServiceRequest): Reply {
  const message = `${method} is not supported. The service has ${methods}.`;
  return failureReply({ code: "method_not_allowed", message }, entry.decisions, method !== "HEAD");
}

function notFoundReply({ method, path }: ServiceRequest): Reply {
  const message = `There is no ${method} ${path}. The service is at ${servicePath}, the admin API under /__admin/.`;
  return plainReply({ code: "not_found", message });
}
