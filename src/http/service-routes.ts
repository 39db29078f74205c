import type { ServerResponse } from "node:http";
import { maxDepth } from "../contract/limits.js";
import { operationIds, operations, servicePath } from "../contract/operations.js";
import type { Schemas } from "../contract/schemas.js";
import type { Operation } from "../generated/types.js";
import { authenticate } from "../service/authenticate.js";
import { checkBody } from "../service/check-body.js";
import type { Decisions } from "../service/decisions.js";
import { type Failure, failureReply, isFailure, plainReply, type Reply } from "../service/failures.js";
import { perform } from "../service/operations.js";
import type { UserGroups } from "../service/user-groups.js";
import type { Answer } from "../world/answer.js";
import { noRoom } from "../world/budget.js";
import type { Epoch } from "../world/epoch.js";
import type { HostedWorld } from "../world/hosted-world.js";
import { type OrderedFailure, underFault, underOrder } from "../world/inject-fault.js";
import type { Entry } from "../world/journal.js";
import type { Worlds } from "../world/worlds.js";
import { type Body, type BodyRules, readBody } from "./body.js";
import { type CallWatchers, OpenCall } from "./open-call.js";
import type { ServerRequest } from "./server-request.js";

export interface ServiceParts extends CallWatchers {
  readonly worlds: Pick<Worlds, "issuerOf">;
  readonly schemas: Schemas;
  readonly bodyLimit: number;
  /** The failure that the run around this mock orders for a call, if any. */
  readonly inject?: InjectFailure | undefined;
}

export type InjectFailure = (
  world: string,
  operation: Operation,
  body: unknown,
  groups: UserGroups,
) => OrderedFailure | undefined;

/** A call that may be made, and how its body is to be read. */
interface Accepted extends BodyRules {
  readonly operation: Operation;
  /** The header, and the version of the groups that it was checked against. */
  readonly authorization: string | undefined;
  readonly teamId: number;
  readonly version: number;
}

/** Everything below a world that is not the admin API. */
export function serviceRoutes(parts: ServiceParts) {
  const { worlds, schemas, bodyLimit, inject } = parts;
  return (req: ServerRequest, res: ServerResponse, world: HostedWorld): void => {
    const call = new OpenCall(req, res, world, parts);
    call.attempt(() => {
      const accepted = accept(findOperation(req, call.entry.decisions), req, call);
      if ("status" in accepted) call.finish(accepted);
      else readBody(req, accepted, (body) => call.attempt(() => arrived(call, accepted, body)));
    });
  };

  function arrived(call: OpenCall, accepted: Accepted, body: Body | Failure | undefined): void {
    if (body === undefined) call.abandon();
    else call.answer(answerTo(accepted, body, call));
  }

  function accept(
    found: Operation | Reply,
    req: ServerRequest,
    { epoch, entry }: OpenCall,
  ): Accepted | Reply {
    if (typeof found !== "string") return found;
    const { decisions } = entry;
    const { authorization } = req.headers;
    entry.operation = found;
    const teamId = authenticate(authorization, epoch.groups, decisions);
    if (typeof teamId !== "number") return failed(entry, teamId);
    return {
      operation: found,
      authorization,
      teamId,
      version: epoch.groups.version,
      limit: bodyLimit,
      maxDepth,
      whenTooLarge: "Send less, or start with a larger --body-limit.",
      acceptAnyType: () => decisions.decide("content-type") === "accepted",
      arrived: (text) => {
        entry.text = text;
      },
    };
  }

  function answerTo(
    { operation, authorization, teamId, version }: Accepted,
    body: Body | Failure,
    { world, epoch, entry }: OpenCall,
  ): Answer | Promise<Answer> {
    if (isFailure(body)) return failed(entry, body);
    const { decisions, id } = entry;
    if (body.notes !== undefined) entry.note(...body.notes);
    const checked = checkBody(operation, body.json, schemas, decisions);
    if (isFailure(checked)) return failed(entry, checked);
    if (checked.notes.length > 0) entry.note(...checked.notes);
    const { groups } = epoch;
    const note = (words: string) => entry.note(words);
    const keep = (bytes: number) => (epoch.keep(bytes) ? undefined : full);
    const operate = () => {
      // The state may have been replaced while the body was on its way, or a fault held the call.
      const team = version === groups.version ? teamId : authenticate(authorization, groups, decisions);
      if (typeof team !== "number") return failed(entry, team);
      const caller = { teamId: team, request: id, decisions, note, size: entry.text?.length ?? 0, keep };
      const result = perform(operation, groups, checked.body, caller);
      if (!isFailure(result)) {
        entry.performed = result;
        return result;
      }
      noteMixedUpWorlds(result, epoch, entry);
      return failed(entry, result);
    };
    const order = inject?.(world.name, operation, checked.body, groups);
    if (order !== undefined) return underOrder(order, operate, entry);
    const fault = epoch.faults.claim(operation, checked.body, teamId);
    if (fault === undefined) return operate();
    entry.fault = fault.id;
    return underFault(fault, operate, entry);
  }

  function noteMixedUpWorlds({ unknownToken }: Failure, { groups }: Epoch, entry: Entry): void {
    if (unknownToken === undefined || groups.issued(unknownToken)) return;
    const issuer = worlds.issuerOf(unknownToken);
    if (issuer !== undefined)
      entry.note(`current_token is one of the world ${issuer}: is this the base URL that was meant?`);
  }
}

function failed(entry: Entry, failure: Failure): Reply {
  if (failure.note !== undefined) entry.note(failure.note);
  return failureReply(failure, entry.decisions);
}

const full: Failure = { code: "payload_too_large", message: noRoom };

/** GET /api/user and POST /api/user; what else is a path of the service depends on assumptions. */
function findOperation({ method, url }: ServerRequest, decisions: Decisions): Operation | Reply {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (path === "/videos" && method === "POST") {
    return decisions.decide("videos-path") === "rotates" ? "rotate" : notFound(method, path);
  }
  const isThere =
    path === servicePath || (path === `${servicePath}/` && decisions.decide("trailing-slash") === "accepted");
  if (!isThere) return notFound(method, path);
  if (method === "OPTIONS") return { status: 204 };
  return operationByMethod.get(method) ?? wrongMethod(method, decisions);
}

const operationByMethod: ReadonlyMap<string, Operation> = new Map(
  operationIds.map((id) => [operations[id].method, id]),
);

const methods = operationIds.map((id) => `${operations[id].method} ${operations[id].does}`).join(", ");

function wrongMethod(method: string, decisions: Decisions): Reply {
  const message = `${method} is no operation of the service. ${methods}.`;
  return failureReply({ code: "method_not_allowed", message }, decisions, method !== "HEAD");
}

function notFound(method: string, path: string): Reply {
  const message = `There is no ${method} ${path}. The service is at ${servicePath}, the admin API under /__admin/.`;
  return plainReply({ code: "not_found", message });
}
