import { randomBytes } from "node:crypto";
import { operations, servicePath } from "../contract/operations.js";
import { exchange } from "../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../foundation/json.js";
import { thrown } from "../foundation/mock-error.js";
import type { Operation } from "../generated/types.js";
import { Pace, type PaceOptions } from "./pace.js";
import { TransientFailure, throwIfTransient } from "./transient-failure.js";

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

/** Sends HTTP calls to a service. Uses only groups that it created itself. */
export class Asker {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  readonly pace: Pace;
  readonly #signal: AbortSignal | undefined;
  #ids = 0;

  constructor(target: Target, options: PaceOptions = {}) {
    this.target = target;
    this.pace = new Pace(options);
    this.#signal = options.signal;
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

  /** Throws a TransientFailure if there is no usable response. */
  async call(operation: Operation, body: object, options: CallOptions): Promise<ServiceAnswer> {
    const { method } = operations[operation];
    const { path = servicePath, contentType = "application/json" } = options;
    const url = new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${path}`);
    const text = JSON.stringify(body);
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const headers = {
      "Content-Type": contentType,
      "Content-Length": Buffer.byteLength(text),
      ...(authorization !== null && { Authorization: authorization }),
    };
    const timeoutMs = await this.pace.next();
    const response = await exchange(url, {
      method,
      headers,
      text,
      maxBytes: maxAnswerBytes,
      timeoutMs,
      abort: this.#signal,
    }).catch((error: unknown) => {
      const { message, code } = thrown(error);
      throw new TransientFailure(`${method} ${path} failed: ${message || code}`);
    });
    const json = parseJson(response.text);
    // At another path, a website may respond with a page.
    throwIfTransient({ ...response, isJson: json !== undefined }, `${method} ${path}`, path === servicePath);
    return { status: response.status, json: isObject(json) ? json : undefined };
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
