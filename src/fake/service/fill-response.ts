import { isObject } from "../../foundation/json.js";
import type { SituationId } from "../contract/situations.js";
import type { PreparedResponse } from "./known-responses.js";
import type { RequestContext } from "./result.js";
import { addedLength, type Given, placeholderText } from "./template.js";

/** A response of the profile with its placeholders filled in. What is undefined is as in our own response. */
export interface FilledResponse {
  readonly from: SituationId | undefined;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | null>> | undefined;
  readonly content: FilledContent | undefined;
}

export interface FilledContent {
  /** Of JSON otherwise. */
  readonly isText: boolean;
  readonly value: unknown;
}

/** A response of the profile, and what its placeholders stand for. */
interface Share {
  readonly prepared: PreparedResponse;
  readonly given: Given;
}

/** In characters. A request can be as long as 100 kB, and a profile can repeat a part of it many times. */
const maxLength = 1_000_000;

/**
 * Fills a response in. It has no content if that would be too long, which a note says.
 * @param others whose bodies are joined with that of the first one
 */
export function fillResponse(
  first: Share,
  others: readonly Share[],
  request: Pick<RequestContext, "note">,
): FilledResponse {
  const { from, status, fixedHeaders } = first.prepared;
  if (isTooLong([first, ...others])) {
    request.note(
      `the response of the profile would have more than ${maxLength} characters, so the mock's own was sent`,
    );
    return { from, status, headers: fixedHeaders && withoutType(fixedHeaders), content: undefined };
  }
  let content = fillContent(first);
  for (const other of others) {
    const more = fillContent(other);
    if (content?.isText === false && more?.isText === false)
      content = { isText: false, value: joinBodies(content.value, more.value) };
  }
  return { from, status, headers: fillHeaders(first), content };
}

/** What stands in the profile is as long as its author wants, but it is not repeated without end. */
function isTooLong(shares: readonly Share[]): boolean {
  let sum = 0;
  for (const { prepared, given } of shares) {
    if (shares.length > 1) sum += prepared.length;
    if (prepared.uses.length > 0) sum += addedLength(prepared.uses, given);
  }
  return sum > maxLength;
}

function fillContent({ prepared: { content }, given }: Share): FilledContent | undefined {
  return content && { isText: content.isText, value: content.template.fill(given) };
}

/** Two bodies in one: the fields of both objects, the items of both lists, and otherwise the first one. */
export function joinBodies(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return one;
  const joined: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other))
    joined[key] = Object.hasOwn(one, key) ? joinBodies(one[key], value) : value;
  return joined;
}

/** In a header, what is filled in is percent-encoded where it is not visible ASCII. */
function fillHeaders({ prepared, given }: Share): FilledResponse["headers"] {
  const { headers, fixedHeaders } = prepared;
  if (headers.length === 0) return undefined;
  if (fixedHeaders !== undefined) return fixedHeaders;
  const encoded: Given = (name) => percentEncoded(placeholderText(given(name)));
  const filled: Record<string, string | null> = {};
  for (const { name, value } of headers) filled[name] = value === null ? null : String(value.fill(encoded));
  return filled;
}

function percentEncoded(text: string): string {
  // Most are.
  if (/^[!-~]*$/.test(text)) return text;
  // Half of a surrogate pair cannot be encoded.
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[^!-~]+/g, encodeURIComponent);
}

/** The type of a body that is not sent. */
export function withoutType(headers: FilledResponse["headers"]): FilledResponse["headers"] {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !/^content-type$/i.test(name)));
}
