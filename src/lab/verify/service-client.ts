import { randomBytes, randomInt } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, servicePath } from "../../contract/operations.js";
import { asError } from "../../foundation/coded-error.js";
import { counted } from "../../foundation/grammar.js";
import type { JsonObject } from "../../foundation/json.js";
import { printable } from "../../foundation/printable.js";
import {
  isSameResponse,
  type ReceivedResponse,
  type Recorded,
  type SentRequest,
  sendRequest,
} from "./recorded.js";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It proves nothing about the service, and the request may have taken effect.
 */
export class NoResponse extends Error {
  readonly status?: number;
  /** How long the service asks clients to wait. */
  readonly retryAfterMs?: number;
  /** Nothing more is tried. */
  readonly isFinal?: boolean;
}

/** The responses do not decide a question. The message is the reason. */
export class NotDeterminable extends Error {}

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

/** How a request differs from the usual one. */
export interface RequestOptions {
  readonly provokes?: string;
  readonly apiToken?: string;
  /** The full Authorization header; null sends none. */
  readonly authorization?: string | null;
  /** null sends none. */
  readonly contentType?: string | null;
  readonly path?: string;
  readonly method?: string;
}

/** Sends requests to a service and records them. Uses only groups that it created itself. */
export class ServiceClient {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  /** The requests of all probes, without attempts that were repeated. */
  readonly transcript: Recorded[] = [];
  /** What is sent for a new group, besides its id. */
  base: JsonObject;
  /** A body that succeeded, and the token of its group. Probes look the group up, and do not change it. */
  known: { readonly body: JsonObject; readonly token: unknown } | undefined;
  readonly #patience: Patience;
  /** The time that failed attempts and pauses may still take. */
  #leftMs: number;
  /** The pause before each request, once the service has responded with 429. */
  #spacingMs = 0;
  #ids = 0;

  constructor(target: Target, patience: Patience) {
    this.target = target;
    this.#patience = patience;
    this.#leftMs = patience.totalMs;
    const usual = { name: "Verify", mapping: { "40": "213" }, properties: { filterValue: "value" } };
    this.base = target.sample ?? usual;
  }

  /** A text for the user, without tokens and control characters: a service may send back what it received. */
  mask(text: string): string {
    const { apiToken, secondApiToken = apiToken } = this.target;
    let masked = text.replaceAll(apiToken, "[API token]").replaceAll(secondApiToken, "[API token]");
    for (const { token } of this.transcript.map(({ response }) => response.group))
      if (typeof token === "string" && token.length > 7) masked = masked.replaceAll(token, "[token]");
    return printable(masked);
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** A numeric id cannot have the prefix. 16 random digits make a collision very unlikely. */
  newNumber(): number {
    return 9_000_000_000_000_000 - (randomBytes(6).readUIntBE(0, 6) % 900_000_000_000_000);
  }

  /** A token that the service has not issued, as similar to one of its tokens as is safe. */
  unknownToken(): string {
    const token = `${this.known?.token}`;
    if (token.length < 24) return "0".repeat(64);
    const end = token.slice(-12).replace(/[0-9]/g, () => `${randomInt(10)}`);
    return token.slice(0, -12) + end.replace(/[a-f]/g, () => randomInt(10, 16).toString(16));
  }

  /** The body of a get-or-create for a new group. Its name is unique too, so that a response that repeats it shows. */
  newBody(changes: JsonObject = {}): JsonObject {
    const user_group_id = this.newId();
    return { ...this.base, user_group_id, name: `${this.base.name} ${this.#ids}`, ...changes };
  }

  create(changes?: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.getOrCreate(this.newBody(changes), options);
  }

  getOrCreate(body: JsonObject | string | undefined, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.#send(operations["get-or-create"].method, body, options);
  }

  rotate(currentToken: unknown, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.post({ current_token: currentToken }, options);
  }

  post(body: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.#send(operations.rotate.method, body, options);
  }

  #send(method: string, body: JsonObject | string | undefined, options: RequestOptions = {}) {
    return this.record({ request: this.#request(method, body, options), provokes: options.provokes });
  }

  #request(usual: string, body: JsonObject | string | undefined, options: RequestOptions = {}): SentRequest {
    const { path = servicePath, method = usual, contentType = "application/json" } = options;
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const headers = {
      ...(contentType !== null && { "Content-Type": contentType }),
      ...(authorization !== null && { Authorization: authorization }),
    };
    return { method, path, headers, text: typeof body === "object" ? JSON.stringify(body) : body };
  }

  /** Throws NoResponse if there is no usable response. */
  async record({ request, provokes }: Pick<Recorded, "request" | "provokes">): Promise<ReceivedResponse> {
    // What was throttled had no effect, so only this request is sent again.
    const response = await this.attempt(
      () => this.#exchange(request),
      ({ status }) => status === 429,
    );
    if (isDoubtful(request, response)) await this.#confirm(request, response);
    this.transcript.push({ number: this.transcript.length + 1, request, response, provokes });
    return response;
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
        if (!(error instanceof NoResponse) || error.isFinal || !canRepeat(error)) throw error;
        this.transcript.length = recorded;
        const pauseMs = Math.max(error.retryAfterMs ?? 0, backoffMs * 2 ** (attempt - 1));
        this.#leftMs -= performance.now() - began + pauseMs;
        if (attempt >= attempts || this.#leftMs <= 0)
          throw Object.assign(new NoResponse(`${error.message}, after ${counted(attempt, "attempt")}`), {
            isFinal: true,
          });
        // Otherwise a probe of three requests never succeeds where two per second are allowed.
        if (error.status === 429) this.#spacingMs = backoffMs;
        await sleep(pauseMs);
      }
    }
  }

  async #exchange(request: SentRequest): Promise<ReceivedResponse> {
    const { method, path } = request;
    await sleep(this.#spacingMs);
    const response = await sendRequest(this.target.baseUrl, request, this.#patience.timeoutMs).catch(
      (error: unknown) => {
        const { message, code } = asError(error);
        throw new NoResponse(`${method} ${path} failed: ${message || code}`);
      },
    );
    const { status, headers } = response;
    if (outages.includes(status) || (status >= 400 && headers["retry-after"] !== undefined))
      throw noResponse(request, response);
    return response;
  }

  /** A bug of the service responds in the same way again, and only to this request. An outage does not. */
  async #confirm(request: SentRequest, response: ReceivedResponse): Promise<void> {
    const doubt = noResponse(request, response);
    if (this.known === undefined) throw doubt;
    await sleep(this.#patience.backoffMs);
    if (!isSameResponse(response, await this.#exchange(request))) throw doubt;
    const control = await this.#exchange(this.#request(operations["get-or-create"].method, this.known.body));
    if (!control.isSuccess) throw doubt;
  }
}

/** Statuses of a proxy or of an overloaded service. */
const outages: readonly number[] = [408, 425, 429, 502, 503, 504];

/** A bug of the service or an outage: an internal error, broken JSON, or the maintenance page of a proxy. */
function isDoubtful({ path }: SentRequest, { status, json }: ReceivedResponse): boolean {
  // At another path, a website may respond with a page.
  return status >= 500 || (status < 300 && json === undefined && path === servicePath);
}

function noResponse(request: SentRequest, { status, headers, json }: ReceivedResponse): NoResponse {
  const retryAfter = headers["retry-after"];
  const received = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
  const header = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
  const missing = status < 300 && json === undefined ? " without JSON" : "";
  const failure = new NoResponse(`${request.method} ${request.path} returned ${received}${missing}${header}`);
  return Object.assign(failure, { status, retryAfterMs: Number(retryAfter) * 1000 || 0 });
}
