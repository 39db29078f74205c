import { randomBytes, randomInt } from "node:crypto";
import type { JsonObject } from "../../../foundation/json.js";
import { NotDeterminable } from "./not-determinable.js";
import { jsonText, type ReceivedResponse, type SentRequest, sentFields } from "./recorded.js";

/** A response is about a group whose creation this run has not seen. It may belong to someone else. */
export class OtherGroup extends NotDeterminable {
  readonly response: ReceivedResponse;

  constructor(response: ReceivedResponse) {
    const flag = jsonText(response.fields.new_user_group);
    super(`the response is about a group whose creation this run has not seen (new_user_group was ${flag})`);
    this.response = response;
  }
}

/** The six characters after `ugm-`. */
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";

/**
 * The groups of a run. Its service is somebody's production: nothing may be sent about a group unless this run has seen
 * that the group was created (`new_user_group: true`).
 */
export class OwnGroups {
  /** Begins all ids and names of this run, so that you can find and remove the groups. */
  readonly prefix = `ugm-${Array.from(randomBytes(6), (byte) => alphabet[byte % alphabet.length]).join("")}`;
  readonly #created = new Set<unknown>();
  readonly #tokens = new Set<unknown>();
  readonly #numbers = new Set<unknown>();
  /** Ids that were sent, and of which nobody knows yet whether they created a group. */
  readonly #sent = new Set<unknown>();
  /** Whether the service has found a group for a request without an id. */
  #isOtherWithoutId = false;
  #count = 0;

  newId(): string {
    return `${this.prefix}-${++this.#count}`;
  }

  /** A name that no other group has: a service may demand that, also of the groups of another run. */
  newName(): string {
    return `${this.prefix} ${++this.#count}`;
  }

  /** An id of 15 digits: a number cannot have the prefix. Its 48 random bits make a collision very unlikely. */
  newNumber(): number {
    const number = 900_000_000_000_000 - randomInt(2 ** 48 - 1);
    this.#numbers.add(number);
    return number;
  }

  /** A text without the ids and names of this run. */
  withoutOwn(text: string, replacement: string): string {
    return text.replace(new RegExp(`${this.prefix}[\\w-]*( \\d+)?`, "gi"), replacement);
  }

  hasCreated(id: unknown): boolean {
    return this.#created.has(id);
  }

  /** Throws if a request names a group that may belong to someone else. */
  checkRequest(request: SentRequest): void {
    const { user_group_id: id, current_token, name } = sentFields(request);
    if (id === undefined) {
      const mayFindGroup = name !== undefined && current_token === undefined;
      if (mayFindGroup && this.#isOtherWithoutId)
        throw new NotDeterminable("without an id, this is another's group");
      return;
    }
    if (this.#created.has(id)) return;
    const isOfRun = this.#numbers.has(id) || String(id).toLowerCase().startsWith(this.prefix);
    if (!isOfRun || this.#sent.has(id))
      throw new NotDeterminable(`this needs the group ${id}, and this run has not seen its creation`);
    this.#sent.add(id);
  }

  /** Notes a group that was created. Throws if the response is about a group that this run has not created. */
  noteResponse(request: SentRequest, response: ReceivedResponse): void {
    const { isSuccess, fields, group } = response;
    const { user_group_id: id, current_token }: JsonObject = sentFields(request);
    if (!isSuccess) {
      // There is no such group, so the id may be sent again.
      this.#sent.delete(id);
      return;
    }
    const isCreated = fields.new_user_group === true;
    const isKnown = [id, group.provided_id].some((one) => this.#created.has(one));
    const isOwn = isCreated || isKnown || [current_token, group.token].some((one) => this.#tokens.has(one));
    if (!isOwn) {
      if (id === undefined) this.#isOtherWithoutId = true;
      throw new OtherGroup(response);
    }
    if (isCreated) for (const one of [id, group.provided_id]) if (one !== undefined) this.#created.add(one);
    if (typeof group.token === "string") this.#tokens.add(group.token);
  }
}
