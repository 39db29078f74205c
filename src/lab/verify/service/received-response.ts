import { shownSchemas } from "../../../fake/contract/group-fields.js";
import type { exchange } from "../../../foundation/exchange.js";
import { isObject, type JsonObject, parseJson } from "../../../foundation/json.js";
import { hasSameShape } from "../../../foundation/json-shape.js";
import { need } from "./not-determinable.js";

export type ReceivedResponse = ReturnType<typeof readResponse>;

/** Reads what the document says of a response, as far as it is there: a service may send anything. */
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
    /** Decided by `success` alone, also if it is "1" or true: that breaks a fact, but other questions can continue. */
    isSuccess: Number(fields.success) === 1,
    /** The user group, or an empty object. */
    group,
    /** The fields of the user group that the document shows. */
    documented: Object.fromEntries(Object.keys(shownSchemas).map((name) => [name, group[name]])),
  };
}

/** Undefined if a text is not JSON. A single value, such as digits or a word in quotes, is JSON only if its type says so. */
function jsonOfResponse(text: string, type: string): unknown {
  const json = parseJson(text);
  const isStructure = typeof json === "object" && json !== null;
  return isStructure || type.endsWith("json") ? json : undefined;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether status, content type, fields and their types are the same. An empty text needs no content type. */
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
