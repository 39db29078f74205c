import type { Request, Response } from "express";
import { maxDepth } from "../contract/limits.js";
import { MockError } from "../contract/mock-error.js";
import type { Bodies } from "../contract/operations.js";
import type { KnownResponses } from "../contract/profile.js";
import type { Schemas } from "../contract/schemas.js";
import { isObject, parseJson } from "../foundation/json.js";
import type { Operation } from "../generated/types.js";
import type { JoinedRun } from "../run/joined-run.js";
import { authenticate } from "../service/authenticate.js";
import { checkBody } from "../service/check-body.js";
import { perform } from "../service/perform.js";
import {
  type Placeholders,
  type Responding,
  reject,
  type ServiceResponse,
  succeed,
} from "../service/respond.js";
import { isRejection, type Rejection } from "../service/result.js";
import type { Epoch } from "../world/epoch.js";
import { applyFault } from "../world/faults/apply-fault.js";
import type { Entry } from "../world/journal/journal.js";
import { maskBody } from "../world/journal/mask.js";
import type { Delivered, SentResponse } from "../world/sent-response.js";
import type { Worlds } from "../world/worlds.js";
import { assertJsonType, decodeBody, isAborted, missingBody, readJsonBody } from "./body.js";
import { internalError, isFailureCode } from "./handle-error.js";
import { InvalidHttp } from "./invalid-http.js";
import { cutByStop } from "./listen.js";
import { sendResponse } from "./send-response.js";

/** What a request to the service needs from the server. */
export interface RequestParts {
  readonly worlds: Pick<Worlds, "issuerOf" | "enter">;
  readonly schemas: Schemas;
  readonly known: KnownResponses;
  /** The run that the mock belongs to, if any. */
  readonly run?: Pick<JoinedRun, "inject" | "completed"> | undefined;
  /** Called with a bug of the mock. */
  readonly report: (bug: unknown) => void;
  /** Called with every request once its journal entry is complete. */
  readonly log?: ((world: string, entry: Entry, epoch: Epoch) => void) | undefined;
}

/** A request that is authenticated and well formed. */
interface Checked {
  readonly teamId: number;
  readonly body: Bodies[Operation];
  readonly notes: readonly string[];
}

/**
 * A request to the service. Its journal entry opens before anything else happens, and is complete before the client can
 * have the last byte. The methods are in the order in which they are called.
 */
export class ServiceRequest {
  readonly epoch: Epoch;
  readonly entry: Entry;
  readonly #req: Request;
  readonly #res: Response;
  readonly #parts: RequestParts;
  readonly #responding: Responding;

  constructor(req: Request, res: Response, parts: RequestParts) {
    const { method, url, headers } = req;
    this.#req = req;
    this.#res = res;
    this.#parts = parts;
    this.epoch = res.locals.world.epoch;
    // Clients that take the mock for a proxy send a URL, which may have a password.
    const path = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
    this.entry = this.epoch.open({ method, path, headers });
    const { apiToken, decisions } = this.entry;
    this.entry.isTokenListed = this.epoch.groups.seed.apiTokens.has(apiToken);
    this.#responding = { known: parts.known, decisions, sent: () => this.#sent() };
  }

