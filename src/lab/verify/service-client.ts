import { randomBytes } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { operations, servicePath } from "../../contract/operations.js";
import { exchange } from "../../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { asError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import type { Operation } from "../../generated/types.js";
import { Pace, type PaceOptions, TransientFailure } from "./pace.js";

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

/** Limits the memory that an endless response can use. */
const maxReplyBytes = 10_000_000;

/** A shorter token may be part of an ordinary word. Masking the word would reveal the token. */
const minMaskedLength = 8;

/** Sends requests to a service. Uses only groups that it created itself. */
export class ServiceClient {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  readonly pace: Pace;
  #ids = 0;

  constructor(target: Target, options: PaceOptions = {}) {
    this.target = target;
    const { onWait } = options;
    this.pace = new Pace({ ...options, onWait: onWait && ((ms, why) => onWait(ms, this.mask(why))) });
  }

  /** A text for the user, without API tokens and control characters: a service may send back what it received. */
  mask(text: string): string {
    const { apiToken, secondApiToken = "" } = this.target;
    const tokens = [apiToken, secondApiToken].filter(({ length }) => length >= minMaskedLength);
    return printable(tokens.reduce((safe, token) => safe.replaceAll(token, "[API token]"), text));
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

  /** Throws a TransientFailure if there is no usable response. */
  async send(operation: Operation, body: object, options: RequestOptions = {}): Promise<ReceivedResponse> {
    const { method } = operations[operation];
    const { path = servicePath, contentType = "application/json" } = options;
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const text = JSON.stringify(body);
    const timeoutMs = await this.pace.next();
    const response = await exchange(new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${path}`), {
      method,
      headers: {
        "Content-Type": contentType,
        "Content-Length": Buffer.byteLength(text),
        ...(authorization !== null && { Authorization: authorization }),
      },
      text,
      maxBytes: maxReplyBytes,
      timeoutMs,
    }).catch((error: unknown) => {
      const { message, code } = asError(error);
      throw new TransientFailure(`${method} ${path} failed: ${message || code}`);
    });
    const { status, headers } = response;
    const retryAfter = headers["retry-after"];
    const received = [status, STATUS_CODES[status]].filter(Boolean).join(" ");
    if (status >= 500 || [408, 425, 429].includes(status) || (status >= 400 && retryAfter !== undefined)) {
      const header = retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`;
      throw new TransientFailure(
        `${method} ${path} returned ${received}${header}`,
        status,
        readRetryAfter(retryAfter),
      );
    }
    const json = parseJson(response.text);
    // Broken JSON, or the maintenance page of a proxy. At another path, a website may respond with a page.
    if (status < 300 && json === undefined && path === servicePath)
      throw new TransientFailure(`${method} ${path} returned ${received} without JSON`, status);
    const object = isObject(json) ? json : undefined;
    return {
      status,
      json: object,
      isSuccess: Number(object?.success) === 1,
      group: isObject(object?.user_group) ? object.user_group : {},
    };
  }
}

/** The header has seconds or a date. */
function readRetryAfter(retryAfter = ""): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}
