import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, servicePath } from "../../fake/contract/operations.js";
import { counted } from "../../foundation/grammar.js";
import type { JsonObject } from "../../foundation/json.js";
import { asError } from "../../foundation/located-problem.js";
import { printable } from "../../foundation/printable.js";
import { isSameResponse, type ReceivedResponse, type Recorded, sendRequest, sentFields } from "./recorded.js";

/** The responses do not decide a question. The message is the reason. */
export class NotDeterminable extends Error {}

/** Ends a probe without a value if a condition is not met. */
export function need(isMet: unknown, reason: string): asserts isMet {
  if (!isMet) throw new NotDeterminable(reason);
}

/** There was no usable response. That proves nothing about the service, and the request may have taken effect. */
class NoResponse extends NotDeterminable {
  /** What came instead, if anything did. */
  readonly response?: ReceivedResponse;
}

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one request. */
  timeoutMs: 10_000,
  /** The most attempts for one probe. */
  attempts: 4,
  /** The pause before the second attempt. It doubles before each further attempt. */
  backoffMs: 1_000,
  /** After this time, nothing is tried again. */
  totalMs: 600_000,
};

export type Patience = Readonly<typeof usualPatience>;

/** The second API token is of another team, for some questions. The sample is a valid body of get-or-create. */
export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly secondApiToken?: string;
  readonly sample?: JsonObject;
}

/** What a probe returns, or why that is not determinable. `unanswered`: there was no usable response. */
export type Answer<Value> = Readonly<{ value?: Value; why?: string; unanswered?: true }>;

/** How a request differs from the usual one. Null sends no header. The scheme is the first word of Authorization. */
export interface RequestOptions {
  readonly apiToken?: string | null;
  readonly scheme?: string;
  readonly contentType?: string | null;
  readonly path?: string;
  readonly method?: string;
}

/** Sends requests to a service and records them. Uses only groups that it created itself. */
export class ServiceClient {
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  /** The requests of all probes, without attempts that were repeated. */
  readonly transcript: Recorded[] = [];
  /** What is sent for a new group, besides its id. */
  base: JsonObject = {};
  /** The first request. Sent again, it looks up the group that it created. */
  known: Recorded | undefined;
  readonly target: Target;
  readonly #patience: Patience;
  readonly #began = performance.now();
  #probe = "";
  #ids = 0;

  constructor(target: Target, patience: Patience = usualPatience) {
    this.target = target;
    this.#patience = patience;
  }

  /** API tokens, and tokens of groups. */
  get secrets(): string[] {
    const { apiToken, secondApiToken } = this.target;
    const tokens = [apiToken, secondApiToken, ...this.transcript.map(({ response }) => response.group.token)];
    return tokens.filter((token): token is string => typeof token === "string" && token.length > 2);
  }

