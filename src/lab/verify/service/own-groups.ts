import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../foundation/json.js";
import type { CouldCreate } from "./budget.js";
import { type Exchange, groupIn, isNewGroup, type Sent, sentField, succeeded } from "./exchanges.js";
import { NotAsked } from "./not-asked.js";

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

/**
 * The groups that this run has created. Its service is somebody's production: nothing is sent about a group whose
 * creation the run has not seen.
 */
export class OwnGroups {
  /** Begins the ids and names of the run, so that their groups can be found and removed. */
  prefix = `ugm-${Array.from(randomBytes(6), (byte) => alphabet[byte % alphabet.length]).join("")}`;
  readonly #all: OwnGroup[] = [];
  /** Ids that were sent and have no group: they can be sent again. */
  readonly #spare: string[] = [];
  /** Ids that were sent, and may have created a group. */
  readonly #sent = new Set<unknown>();
  /** Ids of rejected requests that were sent again. */
  readonly #reused = new Set<unknown>();
  /** Whether the service creates no group when it rejects a request: an id of one was free afterwards. */
  rejectsWithoutEffect = false;
  /** A rejected request has created a group all the same. */
  #keepsRejected = false;
  #ids = 0;
  #names = 0;

  /** From now on, ids and names have letters and digits only: the service rejects signs or spaces. */
  usePlainForm(): void {
    this.prefix = this.prefix.replace("-", "");
    this.#spare.length = 0;
  }

  newId(): string {
    const spare = this.#spare.shift();
    if (spare !== undefined) {
      this.#reused.add(spare);
      return spare;
    }
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

  /** What names the group that a request can create. Undefined: it can create none. */
  canCreate(sent: Sent): CouldCreate {
    if (sent.method === "POST" || sent.method === "OPTIONS") return undefined;
    const id = sentField(sent, "user_group_id");
    if (this.#all.some((one) => one.id === id && isOfTeam(one, sent))) return undefined;
    // Without an id, each request can create another one.
    return typeof id === "string" ? JSON.stringify([sent.headers.Authorization, id]) : sent;
  }

  /** Throws if a request could be about a group that was created without a response that shows it. */
  checkRequest(sent: Sent): void {
    const id = sentField(sent, "user_group_id");
    if (typeof id !== "string" || !id.startsWith(this.prefix)) return;
    if (this.#sent.has(id) && !this.#all.some((one) => one.id === id))
      throw new NotAsked("a group whose creation was not seen", `the creation of ${id} was not seen`);
    this.#sent.add(id);
  }

  /** A rejected request has created a group: from now on, no id is sent again. */
  noteKept(): void {
    this.#keepsRejected = true;
    this.rejectsWithoutEffect = false;
    this.#spare.length = 0;
  }

  /** The request was rejected, so its id can be used for another group. The service shows whether that is so. */
  giveBackId(sent: Sent): void {
    if (this.#keepsRejected) return;
    const id = sentField(sent, "user_group_id");
    if (typeof id !== "string" || !this.#sent.has(id) || this.#all.some((one) => one.id === id)) return;
    this.#sent.delete(id);
    if (/^ugm-?\w{6}[-i]\d{3}$/.test(id)) this.#spare.push(id);
  }

  /** Keeps what a success shows. Returns the group, or undefined if this run has not created it. */
  note({ sent, received }: Exchange): OwnGroup | undefined {
    const { provided_id, name, token } = groupIn(received);
    const known = this.#findByToken(token, sent) ?? this.#findById(provided_id, sent);
    if (known === undefined && sent.method !== "POST" && isNewGroup(received)) {
      const { user_group_id, name: _, ...fields } = Object(sent.body);
      const { Authorization: authorization } = sent.headers;
      const id = provided_id ?? user_group_id;
      const created: OwnGroup = { id, authorization, fields, name, tokens: [token] };
      this.#all.push(created);
      if (this.#reused.has(user_group_id)) this.rejectsWithoutEffect = !this.#keepsRejected;
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

/** Whether a request was rejected for what is in it, so that it had no effect. */
export function isPlainRejection({ received }: Exchange): boolean {
  return !succeeded(received) && received.status < 500;
}
