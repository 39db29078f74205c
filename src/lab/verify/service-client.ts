import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { operations, servicePath } from "../../contract/operations.js";
import { exchange } from "../../foundation/exchange.js";
import { counted } from "../../foundation/grammar.js";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { asError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import type { Operation } from "../../generated/types.js";

/**
 * A request without a usable response: the connection broke, nothing came in time, or a proxy or an overloaded service
 * responded. It proves nothing about the service, and the request may have taken effect.
 */
export class NoResponse extends Error {
  readonly status?: number;
  /** How long the service asks clients to wait. */
  readonly retryAfterMs?: number;
}

/** How long a run waits, and how often it tries. */
export const usualPatience = {
  /** The longest time for one request. */
  timeoutMs: 10_000,
  /** The most attempts for one fact or question. */
  attempts: 4,
  /** The pause before the second attempt. It doubles before each further attempt. */
  backoffMs: 1_000,
  /** After failed attempts and pauses of this length, nothing is tried again. */
  totalMs: 300_000,
};

export type Patience = Readonly<typeof usualPatience>;

export interface ReceivedResponse {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly json: JsonObject | undefined;
  /** Also if success is "1" or true. Such a service breaks a fact, but the other checks can continue. */
  readonly isSuccess: boolean;
  /** The user group, or an empty object. */
  readonly group: JsonObject;
}

/** Overrides for a single request. */
export interface RequestOptions {
  readonly apiToken?: string;
  /** The full Authorization header; null sends none. */
  readonly authorization?: string | null;
  readonly contentType?: string;
  readonly path?: string;
}

export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** A token of another team: some questions need two teams. */
  readonly secondApiToken?: string;
}

/** Sends requests to a service. Uses only groups that it created itself. */
export class ServiceClient {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
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
  }

  /** A text for the user, without API tokens and control characters: a service may send back what it received. */
  mask(text: string): string {
    const { apiToken, secondApiToken = apiToken } = this.target;
    return printable(text.replaceAll(apiToken, "[API token]").replaceAll(secondApiToken, "[API token]"));
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** A numeric id cannot have the prefix. 16 random digits make a collision very unlikely. */
  newNumber(): number {
    return 9_000_000_000_000_000 - (randomBytes(6).readUIntBE(0, 6) % 900_000_000_000_000);
  }

  /** The body of a get-or-create for a new group. */
  newGroup() {
    return { user_group_id: this.newId(), name: "Verify" };
  }

  create(fields: object = {}, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.getOrCreate({ ...this.newGroup(), ...fields }, options);
  }

  getOrCreate(body: object, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.send("get-or-create", body, options);
  }

  rotate(currentToken: unknown, options?: RequestOptions): Promise<ReceivedResponse> {
    return this.send("rotate", { current_token: currentToken }, options);
  }

  /**
   * Repeats the whole probe if a request gets no usable response. That request may have taken effect, so a probe must
   * create its own groups each time.
   */
  async attempt<Result>(probe: () => Promise<Result>): Promise<Result> {
    const { attempts, backoffMs } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      const began = performance.now();
      try {
        return await probe();
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        const pauseMs = Math.max(error.retryAfterMs ?? 0, backoffMs * 2 ** (attempt - 1));
        this.#leftMs -= performance.now() - began + pauseMs;
        if (attempt >= attempts || this.#leftMs <= 0)
          throw new NoResponse(`${error.message}, after ${counted(attempt, "attempt")}`);
        // Otherwise a probe of three requests never succeeds where two per second are allowed.
        if (error.status === 429) this.#spacingMs = backoffMs;
        await sleep(pauseMs);
      }
    }
  }

  /** Throws NoResponse if there is no usable response. */
  async send(operation: Operation, body: object, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const { method } = operations[operation];
    const { path = servicePath, contentType = "application/json" } = options;
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const text = JSON.stringify(body);
    await sleep(this.#spacingMs);
    const response = await exchange(new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${path}`), {
      method,
      headers: {
        "Content-Type": contentType,
        "Content-Length": Buffer.byteLength(text),
        ...(authorization !== null && { Authorization: authorization }),
      },
      text,
      timeoutMs: this.#patience.timeoutMs,
    }).catch((error: unknown) => {
      const { message, code } = asError(error);
      throw new NoResponse(`${method} ${path} failed: ${message || code}`);
    });
    const { status, headers } = response;
    const retryAfter = headers["retry-after"];
    const received = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
    if (status >= 500 || [408, 425, 429].includes(status) || (status >= 400 && retryAfter !== undefined)) {
      const header = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
      const failure = new NoResponse(`${method} ${path} returned ${received}${header}`);
      throw Object.assign(failure, { status, retryAfterMs: Number(retryAfter) * 1000 || 0 });
    }
    const json = parseJson(response.text);
    // Broken JSON, or the maintenance page of a proxy. At another path, a website may respond with a page.
    if (status < 300 && json === undefined && path === servicePath)
      throw new NoResponse(`${method} ${path} returned ${received} without JSON`);
    const object = isObject(json) ? json : undefined;
    return {
      status,
      json: object,
      isSuccess: Number(object?.success) === 1,
      group: isObject(object?.user_group) ? object.user_group : {},
    };
  }
}
