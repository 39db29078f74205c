import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { MockError, thrown } from "../foundation/mock-error.js";

export interface Answer {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
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
const maxBytes = 10_000_000;

const callTimeoutMs = 10_000;
const totalTimeoutMs = 60_000;

/** Sends HTTP calls to a service. Uses only groups that it created itself. */
export class Asker {
  readonly target: Target;
  /** Prefix of all group ids of this run, so that you can find and remove the groups. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  readonly #deadline = performance.now() + totalTimeoutMs;
  #ids = 0;

  constructor(target: Target) {
    this.target = target;
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** A numeric id cannot have the prefix. 16 random digits make a collision very unlikely. */
  newNumber(): number {
    return 9_000_000_000_000_000 - (randomBytes(6).readUIntBE(0, 6) % 900_000_000_000_000);
  }

  getOrCreate(body: object, options: CallOptions = {}): Promise<Answer> {
    return this.#call("GET", body, options);
  }

  rotate(currentToken: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.#call("POST", { current_token: currentToken }, options);
  }

  async #call(method: string, body: object, options: CallOptions): Promise<Answer> {
    const remainingMs = this.#deadline - performance.now();
    if (remainingMs <= 0)
      throw new MockError("timeout", `The service is too slow: stopped after ${totalTimeoutMs / 1000} s.`);
    const url = new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${options.path ?? "/api/user"}`);
    const text = JSON.stringify(body);
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const headers = {
      "Content-Type": options.contentType ?? "application/json",
      "Content-Length": Buffer.byteLength(text),
      ...(authorization !== null && { Authorization: authorization }),
    };
    try {
      return await send(url, method, headers, text, Math.min(remainingMs, callTimeoutMs));
    } catch (error) {
      const { message, code } = thrown(error);
      throw new MockError("unreachable", `A call to ${url.origin} failed: ${message || code}.`);
    }
  }
}

function send(
  url: URL,
  method: string,
  headers: Record<string, string | number>,
  text: string,
  timeoutMs: number,
): Promise<Answer> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    const req = request(url, { method, headers, agent: false, signal }, (res) => {
      const chunks: Buffer[] = [];
      let length = 0;
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBytes) req.destroy(new Error(`the answer is longer than ${maxBytes} bytes`));
      });
      res.on("error", reject);
      res.on("end", () => {
        resolve({ status: res.statusCode ?? 0, json: parse(Buffer.concat(chunks).toString()) });
      });
    });
    req.on("error", (error) => {
      reject(signal.aborted ? new Error(`no answer within ${Math.ceil(timeoutMs / 1000)} s`) : error);
    });
    req.end(text);
  });
}

function parse(text: string): Answer["json"] {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also accepts "1" and true. Such a service breaks a fact, but the other checks can continue. */
export function succeeded({ json }: Answer): boolean {
  return json !== undefined && Number(json.success) === 1;
}

/** The user group in an answer, or an empty object. */
export function groupOf({ json }: Answer): Readonly<Record<string, unknown>> {
  return isObject(json?.user_group) ? json.user_group : {};
}