  /** A text for the user, without tokens and control characters: a service may send back what it received. */
  mask(text: string): string {
    return printable(this.secrets.reduce((all, secret) => all.replaceAll(secret, "[token]"), text));
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** A numeric id cannot have the prefix. Its random digits make a collision very unlikely. */
  newNumber(): number {
    return 9_000_000_000_000_000 - randomInt(2 ** 48 - 1);
  }

  /** The body of a get-or-create for a new group. Its name is unique too, so that a response that repeats it shows. */
  newBody(changes: JsonObject = {}): JsonObject {
    const user_group_id = this.newId();
    return { ...this.base, user_group_id, name: `${this.base.name ?? "Verify"} ${this.#ids}`, ...changes };
  }

  create(changes?: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.send(this.newBody(changes), options);
  }

  /** Looks up the group of the known request: nothing else differs from a request that succeeded. */
  lookUp(options: RequestOptions, changes?: JsonObject): Promise<ReceivedResponse> {
    return this.send({ ...(this.known && sentFields(this.known.request)), ...changes }, options);
  }

  rotate(token: unknown, options?: RequestOptions, more?: JsonObject): Promise<ReceivedResponse> {
    return this.send({ current_token: token, ...more }, { method: operations.rotate.method, ...options });
  }

  /** Throws NoResponse if there is no usable response. */
  async send(body: JsonObject | string | undefined, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const { path = servicePath, method = operations["get-or-create"].method } = options;
    const { apiToken = this.target.apiToken, scheme = "Token", contentType = "application/json" } = options;
    const headers = {
      ...(contentType !== null && { "Content-Type": contentType }),
      ...(apiToken !== null && { Authorization: `${scheme} ${apiToken}` }),
    };
    const request = { method, path, headers, text: typeof body === "object" ? JSON.stringify(body) : body };
    const response = await this.#exchange(request);
    const { status, json } = response;
    // An internal error, broken JSON, or the maintenance page of a proxy. At another path, a website may have a page.
    const isDoubtful = status >= 500 || (status < 300 && json === undefined && path === servicePath);
    if (isDoubtful && !(await this.#isConfirmed(request, response))) throw noResponse(request, response);
    this.transcript.push({ probe: this.#probe, request, response });
    return response;
  }

  /** A bug of the service rejects this request each time, and no others. An outage rejects all. */
  async #isConfirmed(request: Recorded["request"], response: ReceivedResponse): Promise<boolean> {
    if (!this.known) return false;
    await sleep(this.#patience.backoffMs);
    const isSame = isSameResponse(response, await this.#exchange(request));
    return isSame && (await this.#exchange(this.known.request)).isSuccess;
  }

  /** Repeats a probe without a usable response. The request may have taken effect, so a probe makes its own groups. */
  async ask<Value>(name: string, probe: () => Promise<Value>): Promise<Answer<Value>> {
    this.#probe = name;
    try {
      return { value: await this.#attempt(probe, (status) => status !== 429) };
    } catch (error) {
      if (!(error instanceof NotDeterminable)) throw error;
      return { why: this.mask(error.message), ...(error instanceof NoResponse && { unanswered: true }) };
    }
  }

  async #attempt<Result>(send: () => Promise<Result>, canRepeat: (status?: number) => boolean) {
    const { attempts, backoffMs, totalMs } = this.#patience;
    const recorded = this.transcript.length;
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof NoResponse) || !canRepeat(error.response?.status)) throw error;
        this.transcript.length = recorded;
        const retryAfterMs = Number(error.response?.headers["retry-after"]) * 1000 || 0;
        const pauseMs = Math.max(retryAfterMs, backoffMs * 2 ** (attempt - 1));
        error.message += `, after ${counted(attempt, "attempt")}`;
        if (attempt >= attempts || performance.now() + pauseMs > this.#began + totalMs) throw error;
        await sleep(pauseMs);
      }
    }
  }

  /** What was throttled had no effect, so only this request is sent again, and not the whole probe. */
  #exchange(request: Recorded["request"]): Promise<ReceivedResponse> {
    const sendOnce = async () => {
      const sent = sendRequest(this.target.baseUrl, request, this.#patience.timeoutMs);
      const response = await sent.catch((error: unknown) => {
        const { message, code } = asError(error);
        throw new NoResponse(`${request.method} ${request.path} failed: ${message || code}`);
      });
      const { status, headers } = response;
      // A proxy or an overloaded service.
      if ([408, 425, 429, 502, 503, 504].includes(status) || (status >= 400 && headers["retry-after"]))
        throw noResponse(request, response);
      return response;
    };
    return this.#attempt(sendOnce, (status) => status === 429);
  }
}

function noResponse({ method, path }: Recorded["request"], response: ReceivedResponse): NoResponse {
  const { status, headers, json } = response;
  const missing = status < 300 && json === undefined ? " without JSON" : "";
  const header = headers["retry-after"] ? ` (Retry-After: ${headers["retry-after"]})` : "";
  const message = `${method} ${path} returned ${status}${missing}${header}`;
  return Object.assign(new NoResponse(message), { response });
}
