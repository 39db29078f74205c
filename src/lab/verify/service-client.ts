import { randomBytes, randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, servicePath } from "../../contract/operations.js";
import { counted } from "../../foundation/grammar.js";
import type { JsonObject } from "../../foundation/json.js";
import { asError } from "../../foundation/located-problem.js";
import { printable } from "../../foundation/printable.js";
import type { GetOrCreateRequest } from "../../generated/types.js";
import {
  type GroupLife,
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  type SentRequest,
  sendRequest,
  sentFields,
} from "./recorded.js";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It proves nothing about the service, and the request may have taken effect.
 */
class NoResponse extends Error {
  isThrottled = false;
  /** How long the service asks clients to wait. */
  retryAfterMs = 0;
}

/** The responses do not decide a question. The message is the reason. */
export class NotDeterminable extends Error {}

/** There was no usable response. */
export class Unanswered extends NotDeterminable {}

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one request. */
  timeoutMs: 10_000,
  /** The most attempts for one probe. */
  attempts: 4,
  /** The pause before the second attempt. It doubles before each further attempt. */
  backoffMs: 1_000,
  /** After failed attempts and pauses of this length, nothing is tried again. */
  totalMs: 300_000,
};

export type Patience = Readonly<typeof usualPatience>;

export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** A token of another team: some questions need two teams. */
  readonly secondApiToken?: string;
  /** A valid body of get-or-create. */
  readonly sample?: JsonObject;
}

/** How a request differs from the usual one. Null sends no header. */
interface RequestOptions {
  readonly authorization?: string | null;
  readonly contentType?: string | null;
  readonly path?: string;
  readonly method?: string;
}

/** Every field that a request can send. */
const usual: Required<Omit<GetOrCreateRequest, "user_group_id">> = {
  name: "Verify",
  mapping: { "40": "213" },
  properties: { filterValue: "value" },
};

/** Sends requests to a service and records them. Uses only groups that it created itself. */
export class ServiceClient {
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  /** The requests of all probes, without attempts that were repeated. */
  readonly transcript: Recorded[] = [];
  /** What is sent for a new group, besides its id. */
  base: JsonObject;
  /** The name of the probe that sends requests. */
  probe = "first request";
  /** A request that succeeded. Probes look its group up, and do not change it. */
  known: Recorded | undefined;
  /** Once they are sent: the requests about one group, from which much is read. */
  life: Promise<GroupLife> | undefined;
  readonly target: Target;
  readonly #patience: Patience;
  /** The time that failed attempts and pauses may still take. */
  #leftMs: number;
  #ids = 0;

  constructor(target: Target, patience: Patience) {
    this.target = target;
    this.#patience = patience;
    this.#leftMs = patience.totalMs;
    this.base = target.sample ?? usual;
  }

  /** API tokens, and tokens of groups. */
  get secrets(): string[] {
    const { apiToken, secondApiToken } = this.target;
    const tokens = [apiToken, secondApiToken, ...this.transcript.map(({ response }) => response.group.token)];
    return [...new Set(tokens)].filter(
      (token): token is string => typeof token === "string" && token.length > 2,
    );
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
    return { ...this.base, user_group_id, name: `${this.base.name} ${this.#ids}`, ...changes };
  }

  create(changes?: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.get(this.newBody(changes), options);
  }

  /** Looks up the group of the known request: nothing else differs from a request that succeeded. */
  lookUp(options: RequestOptions, changes?: JsonObject): Promise<ReceivedResponse> {
    return this.get({ ...(this.known && sentFields(this.known.request)), ...changes }, options);
  }

  rotate(token: unknown, options?: RequestOptions, more?: JsonObject): Promise<ReceivedResponse> {
    return this.get({ current_token: token, ...more }, { method: operations.rotate.method, ...options });
  }

  /** Throws NoResponse if there is no usable response. */
  async get(
    body: JsonObject | string | undefined,
    { path = servicePath, method = operations["get-or-create"].method, ...options }: RequestOptions = {},
  ): Promise<ReceivedResponse> {
    const { authorization = `Token ${this.target.apiToken}`, contentType = "application/json" } = options;
    const headers = {
      ...(contentType !== null && { "Content-Type": contentType }),
      ...(authorization !== null && { Authorization: authorization }),
    };
    const request = { method, path, headers, text: typeof body === "object" ? JSON.stringify(body) : body };
    const response = await this.#exchange(request);
    const { status, json } = response;
    // An internal error, broken JSON, or the maintenance page of a proxy. At another path, a website may have a page.
    if (status >= 500 || (status < 300 && json === undefined && path === servicePath))
      await this.#confirm(request, response);
    this.transcript.push({ number: this.transcript.length + 1, probe: this.probe, request, response });
    return response;
  }

  /** A bug of the service rejects this request each time, and no others. An outage rejects all. */
  async #confirm(request: SentRequest, response: ReceivedResponse): Promise<void> {
    const doubt = noResponse(request, response);
    if (!this.known) throw doubt;
    await sleep(this.#patience.backoffMs);
    if (!isSameResponse(response, await this.#exchange(request))) throw doubt;
    if (!(await this.#exchange(this.known.request)).isSuccess) throw doubt;
  }

  /**
   * Repeats the whole probe if a request gets no usable response. That request may have taken effect, so a probe must
   * create its own groups each time.
   */
  async attempt<Result>(probe: () => Promise<Result>, canRepeat = (_: NoResponse) => true): Promise<Result> {
    const { attempts, backoffMs } = this.#patience;
    const recorded = this.transcript.length;
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      try {
        return await probe();
      } catch (error) {
        if (!(error instanceof NoResponse) || !canRepeat(error)) throw error;
        this.transcript.length = recorded;
        const pauseMs = Math.max(error.retryAfterMs, backoffMs * 2 ** (attempt - 1));
        this.#leftMs -= performance.now() - began + pauseMs;
        if (attempt >= attempts || this.#leftMs <= 0)
          throw new Unanswered(`${error.message}, after ${counted(attempt, "attempt")}`);
        await sleep(pauseMs);
      }
    }
  }

  /** What was throttled had no effect, so only this request is sent again. */
  #exchange(request: SentRequest): Promise<ReceivedResponse> {
    const send = async () => {
      const sent = sendRequest(this.target.baseUrl, request, this.#patience.timeoutMs);
      const response = await sent.catch((error: unknown) => {
        const { message, code } = asError(error);
        throw new NoResponse(`${request.method} ${request.path} failed: ${message || code}`);
      });
      const { status, headers } = response;
      if (outages.includes(status) || (status >= 400 && headers["retry-after"]))
        throw noResponse(request, response);
      return response;
    };
    return this.attempt(send, ({ isThrottled }) => isThrottled);
  }
}

/** Statuses of a proxy or of an overloaded service. */
const outages: readonly number[] = [408, 425, 429, 502, 503, 504];

function noResponse({ method, path }: SentRequest, { status, headers, json }: ReceivedResponse): NoResponse {
  const retryAfter = headers["retry-after"];
  const received = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
  const header = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
  const missing = status < 300 && json === undefined ? " without JSON" : "";
  const failure = new NoResponse(`${method} ${path} returned ${received}${missing}${header}`);
  return Object.assign(failure, {
    isThrottled: status === 429,
    retryAfterMs: Number(retryAfter) * 1000 || 0,
  });
}
