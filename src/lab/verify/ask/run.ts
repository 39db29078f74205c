import { isDeepStrictEqual } from "node:util";
import { outcomeFor, type SituationId } from "../../../fake/contract/situations.js";
import { fieldOf, isObject, type JsonObject } from "../../../foundation/json.js";
import type { KnownSituations } from "../../../generated/types.js";
import {
  type Exchange,
  groupIn,
  isNewGroup,
  makeRequest,
  type RequestOptions,
  type Sent,
  sentField,
  succeeded,
  type Target,
} from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import { type OwnGroup, OwnGroups } from "../service/own-groups.js";
import { type Patience, type SendOptions, ServiceClient } from "../service/service-client.js";

/** What the service did in a situation. */
export interface Seen extends Exchange {
  /** How the service carried it out. Undefined: it rejected the request. */
  readonly outcome: string | undefined;
  /** Rejected is only what is beyond it. */
  readonly limit?: { readonly over?: number; readonly under?: number; readonly characters?: string };
}

/** How the service carried out a request that succeeded. Throws NotAsked if the response does not show it. */
export type Read = (exchange: Exchange, run: VerifyRun) => string;

/**
 * The groups of a run, each created with everything: F for questions that change nothing, B for those about mapping and
 * properties, T3 for changes, T for rotations, D for doubtful names, C, E, K and L only as controls.
 */
export type RunGroupName = "F" | "T" | "T3" | "B" | "D" | "C" | "E" | "K" | "L";

/** A request succeeded that is about a group which this run has not created. */
export class ForeignGroup extends Error {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`the response is about the group ${JSON.stringify(groupIn(exchange.received).provided_id)}`);
    this.exchange = exchange;
  }
}

interface RunOptions {
  readonly patience?: Patience | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The profile that the service is compared with. */
  readonly expected?: KnownSituations | undefined;
  /** Leaves next to nothing behind: for a run that only compares. */
  readonly isLight?: boolean | undefined;
  /** Situations that met a group of somebody else in an earlier run. They are not asked again. */
  readonly knownBroken?: ReadonlySet<string>;
}

/** After so many rejections in a row, a look-up: a service may lock an account that makes too many mistakes. */
const mostRejections = 4;

/** One run: its groups, what it sends, and what it has seen. */
export class VerifyRun {
  readonly target: Target;
  readonly groups = new OwnGroups();
  readonly client: ServiceClient;
  readonly expected: KnownSituations | undefined;
  readonly isLight: boolean;
  readonly knownBroken: ReadonlySet<string>;
  readonly seen = new Map<SituationId, Seen>();
  /** Why nothing is known of a situation. */
  readonly notAsked = new Map<SituationId, NotAsked>();
  /** Situations in which the service changed or found a group of somebody else, and how that is said. */
  readonly foreign = new Map<SituationId, string>();
  /** Two problems in one request, by the situations that each has alone. */
  readonly pairs: { readonly rows: readonly [SituationId, SituationId]; readonly exchange: Exchange }[] = [];
  /** Responses to requests in which nothing is unusual. What a success looks like is learned from them. */
  readonly usual: { readonly kind: "created" | "found" | "rotated"; readonly exchange: Exchange }[] = [];
  /** Why the run has ended early. */
  ended: string | undefined;
  readonly #named = new Map<RunGroupName, OwnGroup>();
  #rejections = 0;

  constructor(target: Target, { patience, signal, expected, isLight = false, knownBroken }: RunOptions = {}) {
    this.target = target;
    this.expected = expected;
    this.isLight = isLight;
    this.knownBroken = knownBroken ?? new Set();
    this.client = new ServiceClient(target.baseUrl, this.groups, { patience, signal });
  }

  /** What each group is created with, besides its id and its name. */
  get base(): JsonObject {
    const { user_group_id, name, ...fields } = this.target.sample ?? usualFields;
    return fields;
  }

  get(body: unknown, options: RequestOptions = {}): Sent {
    return makeRequest(this.target, "GET", body, options);
  }

  post(body: unknown, options: RequestOptions = {}): Sent {
    return makeRequest(this.target, "POST", body, options);
  }

  /** The body with which a new group is created. */
  newBody(): JsonObject {
    return { ...this.base, user_group_id: this.groups.newId(), name: this.groups.newName() };
  }

  /** As the ids and names of the run are. */
  usualText(field: "user_group_id" | "name"): string {
    return field === "name" ? this.groups.newName() : String(this.group("F").id);
  }

  group(name: RunGroupName): OwnGroup {
    const group = this.#named.get(name);
    if (group === undefined) throw new NotAsked("nothing to ask", "a group of the run is missing");
    return group;
  }

  hasGroup(name: RunGroupName): boolean {
    return this.#named.has(name);
  }

  /** A body that looks a group up, with all that it was created with. */
  bodyOf(name: RunGroupName): JsonObject {
    const { id, name: itsName, fields } = this.group(name);
    return { ...fields, user_group_id: id, name: itsName };
  }

  /** The latest token of the group for rotations. */
  token(age = 0): unknown {
    const { tokens } = this.group("T");
    const token = tokens.at(-1 - age);
    if (token === undefined) throw new NotAsked("nothing to ask", "a rotation that gave no other token");
    return token;
  }

