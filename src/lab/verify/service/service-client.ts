import { operations, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { Secrets } from "../text/secrets.js";
import { Budget } from "./budget.js";
import { NoResponse, NotDeterminable, need } from "./not-determinable.js";
import { OwnGroups } from "./own-groups.js";
import {
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  type SentRequest,
  sentFields,
} from "./recorded.js";
import { type Patience, Retries, usualPatience } from "./retries.js";
import { ServiceConnection } from "./service-connection.js";

/** After so many questions in a row without a usable response, the service is left alone. */
const maxUnanswered = 10;

/** The second API token is of another team, for some questions. The sample is a valid body of get-or-create. */
export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly secondApiToken?: string;
  readonly sample?: JsonObject;
}

/** What a probe returns, or why that is not determinable. `unanswered`: there was no usable response. */
export interface Answer<Value = unknown> {
  readonly value?: Value;
  readonly why?: string;
  readonly unanswered?: true;
}

/** An answer, with the requests from which it follows. */
export interface Asked<Value> {
  readonly answer: Answer<Value>;
  readonly entries: readonly Recorded[];
}

/** How a request differs from the usual one. Null sends no header. The scheme is the first word of Authorization. */
export interface RequestOptions {
  readonly apiToken?: string | null;
  readonly scheme?: string;
  readonly contentType?: string | null;
  readonly path?: string;
  readonly method?: string;
  /** Why no profile can express it if the mock responds in another way. */
  readonly inexpressible?: string | undefined;
}

export interface AskOptions {
  /** Whether a probe without a usable response is asked again. */
  readonly isRepeated?: boolean;
}

export interface ClientOptions {
  readonly patience?: Patience | undefined;
  /** Ends the run. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to a service, within a budget, and records them. Uses only groups that it created itself. */
export class ServiceClient {
  readonly target: Target;
  readonly groups = new OwnGroups();
  readonly budget = new Budget();
  readonly secrets: Secrets;
  /** What is sent for a new group, besides its id and its name. */
  base: JsonObject = {};
  /** The first group, once its creation was seen. Its request, sent again, looks it up. */
  first: Recorded | undefined;
  /** Tokens that look like those of the service, and that it never issued. */
  readonly inventedTokens = new Set<string>();
  /** Whether the second API token was seen to belong to another team. */
  hasSecondTeam = false;
  /** A name that another group has, and how the service rejects it. Undefined if it does not. */
  takenName: { readonly name: unknown; readonly response: ReceivedResponse } | undefined;
  readonly #connection: ServiceConnection;
  readonly #retries: Retries;
  /** What the current attempt has sent. */
  #entries: Recorded[] = [];
  #probe = "";
  /** The latest token of a group that probes about rotation share. */
  #token: unknown;
  /** How many questions in a row got no usable response, although they were repeated. */
  #unanswered = 0;

  constructor(target: Target, { patience = usualPatience, signal }: ClientOptions = {}) {
    this.target = target;
    this.#retries = new Retries(patience, signal);
    this.secrets = new Secrets([target.apiToken, target.secondApiToken ?? ""]);
    this.#connection = new ServiceConnection(target.baseUrl, this.budget, {
      timeoutMs: patience.timeoutMs,
      signal,
    });
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
    need(this.first, "this needs a group, and this run has not seen the creation of one");
    return this.send({ ...sentFields(this.first.request), ...changes }, options);
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

  /** Throws NoResponse if there is no usable response. */
  async send(body: JsonObject | string | undefined, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const request = this.#requestFor(body, options);
    this.groups.checkRequest(request);
    const response = await this.#retries.send(
      () => this.#exchange(request),
      // What was throttled had no effect, so only this request is sent again, and not the whole probe.
      (error) => error.status === 429 && !this.#hasWrongApiToken(request),
    );
    this.groups.noteResponse(request, response);
    const { inexpressible } = options;
    this.#entries.push({ probe: this.#probe, request, response, inexpressible });
    return response;
  }

  /** Leaves out the last request of the current probe: it shows something else than it was sent for. */
  forgetLast(): void {
    this.#entries.pop();
  }

  /** Whether the service sends the same response again. If it cannot be asked, that is not known. */
  async repeats({ request, response }: Recorded): Promise<boolean> {
    if (this.#hasWrongApiToken(request)) return false;
    try {
      return isSameResponse(response, await this.#exchange(request));
    } catch (error) {
      if (error instanceof NotDeterminable) return false;
      throw error;
    }
  }

  /** Such a request is sent once only: the account may be locked. */
  #hasWrongApiToken({ headers }: SentRequest): boolean {
    const { apiToken, secondApiToken } = this.target;
    const own = [apiToken, secondApiToken ?? apiToken].map((one) => authorization(one));
    return !own.includes(headers.Authorization ?? "");
  }

  #requestFor(body: JsonObject | string | undefined, options: RequestOptions): SentRequest {
    const { path = servicePath, method = operations["get-or-create"].method } = options;
    const { apiToken = this.target.apiToken, scheme, contentType = "application/json" } = options;
    const headers = {
      ...(contentType !== null && { "Content-Type": contentType }),
      ...(apiToken !== null && { Authorization: authorization(apiToken, scheme) }),
    };
    return { method, path, headers, text: typeof body === "object" ? JSON.stringify(body) : body };
  }

  /**
   * Asks one question. A probe without a usable response is repeated as a whole: the request may have taken effect, so
   * a probe makes its own groups.
   * @param options `isRepeated: false` asks once only; a request that was throttled is sent again all the same
   */
  async ask<Value>(
    name: string,
    probe: () => Promise<Value>,
    { isRepeated = true }: AskOptions = {},
  ): Promise<Asked<Value>> {
    this.#probe = name;
    if (this.#unanswered >= maxUnanswered) {
      const why = `the service did not respond to ${maxUnanswered} questions in a row`;
      return { answer: { why, unanswered: true }, entries: [] };
    }
    let attempts = 0;
    const attempt = () => {
      this.#entries = [];
      // It may have been issued in the attempt that is left out.
      if (++attempts > 1) this.#token = undefined;
      return probe();
    };
    try {
      const value = await this.#retries.send(attempt, (error) => isRepeated && error.status !== 429);
      return { answer: { value }, entries: this.#entries };
    } catch (error) {
      if (!(error instanceof NotDeterminable)) throw error;
      const isUnanswered = error instanceof NoResponse;
      if (isUnanswered) this.#unanswered++;
      const why = this.secrets.show(error.message);
      // What got a response before is still known.
      return { answer: { why, ...(isUnanswered && { unanswered: true }) }, entries: this.#entries };
    }
  }

  async #exchange(request: SentRequest): Promise<ReceivedResponse> {
    const { user_group_id: id, current_token } = sentFields(request);
    const mayCreate = current_token === undefined && !this.groups.hasCreated(id);
    const response = await this.#connection.exchange(request, mayCreate);
    if (typeof response.group.token === "string") this.secrets.add(response.group.token);
    // Most of an invented token is that of a group.
    if (typeof current_token === "string" && this.inventedTokens.has(current_token))
      this.secrets.add(current_token);
    this.#unanswered = 0;
    return response;
  }
}

function authorization(apiToken: string, scheme = "Token"): string {
  return `${scheme} ${apiToken}`;
}
