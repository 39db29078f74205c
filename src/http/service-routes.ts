import type { Request, Response } from "express";
import type { Schemas } from "../contract/schemas.js";
import { authenticate } from "../service/authenticate.js";
import { checkBody, type Operation } from "../service/check-body.js";
import {
  type Failure,
  failureReply,
  isFailure,
  plainFailureBody,
  type Reply,
  statusOf,
} from "../service/failures.js";
import { Rulings } from "../service/rulings.js";
import type { World } from "../world/world.js";
import { CallerGone, readBody } from "./body.js";
import { sendReply } from "./send.js";

export interface ServiceParts {
  readonly schemas: Schemas;
  readonly bodyLimit: number;
  /** Told of a defect of ours, which the caller learns nothing of but that there was one. */
  readonly report: (defect: unknown) => void;
  /** Told of every call once it is answered. */
  readonly log: ((call: CallSummary) => void) | undefined;
}

/** A call as a line of the log has it: without tokens and without what was sent. */
export interface CallSummary {
  readonly at: string;
  readonly world: string;
  readonly request: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Why it failed. */
  readonly code: string | undefined;
  readonly durationMs: number;
}

/** One call of the service, from its head to its answer. */
interface Call {
  readonly world: World;
  readonly request: number;
  readonly rulings: Rulings;
}

/** Everything below a world that is not the admin API. */
export function serviceRoutes({ schemas, bodyLimit, report, log }: ServiceParts) {
  return async (req: Request, res: Response): Promise<void> => {
    const world = res.locals.world;
    const call: Call = { world, request: world.journal.open(), rulings: new Rulings(world.assumptions) };
    const began = performance.now();
    try {
      const reply = isServicePath(req, call.rulings) ? await answer(req, call) : notFound(req);
      sendReply(res, reply, call.request, call.rulings);
      log?.(summary(req, call, reply, began));
    } catch (defect) {
      if (defect instanceof CallerGone) return;
      report(defect);
      if (!res.headersSent) sendReply(res, internal, call.request, call.rulings);
    }
  };

  async function answer(req: Request, { world, request, rulings }: Call): Promise<Reply> {
    if (req.method === "OPTIONS") return { status: 204 };
    const operation = operationOf(req.method);
    if (operation === undefined) return failureReply(wrongMethod(req.method), rulings);
    const teamId = authenticate(req.headers.authorization, world.groups, rulings);
    if (typeof teamId !== "number") return failureReply(teamId, rulings);
    const acceptAnyType = () => rulings.rule("content-type") === "accepted";
    const body = await readBody(req, { limit: bodyLimit, acceptAnyType });
    if (isFailure(body)) return failureReply(body, rulings);
    const checked = checkBody(operation, body.json, schemas, rulings);
    if (isFailure(checked)) return failureReply(checked, rulings);
    const caller = { teamId, request, rulings };
    if (operation === "rotate") {
      const rotated = world.groups.rotate(checked.body, caller);
      return isFailure(rotated) ? failureReply(rotated, rulings) : { status: 200, body: rotated };
    }
    const got = world.groups.getOrCreate(checked.body, caller);
    if (isFailure(got)) return failureReply(got, rulings);
    const status = got.new_user_group ? Number(rulings.rule("created-status")) : 200;
    return { status, body: got };
  }
}

const internal = plainReply({
  code: "internal",
  message:
    "usergroup-mock failed, which is a defect of the mock and not of your call. Its log has the cause.",
});

function summary(req: Request, call: Call, reply: Reply, began: number): CallSummary {
  const durationMs = Math.round((performance.now() - began) * 1000) / 1000;
  const { world, request } = call;
  const { method, path } = req;
  const at = new Date().toISOString();
  return {
    at,
    world: world.name,
    request,
    method,
    path,
    status: reply.status,
    code: reply.failure?.code,
    durationMs,
  };
}

function isServicePath({ path, method }: Request, rulings: Rulings): boolean {
  if (path === "/api/user") return true;
  if (path === "/api/user/") return rulings.rule("trailing-slash") === "accepted";
  if (path === "/videos" && method === "POST") return rulings.rule("videos-path") === "rotates";
  return false;
}

function operationOf(method: string): Operation | undefined {
  if (method === "GET") return "get-or-create";
  if (method === "POST") return "rotate";
  return undefined;
}

function wrongMethod(method: string): Failure {
  const message = `${method} is no operation of the service. GET gets or creates a user group, POST rotates its token.`;
  return { code: "method_not_allowed", message };
}

function notFound({ method, path }: Request): Reply {
  const message = `There is no ${method} ${path}. The service is at /api/user, the admin API under /__admin/.`;
  return plainReply({ code: "not_found", message });
}

/** An answer that is not one of the service, so that no assumption shapes it. */
function plainReply(failure: Failure): Reply {
  return { status: statusOf(failure.code), body: plainFailureBody(failure), failure };
}
