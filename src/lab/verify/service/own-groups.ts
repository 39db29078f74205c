import { randomBytes, randomInt } from "node:crypto";
import { NotDeterminable } from "./not-determinable.js";
import { jsonText, type ReceivedResponse } from "./received-response.js";
import { type SentRequest, sentFields } from "./recorded.js";

/** A response is about a group whose creation this run has not seen. It may belong to someone else. */
export class OtherGroup extends NotDeterminable {
  readonly response: ReceivedResponse;

  constructor(response: ReceivedResponse) {
    const flag = jsonText(response.fields.new_user_group);
    super(`the response is about a group whose creation this run has not seen (new_user_group was ${flag})`);
    this.response = response;
  }
}

/** The ids and names that any run has made up begin like this. */
const anyPrefix = "ugm-\\w{6}";

/** The six characters after `ugm-`. */
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/**
 * The groups of a run. Its service is somebody's production: nothing may be sent about a group unless this run has seen
 * that the group was created (`new_user_group: true`).
 *
 * What may be sent with an id depends on what is known of it:
 *
 * - `unknown`: it may be sent if this run has made it up.
 * - `sent`: it may have created a group, but no response has shown that. It must not be sent again.
 * - `own`: it names a group of this run. It may be sent.
 *
 * An id that is sent becomes `sent`. A success makes it `own` if the response is about a group of this run, and otherwise
 * leaves it `sent` for ever. A rejection makes it `unknown` again, because there is no group, unless it is `own`.
 */
export class OwnGroups {
  /** Begins all ids and most names of this run, so that you can find and remove the groups. */
  readonly prefix = `ugm-${Array.from(randomBytes(6), (byte) => alphabet[byte % alphabet.length]).join("")}`;
  /** Those that are not `unknown`. */
  readonly #ids = new Map<unknown, "sent" | "own">();
  /** Numbers that this run has made up: they cannot have the prefix. */
  readonly #numbers = new Set<unknown>();
  /** The tokens of groups of this run. */
  readonly #tokens = new Set<unknown>();
  /** Whether the service has found a group for a request without an id. */
  #findsWithoutId = false;
  #count = 0;

  newId(): string {
    return `${this.prefix}-${++this.#count}`;
  }

  /** A name that no other group has: a service may demand that, also of the groups of another run. */
  newName(): string {
    return `${this.prefix} ${++this.#count}`;
  }

  /** An id of 15 digits. Its 48 random bits make it very unlikely that another group has it. */
  newNumber(): number {
    const number = 900_000_000_000_000 - randomInt(2 ** 48 - 1);
    this.#numbers.add(number);
    return number;
  }

  /** A text without the ids and names of this run. */
  withoutOwn(text: string, replacement: string): string {
    return replaceOwn(text, this.prefix, replacement);
  }

  isOwn(id: unknown): boolean {
    return this.#ids.get(id) === "own";
  }

  /** Throws if a request could be about a group that belongs to someone else. */
  checkRequest(request: SentRequest): void {
    const { user_group_id: id } = sentFields(request);
    if (id === undefined) {
      this.#checkWithoutId(request);
      return;
    }
    if (this.isOwn(id)) return;
    if (!this.#isMadeUp(id) || this.#ids.get(id) === "sent")
      throw new NotDeterminable(`this needs the group ${id}, and this run has not seen its creation`);
    this.#ids.set(id, "sent");
  }

  /**
   * A get-or-create without an id: some services then look a group up by its name. The first one shows whether they do, and
   * then no other is sent.
   */
  #checkWithoutId(request: SentRequest): void {
    const { name, current_token } = sentFields(request);
    const mayFindByName = name !== undefined && current_token === undefined;
    if (mayFindByName && this.#findsWithoutId)
      throw new NotDeterminable("without an id, this is another's group");
  }

  #isMadeUp(id: unknown): boolean {
    return this.#numbers.has(id) || String(id).toLowerCase().startsWith(this.prefix);
  }

  /** Learns from a response which groups are those of this run. Throws if the response is about another group. */
  noteResponse(request: SentRequest, response: ReceivedResponse): void {
    const { user_group_id: id } = sentFields(request);
    if (!response.isSuccess) {
      if (!this.isOwn(id)) this.#ids.delete(id);
      return;
    }
    if (!this.#isAboutOwn(request, response)) {
      if (id === undefined) this.#findsWithoutId = true;
      throw new OtherGroup(response);
    }
    const { provided_id, token } = response.group;
    for (const one of [id, provided_id]) if (isId(one)) this.#ids.set(one, "own");
    if (typeof token === "string") this.#tokens.add(token);
  }

  #isAboutOwn(request: SentRequest, { fields, group }: ReceivedResponse): boolean {
    if (fields.new_user_group === true) return true;
    const { user_group_id: id, current_token } = sentFields(request);
    const hasOwnId = [id, group.provided_id].some((one) => this.isOwn(one));
    const hasOwnToken = [current_token, group.token].some((one) => this.#tokens.has(one));
    return hasOwnId || hasOwnToken;
  }
}

/** A text without the ids and names of this run and of others. */
export function withoutRuns(text: string): string {
  return replaceOwn(text, anyPrefix, "");
}

function replaceOwn(text: string, prefix: string, replacement: string): string {
  return text.replace(new RegExp(`${prefix}[\\w-]*( \\d+)?`, "gi"), replacement);
}

/** A service may show null as the id of many groups. */
function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
