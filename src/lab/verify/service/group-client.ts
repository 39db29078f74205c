import { operations } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { need } from "./not-determinable.js";
import type { ReceivedResponse } from "./received-response.js";
import { type Recorded, sentFields } from "./recorded.js";
import { type Asked, type AskOptions, type RequestOptions, ServiceClient } from "./service-client.js";

export interface TakenName {
  readonly name: string;
  readonly rejection: ReceivedResponse;
}

/**
 * Creates groups, looks them up and rotates their tokens, with requests that are known to succeed: a question changes one
 * thing of them.
 */
export class GroupClient extends ServiceClient {
  /** What is sent for a new group, besides its id and its name. Decided by the first question. */
  base: JsonObject = {};
  /** The request that created the first group, once there is one. Sent again, it looks the group up. */
  creation: Recorded | undefined;
  /** Whether the second API token was seen to belong to another team. */
  hasSecondTeam = false;
  /** Why it is no token of another team. Then it is not sent again: an account may be locked. */
  whyNoSecondTeam: string | undefined;
  /** A name that another group has, and how the service rejects it. Undefined if it does not, or was not asked yet. */
  takenName: TakenName | undefined;
  /** The latest token of the group that questions about rotation share. */
  #token: unknown;

  /**
   * After an attempt without a usable response, its requests are not recorded, so a token that one of them has returned is
   * not used: a mock that gets the recorded requests would not know it.
   */
  override ask<Value>(
    name: string,
    question: () => Promise<Value>,
    options?: AskOptions,
  ): Promise<Asked<Value>> {
    let isFirst = true;
    const attempt = () => {
      if (!isFirst) this.#token = undefined;
      isFirst = false;
      return question();
    };
    return super.ask(name, attempt, options);
  }

  /** The body of a get-or-create for a new group. */
  newBody(changes: JsonObject = {}): JsonObject {
    const own = { user_group_id: this.groups.newId(), name: this.groups.newName() };
    return { ...this.base, ...own, ...changes };
  }

  create(changes?: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.send(this.newBody(changes), options);
  }

  /** Looks up the first group: nothing else differs from a request that succeeded. */
  lookUp(changes: JsonObject = {}, options: RequestOptions = {}): Promise<ReceivedResponse> {
    need(this.creation, "this needs a group, and this run has not seen the creation of one");
    return this.send({ ...sentFields(this.creation.request), ...changes }, options);
  }

  rotate(token: unknown, more?: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.send({ current_token: token, ...more }, { method: operations.rotate.method, ...options });
  }

  /**
   * Rotates the token of a group of its own. If that is rejected, a plain rotation has to succeed: only what differs
   * from it was wrong.
   */
  async rotateOwn(more: JsonObject = {}, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const token = this.#token ?? (await this.create()).group.token;
    need(typeof token === "string", "the service has not returned a token");
    // If there is no response, nobody knows which token the group has.
    this.#token = undefined;
    const response = await this.rotate(token, more, options);
    const control = response.isSuccess ? response : await this.rotate(token);
    need(control.isSuccess, `a rotation that has to succeed was rejected (status ${control.status})`);
    this.#token = control.group.token;
    return response;
  }
}
