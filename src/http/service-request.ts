import type { Request, Response } from "express";
import type { Bodies } from "../contract/operations.js";
import type { Schemas } from "../contract/schemas.js";
import type { Operation } from "../generated/types.js";
import { authenticate } from "../service/authenticate.js";
import { checkBody } from "../service/check-body.js";
import { Decisions } from "../service/decisions.js";
import { type Failure, failureReply, isFailure, plainReply, type Reply } from "../service/failures.js";
import { perform } from "../service/operations.js";
import type { GroupStore } from "../store/group-store.js";
import type { Epoch } from "../world/epoch.js";
import { applyFault, type InjectedRule, injectFailure } from "../world/faults/inject-fault.js";
import type { Entry } from "../world/journal/journal.js";
import { maskBody } from "../world/journal/mask.js";
import type { Delivered, PlannedResponse } from "../world/planned-response.js";
import type { Worlds } from "../world/worlds.js";
import { arrivingText } from "./arriving-text.js";
import {
  announcesBody,
  type Body,
  type BodyRules,
  bodyFailure,
  missingBody,
  parseBody,
  refuseHead,
  refuseType,
} from "./body.js";
import { rejectionInsteadOf, respondAtTheLatest, wasCut } from "./connections.js";
import { sendReply, wireOf } from "./send.js";

/** What a request to the service needs from the server. */
export interface RequestParts {
  readonly worlds: Pick<Worlds, "issuerOf">;
  readonly schemas: Schemas;
  readonly bodyRules: BodyRules;
  /** The failure that the run around this mock injects into a request, if any. */
  readonly inject?: InjectFailure | undefined;
  /** Called with a bug of the mock. */
  readonly report: (bug: unknown) => void;
  /** Called with every request once its journal entry is complete. */
  readonly answered: ((world: string, entry: Entry, epoch: Epoch) => void) | undefined;
}

export type InjectFailure = (
  world: string,
  operation: Operation,
  body: unknown,
  groups: GroupStore,
) => InjectedRule | undefined;

/** The team of a request, and the version of the groups that it was looked up in. */
interface Authenticated {
  readonly operation: Operation;
  readonly teamId: number;
  readonly version: number;
}

/**
 * A request to the service on its way to a response. Its journal entry opens before anything else happens, and is
 * complete before the client can have the last byte. The methods are in the order in which they are called.
 */
export class ServiceRequest {
  readonly epoch: Epoch;
  readonly entry: Entry;
  readonly #req: Request;
  readonly #res: Response;
  readonly #parts: RequestParts;
  #caller: Authenticated | undefined;

  constructor(req: Request, res: Response, parts: RequestParts) {
    const { method, url, headers, rawHeaders } = req;
    let size = url.length;
    for (const text of rawHeaders) size += text.length;
    this.#req = req;
    this.#res = res;
    this.#parts = parts;
    this.epoch = res.locals.world.epoch;
    const { journal, assumptions, pinned } = this.epoch;
    this.entry = journal.open({ method, path: url, headers, size }, new Decisions(assumptions, pinned));
  }

  get method(): string {
    return this.#req.method;
  }

  /** Without the query. */
  get path(): string {
    return this.#req.path;
  }

  /** Whether the body is to be read. If not, the request has been rejected: authentication comes first. */
  begin(operation: Operation): boolean {
    const { entry, epoch } = this;
    entry.operation = operation;
    const teamId = authenticate(this.#req.headers.authorization, epoch.groups, entry.decisions);
    if (typeof teamId !== "number") {
      this.#rejectWithBody(teamId);
      return false;
    }
    const failure = this.#refuseBody();
    if (failure !== undefined) {
      this.#reject(failure);
      return false;
    }
    this.#caller = { operation, teamId, version: epoch.groups.version };
    return true;
  }

  /** Rejects a request for its API token. What arrives of its body within a second is kept for the journal. */
  #rejectWithBody(failure: Failure): void {
    const { groups } = this.epoch;
    const isIssued = (token: string) =>
      groups.withToken(token) !== undefined ||
      groups.teamOf(token) !== undefined ||
      this.#parts.worlds.issuerOf(token) !== undefined;
    const end = arrivingText(this.#req, this.#parts.bodyRules.limit, (text) => {
      if (text !== undefined) this.entry.text = maskBody(text, isIssued);
      this.#reject(failure);
    });
    respondAtTheLatest(this.#res, end);
  }

