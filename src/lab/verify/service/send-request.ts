import { exchange } from "../../../foundation/exchange.js";
import { type ReceivedResponse, readResponse } from "./received-response.js";
import type { SentRequest } from "./recorded.js";

/** The most of a response that is read, in characters. */
const maxLength = 1_000_000;

/** The deepest JSON that is read: what is kept of it is walked and serialised. */
const maxResponseDepth = 100;

/** The most values of JSON that are read: each is compared with those of all other responses. */
const maxValues = 2_000;

interface SendOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Throws if there is no response, or one that cannot be used: the service may be broken or hostile. */
export async function sendRequest(
  baseUrl: string,
  { path, ...request }: SentRequest,
  { timeoutMs, signal }: SendOptions,
): Promise<ReceivedResponse> {
  const options = { ...request, timeoutMs, maxLength, ...(signal && { signal }) };
  const response = readResponse(await exchange(new URL(baseUrl + path), options));
  const { status, json } = response;
  if (status < 200 || status > 599) throw new Error(`the response has the status ${status}`);
  if (isDeeperThan(json, maxResponseDepth))
    throw new Error(`the JSON of the response is nested more than ${maxResponseDepth} levels deep`);
  if (countValues(json, maxValues) > maxValues)
    throw new Error(`the JSON of the response has more than ${maxValues} values`);
  return response;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
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
