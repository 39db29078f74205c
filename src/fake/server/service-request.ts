import type { NextFunction, Request, Response } from "express";
import { fieldOf, isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { asError } from "../../foundation/located-problem.js";
import type { Operation } from "../../generated/types.js";
import { type Group, groupName } from "../contract/group-fields.js";
import { MockError, type MockErrorCode } from "../contract/mock-error.js";
import { type Bodies, operations } from "../contract/operations.js";
import type { SituationId } from "../contract/situations.js";
import { authenticate } from "../service/authenticate.js";
import { checkBody } from "../service/check-body.js";
import type { Decisions } from "../service/decisions.js";
import { findGroup, nameGroup } from "../service/find-group.js";
import { getOrCreate } from "../service/get-or-create.js";
import type { GroupStore } from "../service/group-store.js";
import { reject, type ServiceResponse, succeed, withoutContent } from "../service/respond.js";
import {
  isRejection,
  type Performed,
  type Rejection,
  type RequestContext,
  rejectIn,
} from "../service/result.js";
import { rotate } from "../service/rotate.js";
import { applyFault } from "../world/faults/apply-fault.js";
import type { TrackedFault } from "../world/faults/faults.js";
import type { Entry } from "../world/journal/entry.js";
import { maskBody } from "../world/journal/mask.js";
import type { ServedWorld } from "../world/served-world.js";
import type { Worlds } from "../world/worlds.js";
import { decodeBody, readServiceBody } from "./read-body.js";
import { sendResponse, watchClient } from "./send-response.js";

/** A run of `exec` or `explore`, as far as a request needs it. */
interface RequestRun {
  /** The failure to inject into a request, if any. */
  inject(operation: Operation, entry: Entry, world: ServedWorld): TrackedFault | undefined;
  /** Records a request whose journal entry is complete. */
  completed(entry: Entry, world: ServedWorld): void;
}

/** What a request to the service needs from the server. */
export interface RequestParts {
  readonly worlds: Worlds;
  /** Of a body, in bytes. */
  readonly bodyLimit: number;
  /** The run that the mock belongs to, if any. */
  readonly run?: RequestRun | undefined;
  /** Called with every request when its journal entry opens. */
  readonly opened?: ((entry: Entry, world: ServedWorld) => void) | undefined;
  /** Called with every request once its journal entry is complete. */
  readonly log?: ((entry: Entry, world: ServedWorld) => void) | undefined;
}

/** A request that is authenticated and well formed. */
interface Checked<O extends Operation = Operation> {
  readonly teamId: number;
  readonly body: Bodies[O];
  readonly notes: readonly string[];
}

/**
 * A request to the service. Its journal entry opens before anything else happens, and is complete before the client can
 * have the last byte. The methods are in the order in which they are called, and every request ends in `respond`.
 */
export class ServiceRequest implements RequestContext {
  readonly entry: Entry;
  readonly id: number;
  readonly decisions: Decisions;
  readonly #req: Request;
  readonly #res: Response;
  readonly #parts: RequestParts;
  readonly #world: ServedWorld;

  constructor(req: Request, res: Response, world: ServedWorld, parts: RequestParts) {
    const { method, url, headers } = req;
    this.#req = req;
    this.#res = res;
    this.#parts = parts;
    this.#world = world;
    // Clients that take the mock for a proxy send a URL, which may have a password.
    const path = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
    this.entry = world.open({ method, path, headers });
    this.entry.apiTokens = world.groups.seed.apiTokens;
    this.id = this.entry.id;
    this.decisions = this.entry.decisions;
    parts.opened?.(this.entry, world);
  }

  /** The body has been read, unless there was an error: carries out the operation, or what a fault makes of it. */
  handle(operation: Operation, next: NextFunction, error: unknown): void {
    try {
      const checked = error === undefined ? this.#check(operation) : this.#unreadable(operation, error);
      if (isRejection(checked)) {
        this.respond(this.#rejected(checked));
        return;
      }
      for (const words of checked.notes) this.note(words);
      const fault = this.#claimFault(operation, checked);
      if (fault === undefined) this.respond(this.#operate(operation, checked));
      else this.#apply(fault, operation).catch(next);
    } catch (thrown) {
      next(thrown);
    }
  }

  /** Authentication comes before what is wrong with a body that has arrived. Throws errors that are no rejection. */
  #unreadable(operation: Operation, error: unknown): Rejection {
    const situation = error instanceof MockError ? unreadableSituations(operation)[error.code] : undefined;
    if (situation === undefined) throw error;
    // Nothing is read of a body with an unsupported encoding: it counts as arrived.
    const teamId = situation === "too large" ? undefined : this.#authenticate(operation);
    return typeof teamId === "object" ? teamId : rejectIn(situation, asError(error).message);
  }

  /** Only a fault takes time. Meanwhile the state may be replaced, and the client may disconnect. */
  async #apply(fault: TrackedFault, operation: Operation): Promise<void> {
    this.#parts.worlds.parts.happened();
    const operate = () => this.#operate(operation, this.#check(operation));
    this.respond(await applyFault(fault, operate, this.entry, watchClient(this.#res)));
  }

  /**
   * Whose request it is and what it asks for, or why it is rejected. After a hold or a delay it is called again, because
   * the state may be another one.
   */
  #check<O extends Operation>(operation: O): Checked<O> | Rejection {
    const { entry } = this;
    const { decisions } = entry;
    const { groups } = this.#world;
    const teamId = this.#authenticate(operation);
    if (typeof teamId !== "number") return teamId;
    const bytes = this.#bytes;
    entry.text ??= bytes && decodeBody(bytes);
    const read = readServiceBody(
      operation,
      { hasBody: bytes !== undefined, text: entry.text },
      this.#req,
      decisions,
    );
    if (isRejection(read)) return read;
    const exists = (id: string) => findGroup(groups, teamId, id, decisions.behaviour).group !== undefined;
    const { schemas } = this.#parts.worlds.parts;
    const checked = checkBody(operation, read.json, { schemas, decisions, exists });
    this.#recordGroup(operation, isRejection(checked) ? read.json : checked.body, teamId);
    return isRejection(checked) ? checked : { teamId, body: checked.body, notes: checked.notes };
  }

  /** The team of the API token, or why it is rejected. Then the journal gets the body with a mask. */
  #authenticate(operation: Operation): number | Rejection {
    const { entry } = this;
    const { groups } = this.#world;
    const teamId = authenticate(this.#req.headers.authorization, groups, entry.decisions);
    if (typeof teamId === "number") return teamId;
    // The client may be one of production: tokens that this mock did not issue are masked.
    const isIssued = (token: string) =>
      groups.seed.apiTokens.has(token) || groups.withToken(token) !== undefined;
    const bytes = this.#bytes;
    if (bytes !== undefined) entry.text ??= maskBody(bytes.toString(), isIssued);
    this.#recordGroup(operation, entry.json, undefined);
    return teamId;
  }

  /** The body that has arrived, if it is not empty. */
  get #bytes(): Buffer | undefined {
    const bytes: Buffer | undefined = this.#req.body;
    return bytes === undefined || bytes.length === 0 ? undefined : bytes;
  }

  /** Which group the request is about, for the journal. */
  #recordGroup(operation: Operation, body: unknown, teamId: number | undefined): void {
    const { entry } = this;
    const nameIn = nameGroup[operations[operation].namedBy];
    entry.group = nameIn(this.#world.groups, body, teamId, entry.decisions.behaviour);
  }

  /** The failure that the run injects, or the fault that takes this request. It does so once, however long it waits. */
  #claimFault(operation: Operation, { teamId, body }: Checked): TrackedFault | undefined {
    const { entry } = this;
    const world = this.#world;
    const injected = this.#parts.run?.inject(operation, entry, world);
    if (injected !== undefined) return injected;
    const fault = world.faults.claim(operation, body, teamId);
    entry.fault = fault?.id ?? null;
    return fault;
  }

  #operate<O extends Operation>(operation: O, checked: Checked<O> | Rejection): ServiceResponse {
    if (isRejection(checked)) return this.#rejected(checked);
    const { entry } = this;
    const { groups, journal } = this.#world;
    const result = perform[operation](groups, checked.teamId, checked.body, this);
    if (!isRejection(result)) {
      const { effect, changes, group } = result;
      entry.effect = effect;
      if (changes !== undefined) entry.changes = JSON.stringify(changes);
      entry.group = groupName(group);
      return succeed(result, this);
    }
    const earlier = result.request === undefined ? undefined : journal.get(result.request);
    entry.isConcurrent = earlier !== undefined && entry.overlaps(earlier);
    const isUnknown =
      result.code === "unknown_token" && groups.withToken(tokenIn(checked.body)) === undefined;
    const issuer = isUnknown ? this.#parts.worlds.describeIssuer(tokenIn(checked.body)) : undefined;
    if (issuer !== undefined) this.note(issuer);
    return this.#rejected(result);
  }

  #rejected(rejection: Rejection): ServiceResponse {
    const { code, situation, message, request, notes = [] } = rejection;
    this.entry.rejection = { code, situation, message, request };
    for (const words of notes) this.note(words);
    return reject(rejection, this);
  }

  lostBy(request: number): string | undefined {
    return this.#world.journal.get(request)?.lostBy;
  }

  issuedEarlier(token: string): boolean {
    return this.#parts.worlds.issuedEarlier(this.#world, token);
  }

  note(text: string): void {
    this.entry.notes.push(text);
  }

  ofGroup(group: Group, name: string): unknown {
    return this.#world.groups.placeholderOf(group, name);
  }

  /** What the journal shows, so that a mask hides it here too. */
  sent(): JsonObject {
    const { method, body: bytes } = this.#req;
    const text = this.entry.text ?? (Buffer.isBuffer(bytes) ? bytes.toString() : "");
    const json = parseJson(text.replace(/^\uFEFF/, ""));
    const { path: url } = this.entry.head;
    return { ...(isObject(json) && json), method, url, path: url.split("?")[0], body: text };
  }

  /** The path or the method does not exist. */
  reject(situation: SituationId, message: string): void {
    this.entry.decisions.outcome(situation);
    this.fail(rejectIn(situation, message));
  }

  respondWithoutContent(): void {
    this.respond(withoutContent(this));
  }

  /** A step threw. */
  fail(rejection: Rejection): void {
    this.respond(this.#rejected(rejection));
  }

  /** Sends the response, and completes the journal entry. Without a response, the client has disconnected. */
  respond(response: ServiceResponse | undefined): void {
    const { entry } = this;
    sendResponse(this.#res, response, entry, (delivered) => {
      this.#world.close(entry, response?.status, delivered);
    });
    // After the response is sent: the log must not delay the client.
    this.#parts.run?.completed(entry, this.#world);
    this.#parts.log?.(entry, this.#world);
  }
}

/** The situations of bodies that could not be read, by the errors of `readBody`. */
function unreadableSituations(operation: Operation): { readonly [Code in MockErrorCode]?: SituationId } {
  return {
    payload_too_large: "too large",
    unsupported_media_type: "gzip",
    invalid_json: `${operations[operation].method}: broken JSON`,
  };
}

function tokenIn(body: unknown): string {
  return String(fieldOf(body, "current_token"));
}

/**
 * What each operation does to the groups of a world. No `await` from look-up to change: of many concurrent requests
 * exactly one creates, exactly one rotates.
 */
export const perform: {
  readonly [O in Operation]: (
    groups: GroupStore,
    teamId: number,
    body: Bodies[O],
    context: RequestContext,
  ) => Performed<O> | Rejection;
} = { "get-or-create": getOrCreate, rotate };
