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

type ResponseText = Awaited<ReturnType<typeof exchange>>;

export interface ReceivedResponse extends ResponseText {
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
  /** The name of the probe that sent it. */
  readonly probe: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
}

/** The responses to requests about one group, in order, and the body that created it. */
export interface GroupLife extends Record<"created" | "found" | "rotated" | "after", ReceivedResponse> {
  readonly body: JsonObject;
}

export async function sendRequest(
  baseUrl: string,
  { path, ...request }: SentRequest,
  timeoutMs: number,
): Promise<ReceivedResponse> {
  const { text } = request;
  const headers = { ...request.headers, ...(text && { "Content-Length": Buffer.byteLength(text) }) };
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${path}`);
  return readResponse(await exchange(url, { ...request, headers, timeoutMs }));
}

export function readResponse(received: ResponseText): ReceivedResponse {
  const json = parseJson(received.text);
  const fields = asObject(json);
  const isSuccess = Number(fields.success) === 1;
  return { ...received, json, fields, isSuccess, group: asObject(fields.user_group) };
}

/** The fields of a body, if it is a JSON object. */
export function sentFields({ text = "" }: SentRequest): JsonObject {
  return asObject(parseJson(text));
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether status, content type, fields and their types are the same. */
export function isSameResponse(one: ResponseText, other: ResponseText): boolean {
  const [type, otherType] = [one, other].map(({ headers }) => bareType(headers["content-type"]));
  return (
    one.status === other.status &&
    (one.text === "" || other.text === "" || type === otherType) &&
    hasSameShape(parseJson(one.text), parseJson(other.text))
  );
}

/** A Content-Type without its parameters. */
export function bareType(header = ""): string {
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}
