import type { IncomingHttpHeaders } from "node:http";
import { exchange } from "../../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { hasSameShape } from "../../foundation/json-shape.js";

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no body. */
  readonly text: string | undefined;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** The body, or an empty object. */
  readonly fields: JsonObject;
  /** Decided by `success` alone, also if it is "1" or true: that breaks a fact, but the other probes can continue. */
  readonly isSuccess: boolean;
  /** The user group, or an empty object. */
  readonly group: JsonObject;
}

/** A request of the run, with its response. */
export interface Recorded {
  /** From 1. */
  readonly number: number;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** The name of the response, if the service rejects the request. */
  readonly provokes?: string | undefined;
}

export async function sendRequest(
  baseUrl: string,
  { method, path, headers, text }: SentRequest,
  timeoutMs: number,
): Promise<ReceivedResponse> {
  const received = await exchange(new URL(`${baseUrl.replace(/\/+$/, "")}${path}`), {
    method,
    headers: { ...headers, ...(text !== undefined && { "Content-Length": Buffer.byteLength(text) }) },
    text,
    timeoutMs,
  });
  const json = parseJson(received.text);
  const fields = isObject(json) ? json : {};
  const group = isObject(fields.user_group) ? fields.user_group : {};
  return { ...received, json, fields, isSuccess: Number(fields.success) === 1, group };
}

type Compared = Pick<ReceivedResponse, "status" | "headers" | "text" | "json">;

/** Whether status, content type, fields and their types are the same. */
export function isSameResponse(one: Compared, other: Compared): boolean {
  const [type, otherType] = [one, other].map(({ headers }) => bareType(headers["content-type"]));
  return (
    one.status === other.status &&
    (one.text === "" || other.text === "" || type === otherType) &&
    hasSameShape(one.json, other.json)
  );
}

/** A Content-Type without its parameters. */
export function bareType(header = ""): string {
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether a value that varies is like its example: texts apart from numbers, and from words that were not kept. */
export function isLikeExample(value: unknown, example: unknown): boolean {
  if (typeof value !== "string" || typeof example !== "string") return hasSameShape(value, example);
  const pattern = example
    .replace(/[^\w\s]/g, "\\$&")
    .replaceAll("example", ".+")
    .replace(/\d+/g, "\\d+");
  return new RegExp(`^${pattern}$`, "s").test(value);
}
