import { shownSchemas } from "../../../fake/contract/group-fields.js";
import type { operations } from "../../../fake/contract/operations.js";
import { exchange } from "../../../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../../../foundation/json.js";
import { hasSameShape } from "../../../foundation/json-shape.js";
import type { Operation } from "../../../generated/types.js";
import { need } from "./not-determinable.js";

/** A request as it is sent. Without a text, it has no body. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** No operation has it: the compiler checks that. Never DELETE or PATCH, which may do what verify cannot undo. */
export const unusedMethod: Exclude<"PUT", (typeof operations)[Operation]["method"]> = "PUT";

/** Why no profile can express how a service responds to a request with more than one mistake. */
export const severalMistakes = "several mistakes at once";

/** A request of the run, with its response. */
export interface Recorded {
  /** The name of the probe that sent it. */
  readonly probe: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
  /** Why no profile can express a difference, if there is one. */
  readonly inexpressible?: string | undefined;
}

export type ReceivedResponse = ReturnType<typeof readResponse>;

/** The most of a response that is read, in characters. */
const maxLength = 1_000_000;

/** The deepest JSON that is read: what is kept of it is walked and serialised. */
const maxResponseDepth = 100;

/** The most values of JSON that are read: each is compared with those of all other responses. */
const maxValues = 2_000;

/** Throws if there is no response, or one that is too long, too deep, or has an impossible status. */
export async function sendRequest(
  baseUrl: string,
  { path, ...request }: SentRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<ReceivedResponse> {
  const options = { ...request, timeoutMs, maxLength, ...(signal && { signal }) };
  const response = readResponse(await exchange(new URL(baseUrl + path), options));
  if (response.status < 200 || response.status > 599)
    throw new Error(`the response has the status ${response.status}`);
  if (isDeeperThan(response.json, maxResponseDepth))
    throw new Error(`the JSON of the response is nested more than ${maxResponseDepth} levels deep`);
  if (countValues(response.json, maxValues) > maxValues)
    throw new Error(`the JSON of the response has more than ${maxValues} values`);
  return response;
}

/** How many values there are, counted only until there are more than `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== "object" || value === null) return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    count += countValues(inner, most - count);
    if (count > most) break;
  }
  return count;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

export function readResponse(received: Awaited<ReturnType<typeof exchange>>) {
  const type = (received.headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
  const json = jsonOfResponse(received.text, type);
  const fields = asObject(json);
  const group = asObject(fields.user_group);
  return {
    ...received,
    /** The Content-Type without its parameters. */
    type,
    /** Undefined if the text is not JSON. */
    json,
    /** The body, or an empty object. */
    fields,
    /** Decided by `success` alone, also if it is "1" or true: that breaks a fact, but the other probes can continue. */
    isSuccess: Number(fields.success) === 1,
    /** The user group, or an empty object. */
    group,
    /** Those of its fields that the document shows. */
    shown: Object.fromEntries(Object.keys(shownSchemas).map((name) => [name, group[name]])),
  };
}

/** Undefined if a text is not JSON. A text that consists of digits is JSON only if its type says so. */
function jsonOfResponse(text: string, type: string): unknown {
  const json = parseJson(text);
  const isStructure = typeof json === "object" && json !== null;
  return isStructure || type.endsWith("json") ? json : undefined;
}

/** The fields of a body, if it is a JSON object. */
export function sentFields({ text = "" }: SentRequest): JsonObject {
  return asObject(parseJson(text));
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether status, content type, fields and their types are the same. */
export function isSameResponse(one: ReceivedResponse, other: ReceivedResponse): boolean {
  const isSameType = one.type === other.type || one.text === "" || other.text === "";
  return one.status === other.status && isSameType && hasSameShape(one.json, other.json);
}

/** Throws that nothing is determinable if a request was rejected that has to succeed. */
export function expectSuccess(response: ReceivedResponse): ReceivedResponse {
  need(response.isSuccess, `a request that has to succeed was rejected (status ${response.status})`);
  return response;
}

/** A value of a response, in a sentence. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
