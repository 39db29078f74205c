import { isDeepStrictEqual } from "node:util";
import { responseNames, successOf, textType, widerName } from "../../../fake/contract/response-names.js";
import { isObject, parseJson } from "../../../foundation/json.js";
import type { KnownFailure, ProfileResponses } from "../../../generated/types.js";
import type { Named } from "../replay/name-responses.js";
import type { Clean } from "./clean.js";
import { Rejections } from "./learn-rejections.js";
import { AddedFields } from "./learn-values.js";

/** Responses by name, the wider ones too. */
export type LearnedResponses = ReadonlyMap<string, KnownFailure>;

export interface Learned {
  readonly responses: LearnedResponses;
  /** The paths of values that are only examples. */
  readonly examplePaths: ReadonlySet<string>;
  /** The paths of values of successes that the mock cannot vary as the service does. */
  readonly fixedExamples: readonly string[];
}

/** Makes responses of a profile from those of a run, by their names: without tokens, ids of the run, and secrets. */
export function learnResponses(entries: readonly Named[], clean: Clean): Learned {
  const named = entries.filter(({ name }) => name !== "");
  const isSuccess = ({ name }: Named) => successOf(name) !== undefined;
  const added = new AddedFields(named.filter(isSuccess), clean);
  const rejections = new Rejections(
    named.filter((entry) => !isSuccess(entry)),
    clean,
  );
  const seen = named.map((entry): SeenResponse => {
    const content = isSuccess(entry) ? added.contentOf(entry) : rejections.contentOf(entry);
    return { name: entry.name, response: { ...headOf(entry, clean), ...content }, entry };
  });
  const examplePaths = new Set([...added.examplePaths(), ...rejections.examplePaths()]);
  return { responses: responsesByName(seen), examplePaths, fixedExamples: added.fixedExamples() };
}

interface SeenResponse {
  readonly name: string;
  readonly response: KnownFailure;
  readonly entry: Named;
}

/** The names that were seen, and those that are wider than one of them. */
function responsesByName(seen: readonly SeenResponse[]): LearnedResponses {
  const observed = [...new Set(seen.map(({ name }) => name))];
  const names = Object.keys(responseNames).filter((name) =>
    observed.some((one) => one === name || isNarrower(one, name)),
  );
  return new Map(names.map((name) => [name, responseOf(name, seen)]));
}

function isNarrower(name: string, wider: string): boolean {
  return name.startsWith(`${wider}.`);
}

/**
 * A wide name stands for what was not provoked. If `invalid_body.name.type` and `.null` got the same 400, and `.long` a 422,
 * that of `invalid_body.name` and of `invalid_body` is the 400.
 */
function responseOf(name: string, seen: readonly SeenResponse[]): KnownFailure {
  const own = seen.filter((one) => one.name === name);
  // That of the first group, for each success: so their fields agree with each other.
  if (successOf(name)) return own[0]?.response ?? {};
  const narrower = seen.filter((one) => isNarrower(one.name, name));
  return narrower.length === 0 ? mostFrequentOfName(own) : mostFrequentOfNames([...narrower, ...own]);
}

/** The most frequent response of a name. */
function mostFrequentOfName(seen: readonly SeenResponse[]): KnownFailure {
  const chosen = preferred(seen, isSingleMistake);
  return mostFrequent(chosen.map(({ response }) => response));
}

/** The most frequent response of several names. Each counts once, however often it was provoked. */
function mostFrequentOfNames(seen: readonly SeenResponse[]): KnownFailure {
  const ordinary = preferred(seen, isOrdinary);
  const names = new Set(ordinary.map(({ name }) => name));
  const usual = [...names].map((name) => mostFrequentOfName(ordinary.filter((one) => one.name === name)));
  return mostFrequent(usual);
}

/** Those for which a condition holds, or all if it holds for none. */
function preferred(
  seen: readonly SeenResponse[],
  isPreferred: (one: SeenResponse) => boolean,
): readonly SeenResponse[] {
  const found = seen.filter(isPreferred);
  return found.length > 0 ? found : seen;
}

function isSingleMistake({ entry }: SeenResponse): boolean {
  return !entry.hasSeveralMistakes;
}

/** A wide name is for ordinary mistakes: it is not a crash, nor the response to a body that is not an object. */
function isOrdinary({ response, entry }: SeenResponse): boolean {
  return (response.status ?? 0) < 500 && isObject(parseJson(entry.request.text ?? ""));
}

/** The first of the most frequent responses. */
function mostFrequent(responses: readonly KnownFailure[]): KnownFailure {
  const counts: { readonly response: KnownFailure; count: number }[] = [];
  for (const response of responses) {
    const known = counts.find((one) => isDeepStrictEqual(one.response, response));
    if (known === undefined) counts.push({ response, count: 1 });
    else known.count++;
  }
  const most = Math.max(...counts.map(({ count }) => count));
  return counts.find(({ count }) => count === most)?.response ?? {};
}

/** Responses as a profile has them: narrow names only where they differ. */
export function writeResponses(responses: LearnedResponses): ProfileResponses {
  const written = Object.keys(responseNames).flatMap((name) => {
    const response = responses.get(name);
    const wider = nearestWider(name, responses);
    if (response === undefined || isDeepStrictEqual(wider, response)) return [];
    // What is left out would come from the wider name.
    const headers = wider?.headers !== undefined && response.headers === undefined ? { headers: {} } : {};
    return [[name, { ...response, ...headers }]];
  });
  return Object.fromEntries(written);
}

/** The response that a name falls back to: that of the nearest wider name that has one. */
function nearestWider(name: string, responses: LearnedResponses): KnownFailure | undefined {
  const wider = widerName(name);
  return wider === "" ? undefined : (responses.get(wider) ?? nearestWider(wider, responses));
}

/** The status, and the headers in which the service differs from the mock. */
function headOf(entry: Named, clean: Clean): KnownFailure {
  const { status } = entry.response;
  const headers = { ...contentTypeOf(entry, clean), ...otherHeadersOf(entry, clean) };
  return { status, ...(Object.keys(headers).length > 0 && { headers }) };
}

function contentTypeOf({ response }: Named, clean: Clean): Record<string, string> {
  const { type, text, json, headers } = response;
  const mockType = json === undefined ? textType(text).replace(/;.*/, "") : "application/json";
  if (type === "" || type === mockType) return {};
  return { "Content-Type": clean(headers["content-type"] ?? "") };
}

/** Null leaves out a header that the mock would send. */
function otherHeadersOf({ response, mockHeaders }: Named, clean: Clean): Record<string, string | null> {
  // The mock sends this header with every 401.
  const mockChallenge = response.status === 401 ? "Token" : undefined;
  const mockSends = { "WWW-Authenticate": mockChallenge, Allow: mockHeaders?.allow };
  const headers: Record<string, string | null> = {};
  for (const [name, mockValue] of Object.entries(mockSends)) {
    const value = response.headers[name.toLowerCase()];
    if (value === mockValue) continue;
    headers[name] = value === undefined ? null : clean(String(value));
  }
  return headers;
}
