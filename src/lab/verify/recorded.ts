import { shownSchemas } from "../../fake/contract/group-fields.js";
import { exchange } from "../../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../../foundation/json.js";
import { hasSameShape } from "../../foundation/json-shape.js";

/** A request as it is sent. Without a text, it has no body. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | undefined;
}

/** A request of the run, with its response and the name of the probe that sent it. */
export interface Recorded {
  readonly probe: string;
  readonly request: SentRequest;
  readonly response: ReceivedResponse;
}

export type ReceivedResponse = ReturnType<typeof readResponse>;

export async function sendRequest(baseUrl: string, { path, ...request }: SentRequest, timeoutMs: number) {
  return readResponse(await exchange(new URL(baseUrl + path), { ...request, timeoutMs }));
}

export function readResponse(received: Awaited<ReturnType<typeof exchange>>) {
  const json = parseJson(received.text);
  const fields = asObject(json);
  const group = asObject(fields.user_group);
  return {
    ...received,
    /** The Content-Type without its parameters. */
    type: (received.headers["content-type"] ?? "").replace(/;.*/, "").trim().toLowerCase(),
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
