import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../foundation/json.js";
import { type Exchange, groupIn, isNewGroup, type Sent, sentField, succeeded } from "./exchanges.js";
import { BudgetEnded, NotAsked } from "./not-asked.js";

/** What verify sends to a service at most, retries included. */
export const limits = { requests: 200, groups: 50 } as const;

/** A group of the run, as the service last showed it. */
export interface OwnGroup {
  /** As the service shows it. */
  readonly id: unknown;
  /** With which API token it was created. */
  readonly authorization: string | undefined;
  /** What it was created with, besides its id and its name. */
  readonly fields: JsonObject;
  name: unknown;
  /** Its tokens, the latest one last. */
  readonly tokens: unknown[];
}

/** The six characters after `ugm-`. */
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/** What names the group that a request can create: its API token and id, or the request itself if it has no id. */
type GroupKey = string | Sent;

/**
 * The groups that this run has created, or could have: a service may create one and fail then. The service is somebody's
 * production: nothing is sent about a group whose creation the run has not seen.
 */
export class OwnGroups {
  /** Begins the ids and names of the run, so that their groups can be found and removed. */
  prefix = `ugm-${Array.from(randomBytes(6), (byte) => alphabet[byte % alphabet.length]).join("")}`;
  readonly #all: OwnGroup[] = [];
  readonly #sent = new Set<GroupKey>();
  /** Of these, those that the service has rejected. They can be sent again. */
  readonly #rejected = new Set<GroupKey>();
  /** Those that were sent again. */
  readonly #resent = new Set<GroupKey>();
  /** Ids of rejected requests, for the next ones. */
  readonly #spare: string[] = [];
  /** Whether a rejected request creates a group: one that was sent again has shown it. */
  #rejectionsCreate: boolean | undefined;
  #ids = 0;
  #names = 0;

  /** How many groups were created, or could have been. */
  get count(): number {
    return this.#sent.size - (this.#rejectionsCreate === false ? this.#rejected.size : 0);
  }

  /** From now on, ids and names have letters and digits only: the service rejects signs or spaces. */
  usePlainForm(): void {
    this.prefix = this.prefix.replace("-", "");
    this.#spare.length = 0;
  }

  newId(): string {
    const spare = this.#spare.shift();
    if (spare !== undefined) return spare;
    this.#ids++;
    return this.#withNumber("-", this.#ids);
  }

  /** A name that no other group has: a service may demand that. */
  newName(): string {
    this.#names++;
    return this.#withNumber(" n", this.#names);
  }

  #withNumber(separator: string, number: number): string {
    const isPlain = !this.prefix.includes("-");
    const between = isPlain ? separator.replace("-", "i").replace(" ", "") : separator;
    return `${this.prefix}${between}${String(number).padStart(3, "0")}`;
  }

  /** Undefined: the request can create no group. */
  #keyOf(sent: Sent): GroupKey | undefined {
    if (sent.method === "POST" || sent.method === "OPTIONS") return undefined;
    const id = sentField(sent, "user_group_id");
    if (this.#all.some((one) => one.id === id && isOfTeam(one, sent))) return undefined;
    // Without an id, each request can create another one.
    return typeof id === "string" ? JSON.stringify([sent.headers.Authorization, id]) : sent;
  }

  /** Call it before a request is sent. Throws NotAsked if it must not be sent. @param most groups of the run */
  allow(sent: Sent, most: number): void {
    const key = this.#keyOf(sent);
    if (key === undefined) return;
    const wasSent = this.#sent.has(key) && !this.#rejected.has(key);
    const id = sentField(sent, "user_group_id");
    if (wasSent && String(id).startsWith(this.prefix))
      throw new NotAsked("a group whose creation was not seen", `the creation of ${id} was not seen`);
    if (!this.#sent.has(key) && this.count >= most)
      throw new BudgetEnded(`verify creates at most ${limits.groups} groups`);
    this.#sent.add(key);
    if (this.#rejected.delete(key)) this.#resent.add(key);
  }

  /** The service rejected a request, so its id can be used for another group, until the service shows the opposite. */
  noteRejected(sent: Sent): void {
    const key = this.#keyOf(sent);
    const isOpen = key !== undefined && this.#sent.has(key) && !this.#rejected.has(key);
    if (!isOpen || this.#rejectionsCreate) return;
    this.#rejected.add(key);
    const id = sentField(sent, "user_group_id");
    const isFree = !this.#all.some((one) => one.id === id);
    if (isFree && typeof id === "string" && /^ugm-?\w{6}[-i]\d{3}$/.test(id)) this.#spare.push(id);
  }

  /** A rejected request has created a group all the same: from now on, no id is sent again. */
  noteKept(): void {
    this.#rejectionsCreate = true;
    this.#spare.length = 0;
    this.#rejected.clear();
  }

  /** Keeps what a response shows. Returns its group, or undefined if this run has not created it. */
  note({ sent, received }: Exchange): OwnGroup | undefined {
    const key = this.#keyOf(sent);
    if (!succeeded(received)) {
      if (received.status < 500) this.noteRejected(sent);
      return undefined;
    }
    const { provided_id, name, token } = groupIn(received);
    const known = this.#findByToken(token, sent) ?? this.#findById(provided_id, sent);
    // It was there before, unless it is that of a request which the service had rejected.
    if (key !== undefined && !isNewGroup(received) && !this.#resent.has(key)) this.#sent.delete(key);
    if (known === undefined && sent.method !== "POST" && isNewGroup(received)) {
      const { user_group_id, name: _, ...fields } = Object(sent.body);
      const { Authorization: authorization } = sent.headers;
      const id = provided_id ?? user_group_id;
      const created: OwnGroup = { id, authorization, fields, name, tokens: [token] };
      this.#all.push(created);
      if (key !== undefined && this.#resent.has(key)) this.#rejectionsCreate ??= false;
      return created;
    }
    if (known === undefined) return undefined;
    known.name = name;
    if (token !== undefined && known.tokens.at(-1) !== token) known.tokens.push(token);
    return known;
  }

  #findByToken(token: unknown, sent: Sent): OwnGroup | undefined {
    const tokens = [token, sentField(sent, "current_token")].filter((one) => typeof one === "string");
    return this.#all.find((group) => group.tokens.some((one) => tokens.includes(one as string)));
  }

  #findById(id: unknown, { headers }: Sent): OwnGroup | undefined {
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    return this.#all.find((one) => one.id === id && one.authorization === headers.Authorization);
  }
}

/** Whether a request has the API token with which a group was created, in any form. */
function isOfTeam({ authorization = "" }: OwnGroup, { headers }: Sent): boolean {
  const token = authorization.replace("Token ", "");
  return token !== "" && (headers.Authorization ?? "").endsWith(token);
}
