import { randomBytes } from "node:crypto";
import { operations, servicePath } from "../contract/operations.js";
import { exchange } from "../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../foundation/json.js";
import { MockError, thrown } from "../foundation/mock-error.js";
import type { Operation } from "../generated/types.js";

export interface ServiceAnswer {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly json: JsonObject | undefined;
}

/** Overrides for a single call. */
export interface CallOptions {
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

/** Limits the memory that an endless answer can use. */
const maxAnswerBytes = 10_000_000;

const callTimeoutMs = 10_000;
const totalTimeoutMs = 60_000;

/** Sends HTTP calls to a service. Uses only groups that it created itself. */
export class Asker {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  readonly #deadline = performance.now() + totalTimeoutMs;
  readonly #signal: AbortSignal | undefined;
  #ids = 0;

  constructor(target: Target, signal?: AbortSignal) {
    this.target = target;
    this.#signal = signal;
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** A numeric id cannot have the prefix. 16 random digits make a collision very unlikely. */
  newNumber(): number {
    return 9_000_000_000_000_000 - (randomBytes(6).readUIntBE(0, 6) % 900_000_000_000_000);
  }

  getOrCreate(body: object, options: CallOptions = {}): Promise<ServiceAnswer> {
    return this.call("get-or-create", body, options);
  }

  rotate(currentToken: unknown, options: CallOptions = {}): Promise<ServiceAnswer> {
    return this.call("rotate", { current_token: currentToken }, options);
  }

  async call(operation: Operation, body: object, options: CallOptions): Promise<ServiceAnswer> {
    const remainingMs = this.#deadline - performance.now();
    if (remainingMs <= 0)
      throw new MockError("timeout", `The service is too slow: stopped after ${totalTimeoutMs / 1000} s.`);
    const url = new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${options.path ?? servicePath}`);
    const text = JSON.stringify(body);
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const headers = {
      "Content-Type": options.contentType ?? "application/json",
      "Content-Length": Buffer.byteLength(text),
      ...(authorization !== null && { Authorization: authorization }),
    };
    try {
      const { method } = operations[operation];
      const timeoutMs = Math.min(remainingMs, callTimeoutMs);
      const { status, text: answer } = await exchange(url, {
        method,
        headers,
        text,
        maxBytes: maxAnswerBytes,
        timeoutMs,
        abort: this.#signal,
      });
      const json = parseJson(answer);
      return { status, json: isObject(json) ? json : undefined };
    } catch (error) {
      const { message, code } = thrown(error);
      throw new MockError("unreachable", `A call to ${url.origin} failed: ${message || code}.`);
    }
  }
}

/** Also accepts "1" and true. Such a service breaks a fact, but the other checks can continue. */
export function succeeded({ json }: ServiceAnswer): boolean {
  return json !== undefined && Number(json.success) === 1;
}

/** The user group in an answer, or an empty object. */
export function groupOf({ json }: ServiceAnswer): JsonObject {
  return isObject(json?.user_group) ? json.user_group : {};
}