  /** Creates a group of the run, as the first one was created. Throws NotAsked if the service does not create it. */
  async create(name: RunGroupName): Promise<Exchange> {
    const exchange = await this.send(() => this.get(this.newBody()));
    const { status } = exchange.received;
    if (!succeeded(exchange.received)) throw new NotAsked("a control failed", `status ${status}`);
    if (!isNewGroup(exchange.received)) throw new NotAsked("a control failed", "no new group was created");
    const group = this.groups.note(exchange);
    if (group !== undefined) this.#named.set(name, group);
    this.usual.push({ kind: "created", exchange });
    return exchange;
  }

  /** Looks up a group that exists. */
  async lookUp(name: RunGroupName = "F"): Promise<Exchange> {
    const exchange = await this.send(() => this.get(this.bodyOf(name)));
    if (!succeeded(exchange.received))
      throw new NotAsked("a control failed", `a look-up returned status ${exchange.received.status}`);
    this.usual.push({ kind: "found", exchange });
    return exchange;
  }

  /** Rotates the token of the group for rotations. */
  async rotate(): Promise<Exchange> {
    const exchange = await this.send(() => this.post({ current_token: this.token() }));
    if (succeeded(exchange.received)) this.usual.push({ kind: "rotated", exchange });
    return exchange;
  }

  /** Asks with one request. */
  async ask(make: () => Sent, read: Read = () => "accepted", options?: SendOptions): Promise<Seen> {
    const exchange = await this.send(make, options);
    return { ...exchange, outcome: succeeded(exchange.received) ? read(exchange, this) : undefined };
  }

  /** Throws NotAsked if there is no usable response, and ForeignGroup if it is about a group of somebody else. */
  async send(make: () => Sent, options: SendOptions = {}): Promise<Exchange> {
    const exchange = await this.sendPlain(make, options);
    if (succeeded(exchange.received)) this.#rejections = 0;
    else await this.#control(exchange, options);
    return exchange;
  }

  /** The same, without look-ups between rejections. */
  async sendPlain(make: () => Sent, options: SendOptions = {}): Promise<Exchange> {
    const exchange = await this.client.send(make, options);
    const { sent, received } = exchange;
    if (this.groups.note(exchange) !== undefined || !succeeded(received)) return exchange;
    const { provided_id } = groupIn(received);
    // The service kept the group of a request that it had rejected, or to which there was no response.
    if (provided_id === sentField(sent, "user_group_id") && `${provided_id}`.startsWith(this.groups.prefix)) {
      this.groups.noteKept();
      throw new NotAsked("a group whose creation was not seen");
    }
    throw new ForeignGroup(exchange);
  }

  /** After a 5xx, and after several rejections, the service has to look up a group as before. */
  async #control({ received: { status } }: Exchange, { isOnce = false }: SendOptions): Promise<void> {
    this.#rejections++;
    const isBroken = status >= 500;
    const isDue = this.#rejections >= mostRejections || (isBroken && isOnce);
    if (!this.hasGroup("F") || !isDue) return;
    this.#rejections = 0;
    try {
      await this.lookUp();
    } catch (error) {
      if (!(error instanceof NotAsked)) throw error;
      // The control after the part will show whether the service still works.
      if (!isBroken) return;
      throw new NotAsked("a control failed", `status ${status}, and a look-up failed afterwards`);
    }
  }

  /** What the service does in a situation, as a word: seen in this run, or expected. */
  outcome(row: SituationId): string | undefined {
    const seen = this.seen.get(row);
    if (seen !== undefined) return seen.outcome ?? "rejected";
    return this.expectedOutcome(row);
  }

  /** The word of the profile with which the service is compared. */
  expectedOutcome(row: SituationId): string | undefined {
    return this.expected && expectedOutcome(this.expected, row);
  }

  /** In a light run, the limit that the file has: only what is beyond it is asked. */
  limitInFile(row: SituationId): NonNullable<Seen["limit"]> {
    return this.isLight ? Object(this.expected?.[row]) : {};
  }

  /** Nothing is known of a situation after all. */
  forget(row: SituationId, why: NotAsked): void {
    this.seen.delete(row);
    this.notAsked.set(row, why);
  }

  /** What a response shows of mapping or properties of its group. Undefined: the service does not show them. */
  shown(field: "mapping" | "properties", { received }: Exchange): unknown {
    const name = this.#nameOfShown(field);
    return name === undefined ? undefined : fieldOf(groupIn(received), name);
  }

  /** Whether responses show it, under any name. */
  isShown(field: "mapping" | "properties"): boolean {
    return this.#nameOfShown(field) !== undefined;
  }

  #nameOfShown(field: "mapping" | "properties"): string | undefined {
    const created = this.usual.find(({ kind }) => kind === "created")?.exchange;
    if (created === undefined || this.base[field] === undefined) return undefined;
    const fields = Object.entries(groupIn(created.received));
    return fields.find(([, value]) => isDeepStrictEqual(value, this.base[field]))?.[0];
  }
}

/** The word of a situation in a profile. Undefined: the profile does not have it. */
export function expectedOutcome(known: KnownSituations, row: SituationId): string | undefined {
  const entry: unknown = known[row];
  if (typeof entry === "string") return outcomeFor(row, entry);
  if (!isObject(entry)) return undefined;
  return outcomeFor(row, String(entry.outcome ?? "rejected"));
}

const usualFields: JsonObject = { mapping: { 40: "213" }, properties: { region: "EU" } };
