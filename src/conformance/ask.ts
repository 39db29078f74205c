import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { MockError, thrown } from "../foundation/mock-error.js";

/** What a service answered. */
export interface Answer {
  readonly status: number;
  /** The JSON of the body, or undefined where it is none. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** How a call departs from the ordinary one. */
export interface CallOptions {
  readonly apiToken?: string;
  /** The whole Authorization header; null: none. */
  readonly authorization?: string | null;
  readonly contentType?: string;
  readonly path?: string;
}

export interface Target {
  readonly baseUrl: string;
  readonly apiToken: string;
  /** Of another team: some questions are about two. */
  readonly secondApiToken?: string;
}

/** No answer of the service is so long. */
const mostBytes = 10_000_000;

const callWithinMs = 10_000;
const allWithinMs = 60_000;

/** Asks a service over the wire, and touches only groups that it made itself. */
export class Asker {
  readonly target: Target;
  /** What every id of this run begins with, so that the groups can be recognised and removed. */
  readonly prefix = `usergroup-mock-verify-${randomBytes(4).toString("hex")}`;
  readonly #deadline = performance.now() + allWithinMs;
  #ids = 0;

  constructor(target: Target) {
    this.target = target;
  }

  newId(): string {
    return `${this.prefix}-${++this.#ids}`;
  }

  /** An id that is a number cannot carry the prefix; this many digits meet no group by chance. */
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
    const left = this.#deadline - performance.now();
    if (left <= 0) throw new MockError("timeout", `The service was not done within ${allWithinMs / 1000} s.`);
    const url = new URL(`${this.target.baseUrl.replace(/\/+$/, "")}${options.path ?? "/api/user"}`);
    const text = JSON.stringify(body);
    const { authorization = `Token ${options.apiToken ?? this.target.apiToken}` } = options;
    const headers = {
      "Content-Type": options.contentType ?? "application/json",
      "Content-Length": Buffer.byteLength(text),
      ...(authorization !== null && { Authorization: authorization }),
    };
    try {
      return await exchange(url, method, headers, text, Math.min(left, callWithinMs));
    } catch (error) {
      const { message, code } = thrown(error);
      throw new MockError("unreachable", `${url.origin} cannot be asked: ${message || code}.`);
    }
  }
}

function exchange(
  url: URL,
  method: string,
  headers: Record<string, string | number>,
  text: string,
  withinMs: number,
): Promise<Answer> {
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(Math.ceil(withinMs));
    const req = request(url, { method, headers, agent: false, signal }, (res) => {
      const chunks: Buffer[] = [];
      let length = 0;
      res.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > mostBytes) req.destroy(new Error(`it answers more than ${mostBytes} bytes`));
      });
      res.on("error", reject);
      res.on("end", () => {
        resolve({ status: res.statusCode ?? 0, json: parse(Buffer.concat(chunks).toString()) });
      });
    });
    req.on("error", (error) => {
      reject(signal.aborted ? new Error(`no answer within ${Math.ceil(withinMs / 1000)} s`) : error);
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

/** Loosely: a service that says "1" or true breaks a fact, and its other answers can still be read. */
export function succeeded({ json }: Answer): boolean {
  return json !== undefined && Number(json.success) === 1;
}

/** The user group of an answer; empty where there is none. */
export function groupOf({ json }: Answer): Readonly<Record<string, unknown>> {
  return isObject(json?.user_group) ? json.user_group : {};
}
