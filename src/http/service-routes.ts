import type { Request, Response } from "express";
import type { Schemas } from "../contract/schemas.js";
import { maxDepth } from "../foundation/json.js";
import { authenticate } from "../service/authenticate.js";
import { type CheckedBody, checkBody, type Operation } from "../service/check-body.js";
import { type Failure, failureReply, isFailure, plainReply, type Reply } from "../service/failures.js";
import { Rulings } from "../service/rulings.js";
import type { Caller } from "../service/user-groups.js";
import type { Epoch } from "../world/epoch.js";
import type { Entry } from "../world/journal.js";
import type { World } from "../world/world.js";
import type { Worlds } from "../world/worlds.js";
import { type Body, type BodyRules, readBody } from "./body.js";
import { underFault } from "./inject-fault.js";
import { sendReply, wireOf } from "./send.js";

export interface ServiceParts {
  readonly worlds: Pick<Worlds, "whoGaveOut">;
  readonly schemas: Schemas;
  readonly bodyLimit: number;
  /** Told of a defect of ours, which the caller learns nothing of but that there was one. */
  readonly report: (defect: unknown) => void;
  /** Told of every call once it is answered. */
  readonly answered: ((world: string, entry: Entry) => void) | undefined;
}

/** A call of the service on its way to an answer. */
interface Call {
  readonly res: Response;
  readonly world: World;
  readonly epoch: Epoch;
  readonly entry: Entry;
}

/** Everything below a world that is not the admin API. */
export function serviceRoutes({ worlds, schemas, bodyLimit, report, answered }: ServiceParts) {
  return (req: Request, res: Response, world: World): void => {
    const { epoch } = world;
    const { method, url, headers } = req;
    const entry = epoch.journal.open({ method, path: url, headers }, new Rulings(epoch.assumptions));
    const call = { res, world, epoch, entry };
    attempt(call, () => {
      const asked = ask(req, epoch, entry);
      if ("status" in asked) finish(call, asked);
      else readBody(req, asked, (body) => attempt(call, () => arrived(call, asked, body)));
    });
  };

  function attempt(call: Call, work: () => void): void {
    try {
      work();
    } catch (defect) {
      fail(call, defect);
    }
  }

  /** A defect of ours: this call fails of it, not the server. */
  function fail(call: Call, defect: unknown): void {
    report(defect);
    try {
      if (!call.res.headersSent) finish(call, internal);
    } catch (again) {
      report(again);
      call.res.destroy();
    }
  }

  function arrived(call: Call, asked: Asked, body: Body | Failure | undefined): void {
    const { world, epoch, entry } = call;
    if (body === undefined) {
      entry.note("the caller went away before its body had arrived");
      epoch.journal.close(entry, undefined, undefined);
      answered?.(world.name, entry);
      return;
    }
    const reply = answer(asked, body, epoch, entry);
    // Nothing is awaited that is there already: only a fault makes a promise.
    if (reply instanceof Promise)
      reply.then((late) => finish(call, late)).catch((defect) => fail(call, defect));
    else finish(call, reply);
  }

  /** Journal first: whoever has the answer finds the entry complete. */
  function finish({ res, world, epoch, entry }: Call, reply: Reply): void {
    const wire = wireOf(reply, entry.id, entry.rulings);
    epoch.journal.close(entry, reply, wire.headers);
    sendReply(res, reply, wire);
    answered?.(world.name, entry);
  }

  /** What the head of the request says: an operation of a team, or an answer already. */
  function ask(req: Request, { groups }: Epoch, entry: Entry): Asked | Reply {
    const { rulings } = entry;
    if (!isServicePath(req, rulings)) return notFound(req);
    if (req.method === "OPTIONS") return { status: 204 };
    const operation = operationOf(req.method);
    if (operation === undefined) return failed(entry, wrongMethod(req.method));
    entry.operation = operation;
    const teamId = authenticate(req.headers.authorization, groups, rulings);
    if (typeof teamId !== "number") return failed(entry, teamId);
    return {
      operation,
      teamId,
      limit: bodyLimit,
      maxDepth,
      whenTooLarge: "Send less, or start with a larger --body-limit.",
      acceptAnyType: () => rulings.rule("content-type") === "accepted",
      arrived: (text) => {
        entry.text = text;
      },
    };
  }

  function answer({ operation, teamId }: Asked, body: Body | Failure, epoch: Epoch, entry: Entry) {
    if (isFailure(body)) return failed(entry, body);
    const { rulings, id } = entry;
    const checked = checkBody(operation, body.json, schemas, rulings);
    if (isFailure(checked)) return failed(entry, checked);
    if (checked.notes.length > 0) entry.note(...checked.notes);
    const caller = { teamId, request: id, rulings, note: (words: string) => entry.note(words) };
    const operate = () => {
      const done = perform(operation, checked, epoch, caller);
      if (!isFailure(done)) return done;
      const elsewhere =
        done.code === "unknown_token" ? worlds.whoGaveOut(checked.body.current_token) : undefined;
      const mixedUp = elsewhere !== undefined && !epoch.groups.gaveOut(checked.body.current_token);
      if (mixedUp)
        entry.note(`current_token is one of the world ${elsewhere}: is this the base URL that was meant?`);
      return failed(entry, done);
    };
    const fault = epoch.faults.claim(operation, checked.body);
    if (fault === undefined) return operate();
    entry.fault = fault.id;
    return underFault(fault, operate, rulings);
  }
}

/** A call of the service that may be made, and how its body is to be read. */
interface Asked extends BodyRules {
  readonly operation: Operation;
  readonly teamId: number;
}

function failed(entry: Entry, failure: Failure): Reply {
  if (failure.note !== undefined) entry.note(failure.note);
  return failureReply(failure, entry.rulings, entry.head.method !== "HEAD");
}

/** From look-up to change without a pause: of many calls at once exactly one creates, exactly one rotates. */
function perform(
  operation: Operation,
  { body }: CheckedBody,
  { groups }: Epoch,
  caller: Caller,
): Reply | Failure {
  if (operation === "rotate") {
    const rotated = groups.rotate(body, caller);
    return isFailure(rotated) ? rotated : { status: 200, body: rotated };
  }
  const got = groups.getOrCreate(body, caller);
  if (isFailure(got)) return got;
  return { status: got.new_user_group ? Number(caller.rulings.rule("created-status")) : 200, body: got };
}

const internal = plainReply({
  code: "internal",
  message:
    "usergroup-mock failed, which is a defect of the mock and not of your call. Its log has the cause.",
});

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