  /** What the request sent, for the placeholders of a profile. */
  #sent(): Placeholders {
    const { method, body } = this.#req;
    const json = Buffer.isBuffer(body) ? parseJson(body.toString().replace(/^\uFEFF/, "")) : undefined;
    return { ...(isObject(json) && json), method, path: this.entry.head.path.split("?")[0] };
  }

  /** The body has been read: carries out the operation, or what a fault makes of it. */
  handle(operation: Operation): void {
    const { entry, epoch } = this;
    const checked = this.#check(operation);
    if (isRejection(checked)) {
      this.reject(checked);
      return;
    }
    const { teamId, body, notes } = checked;
    if (notes.length > 0) entry.notes.push(...notes);
    const injected = this.#parts.run?.inject(this.#res.locals.world.name, operation, body, epoch, entry.id);
    const claimed = injected === undefined ? epoch.faults.claim(operation, body, teamId) : undefined;
    entry.fault = claimed?.id ?? null;
    const fault = injected ?? claimed;
    if (fault === undefined) {
      this.respond(this.#operate(operation, checked));
      return;
    }
    // The state may be replaced while the request waits.
    const operate = () => this.#operate(operation, this.#check(operation));
    this.#respondLater((gone) => applyFault(fault, operate, entry, gone));
  }

  /** Whose request it is and what it asks for, or why it is rejected. Throws if the body is not JSON. */
  #check(operation: Operation): Checked | Rejection {
    const { entry } = this;
    const { decisions } = entry;
    const { headers, body: bytes } = this.#req;
    const hasBody = Buffer.isBuffer(bytes) && bytes.length > 0;
    const teamId = this.#authenticate();
    if (typeof teamId !== "number") {
      if (hasBody) entry.text ??= this.#masked(bytes);
      return teamId;
    }
    if (!hasBody) throw missingBody(this.#req);
    assertJsonType(headers["content-type"], () => decisions.decide("content-type") === "accepted");
    entry.text ??= decodeBody(bytes);
    const json = readJsonBody(entry.text, maxDepth);
    const checked = checkBody(operation, json, this.#parts.schemas, decisions);
    return isRejection(checked) ? checked : { teamId, ...checked };
  }

  #authenticate(): number | Rejection {
    return authenticate(this.#req.headers.authorization, this.epoch.groups, this.entry.decisions);
  }

  /** The client may be one of production: tokens that this mock did not issue are masked. */
  #masked(bytes: Buffer): string {
    const { groups } = this.epoch;
    const isKnown = (token: string) =>
      groups.withToken(token) !== undefined || groups.seed.apiTokens.has(token);
    return maskBody(bytes.toString(), isKnown);
  }

  #operate(operation: Operation, checked: Checked | Rejection): ServiceResponse {
    const { entry, epoch } = this;
    const { decisions } = entry;
    if (isRejection(checked)) return this.#rejected(checked);
    const note = (words: string) => void entry.notes.push(words);
    const lostBy = (request: number) => epoch.journal.get(request)?.lostBy;
    const context = { teamId: checked.teamId, request: entry.id, decisions, note, lostBy };
    const result = perform(operation, epoch.groups, checked.body, context);
    if (isRejection(result)) {
      this.#noteMixedUpWorlds(result);
      return this.#rejected(result);
    }
    entry.performed = result;
    return succeed(result, this.#responding);
  }

  #noteMixedUpWorlds({ unknownToken }: Rejection): void {
    if (unknownToken === undefined) return;
    const issuer = this.#parts.worlds.issuerOf(unknownToken);
    if (issuer !== undefined)
      this.entry.notes.push(`current_token belongs to the world ${issuer}; check the base URL`);
  }

  reject(rejection: Rejection): void {
    this.respond(this.#rejected(rejection));
  }

  #rejected(rejection: Rejection): ServiceResponse {
    this.entry.rejection = rejection;
    if (rejection.notes !== undefined) this.entry.notes.push(...rejection.notes);
    return reject(rejection, this.#responding, this.#req.method !== "HEAD");
  }

  /** Only a fault takes time. If the client disconnects meanwhile, the entry is complete at once. */
  #respondLater(carryOut: (gone: AbortSignal) => Promise<SentResponse | undefined>): void {
    const gone = new AbortController();
    const disconnect = () => {
      this.entry.disconnectedMs = this.entry.elapsedMs;
      gone.abort();
    };
    if (this.#res.destroyed) disconnect();
    else this.#res.once("close", disconnect);
    carryOut(gone.signal)
      .finally(() => this.#res.off("close", disconnect))
      .then((response) => (response === undefined ? this.#abandon() : this.respond(response)))
      .catch((bug) => this.#failInternally(bug));
  }

  respond(response: SentResponse): void {
    sendResponse(this.#res, response, this.entry, (delivered) => this.#complete(response, delivered));
    // After the response is sent: the log must not delay the client.
    this.#report();
  }

  /** The body could not be read, or a step threw. */
  fail(error: unknown): void {
    if (isAborted(error)) this.#abandon();
    else if (error instanceof InvalidHttp) {
      const { summary: message, status, isHalfClosed } = error;
      if (isHalfClosed) this.entry.disconnectedMs = this.entry.elapsedMs;
      this.respond({ ...this.#rejected({ code: "invalid_http", message }), status });
    } else if (!(error instanceof MockError) || !isFailureCode(error.code)) this.#failInternally(error);
    else {
      const { code, summary: message } = error;
      // Authentication comes first, unless the body is too large to be read.
      const team = code === "payload_too_large" ? undefined : this.#authenticate();
      this.reject(typeof team === "object" ? team : { code, message });
    }
  }

  /** There is no response: the client has disconnected. */
  #abandon(): void {
    this.#complete(undefined, { delivery: "caller-left" });
    this.#report();
  }

  #complete(response: SentResponse | undefined, delivered: Delivered): void {
    const { entry, epoch } = this;
    const hasLeft = entry.disconnectedMs !== undefined;
    const isCut = this.#req.socket.errored === cutByStop;
    epoch.complete(entry, response, hasLeft ? { ...delivered, delivery: "caller-left" } : delivered, isCut);
  }

  #report(): void {
    const { run, log } = this.#parts;
    const { name } = this.#res.locals.world;
    run?.completed(name, this.entry, this.epoch);
    log?.(name, this.entry, this.epoch);
  }

  /** A bug of the mock fails this request, not the server. */
  #failInternally(bug: unknown): void {
    const { report } = this.#parts;
    report(bug);
    try {
      if (this.#res.headersSent) this.#res.destroy();
      else this.reject(internalError);
    } catch (again) {
      report(again);
      this.#res.destroy();
    }
  }
}