  #refuseBody(): Failure | undefined {
    const { headers } = this.#req;
    if (!announcesBody(this.#req)) return missingBody(this.method);
    const acceptsAnyType = () => this.entry.decisions.decide("content-type") === "accepted";
    return (
      refuseType(headers["content-type"], acceptsAnyType) ?? refuseHead(this.#req, this.#parts.bodyRules)
    );
  }

  /** The body has been read: validates it, then performs the operation, or what a fault makes of it. */
  perform(): void {
    const { entry, epoch } = this;
    const { inject } = this.#parts;
    const { operation, teamId } = this.#authenticated;
    const body = this.#checkedBody();
    if (isFailure(body)) {
      this.#reject(body);
      return;
    }
    const operate = () => this.#operate(body.checked);
    const injected = inject?.(this.#world, operation, body.checked, epoch.groups);
    const fault = injected ? undefined : epoch.faults.claim(operation, body.checked, teamId);
    entry.fault = fault?.id ?? null;
    if (injected !== undefined) this.#respondLater((left) => injectFailure(injected, operate, entry, left));
    else if (fault !== undefined) this.#respondLater((left) => applyFault(fault, operate, entry, left));
    else this.respond(operate());
  }

  #checkedBody(): { readonly checked: Bodies[Operation] } | Failure {
    const { entry } = this;
    const body = this.#parse();
    if (isFailure(body)) return body;
    if (body.notes !== undefined) entry.note(...body.notes);
    const { operation } = this.#authenticated;
    const checked = checkBody(operation, body.json, this.#parts.schemas, entry.decisions);
    if (isFailure(checked)) return checked;
    if (checked.notes.length > 0) entry.note(...checked.notes);
    return { checked: checked.body };
  }

  get #authenticated(): Authenticated {
    if (this.#caller === undefined) throw new Error("The request has not begun.");
    return this.#caller;
  }

  get #world(): string {
    return this.#res.locals.world.name;
  }

  #parse(): Body | Failure {
    const bytes: unknown = this.#req.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return missingBody(this.method);
    return parseBody(bytes, this.#parts.bodyRules, (text) => {
      this.entry.text = text;
    });
  }

  #operate(body: Bodies[Operation]): Reply {
    const { entry, epoch } = this;
    const { groups } = epoch;
    const { operation, teamId, version } = this.#authenticated;
    // The state may have been replaced while the body was on its way, or while a fault held the request.
    const team =
      version === groups.version
        ? teamId
        : authenticate(this.#req.headers.authorization, groups, entry.decisions);
    if (typeof team !== "number") return this.#failed(team);
    const refusal = epoch.refusal();
    if (refusal !== undefined) return this.#failed(refusal);
    const result = perform(operation, groups, body, {
      teamId: team,
      request: entry.id,
      decisions: entry.decisions,
      note: (words) => entry.note(words),
    });
    if (isFailure(result)) {
      this.#noteMixedUpWorlds(result);
      return this.#failed(result);
    }
    entry.performed = result;
    epoch.countEffect(entry.effect, entry.text?.length ?? 0);
    return result;
  }

  #noteMixedUpWorlds({ unknownToken }: Failure): void {
    if (unknownToken === undefined || this.epoch.groups.issued(unknownToken)) return;
    const issuer = this.#parts.worlds.issuerOf(unknownToken);
    if (issuer !== undefined)
      this.entry.note(`current_token is one of the world ${issuer}: is this the base URL that was meant?`);
  }

  #failed(failure: Failure): Reply {
    if (failure.note !== undefined) this.entry.note(failure.note);
    return failureReply(failure, this.entry.decisions);
  }

  #reject(failure: Failure): void {
    this.respond(this.#failed(failure));
  }

  /** Only a fault takes time. When the caller disconnects meanwhile, the entry is complete at once. */
  #respondLater(carryOut: (left: AbortSignal) => Promise<PlannedResponse | undefined>): void {
    const left = new AbortController();
    const leave = () => {
      this.entry.disconnectedMs = this.entry.elapsedMs;
      left.abort();
    };
    // A pipelined response has no socket until those before it are sent: nothing else would close it.
    const connection = this.#res.socket === null ? this.#req.socket.setMaxListeners(0) : this.#res;
    if (connection.destroyed) leave();
    else connection.once("close", leave);
    carryOut(left.signal)
      .finally(() => connection.off("close", leave))
      .then((answer) => (answer === undefined ? this.#abandon() : this.respond(answer)))
      .catch((bug) => this.#failInternally(bug));
  }

  respond(answer: PlannedResponse): void {
    const wire = wireOf(answer, this.entry.id, this.entry.decisions);
    const isLate = answer.dribbleMs !== undefined || answer.fault === "silent";
    sendReply(this.#res, answer, wire, (delivered) => {
      this.#complete(answer, delivered);
      if (isLate) this.#report();
    });
    // The client comes first: others may take their time.
    if (!isLate) this.#report();
  }

  /** The body could not be read, or a step threw. */
  fail(error: unknown): void {
    const failure = bodyFailure(error, this.#req, this.#parts.bodyRules);
    if (failure === undefined) this.#failInternally(error);
    else if (failure === "aborted") this.#abandon();
    else this.#reject(failure);
  }

  /** There is nothing to answer: the client has disconnected, or was rejected because it broke HTTP or was too slow. */
  #abandon(): void {
    const rejection = rejectionInsteadOf(this.#res);
    if (rejection?.note !== undefined) this.entry.note(rejection.note);
    this.#complete(rejection?.answer, rejection?.delivered ?? { delivery: "caller-left" });
    this.#report();
  }

  #complete(answer: PlannedResponse | undefined, delivered: Delivered): void {
    const isCut = delivered.delivery === "caller-left" && wasCut(this.#req.socket);
    this.epoch.complete(this.entry, answer, delivered, isCut);
  }

  #report(): void {
    this.#parts.answered?.(this.#world, this.entry, this.epoch);
  }

  /** A bug of the mock fails this request, not the server. */
  #failInternally(bug: unknown): void {
    const { report } = this.#parts;
    report(bug);
    try {
      if (this.#res.headersSent) this.#res.destroy();
      else this.respond(internal);
    } catch (again) {
      report(again);
      this.#res.destroy();
    }
  }
}

const internal = plainReply({
  code: "internal",
  message: "Internal error in usergroup-mock. See its log for the stack trace.",
});
