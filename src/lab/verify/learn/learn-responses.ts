import { isDeepStrictEqual } from "node:util";
import { responseNames, successOf, textType, widerName } from "../../../fake/contract/response-names.js";
import { isObject, parseJson } from "../../../foundation/json.js";
import type { KnownFailure, ProfileResponses } from "../../../generated/types.js";
import type { Named } from "../replay/play.js";
import { severalMistakes } from "../service/recorded.js";
import { Rejections } from "./learn-rejections.js";
import { AddedFields, type Clean } from "./learn-values.js";

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
  const added = new AddedFields(
    named.filter(({ name }) => successOf(name)),
    clean,
  );
  const rejections = new Rejections(
    named.filter(({ name }) => !successOf(name)),
    clean,
  );
  const seen = named.map((entry): SeenResponse => {
    const content = successOf(entry.name) ? { body: added.bodyOf(entry) } : rejections.contentOf(entry);
    return { name: entry.name, response: { ...headOf(entry, clean), ...defined(content) }, entry };
  });
  const observed = new Set(seen.map(({ name }) => name));
  const names = Object.keys(responseNames).filter((name) => {
    return [...observed].some((one) => one === name || one.startsWith(`${name}.`));
  });
  const responses = new Map(names.map((name) => [name, usualResponse(name, seen)]));
  const examplePaths = new Set([...added.examplePaths(), ...rejections.examplePaths]);
  return { responses, examplePaths, fixedExamples: added.fixedExamples() };
}

interface SeenResponse {
  readonly name: string;
  readonly response: KnownFailure;
  readonly entry: Named;
}

/** The response of a name: the most frequent one, or that of its narrower names. */
function usualResponse(name: string, seen: readonly SeenResponse[]): KnownFailure {
  const own = seen.filter((one) => one.name === name);
  // The first group comes first, so that the fields of all successes agree.
  if (successOf(name)) return own[0]?.response ?? {};
  const narrower = seen.filter((one) => one.name.startsWith(`${name}.`));
  if (narrower.length === 0) return mostFrequent(preferred(own, isSingleMistake));
  const ordinary = preferred([...narrower, ...own], isOrdinary);
  // Each narrower name counts once, however often it was provoked.
  const names = new Set(ordinary.map((one) => one.name));
  const byName = [...names].map((one) => {
    const ofName = ordinary.filter((other) => other.name === one);
    return { response: mostFrequent(preferred(ofName, isSingleMistake)) };
  });
  return mostFrequent(byName);
}

/** Those for which a condition holds, or all if it holds for none. */
function preferred(
  seen: readonly SeenResponse[],
  isPreferred: (one: SeenResponse) => boolean,
): readonly SeenResponse[] {
  const found = seen.filter(isPreferred);
  return found.length > 0 ? found : seen;
}

/** The first of the most frequent responses. */
function mostFrequent(seen: readonly Pick<SeenResponse, "response">[]): KnownFailure {
  const counts: { readonly response: KnownFailure; count: number }[] = [];
  for (const { response } of seen) {
    const known = counts.find((one) => isDeepStrictEqual(one.response, response));
    if (known === undefined) counts.push({ response, count: 1 });
    else known.count++;
  }
  const most = Math.max(...counts.map(({ count }) => count));
  return counts.find(({ count }) => count === most)?.response ?? {};
}

function isSingleMistake({ entry }: SeenResponse): boolean {
  return entry.inexpressible !== severalMistakes;
}

/** A wide name is for ordinary mistakes: it is not a crash, nor the response to a body that is not an object. */
function isOrdinary({ response, entry }: SeenResponse): boolean {
  return (response.status ?? 0) < 500 && isObject(parseJson(entry.request.text ?? ""));
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
function headOf({ response, ours }: Named, clean: Clean): KnownFailure {
  const headers: Record<string, string | null> = {};
  const { "content-type": contentType = "" } = response.headers;
  if (response.type !== "" && response.type !== ourType(response.text, response.json !== undefined))
    headers["Content-Type"] = clean(contentType);
  for (const name of ["WWW-Authenticate", "Allow"]) {
    const theirs = response.headers[name.toLowerCase()];
    const mocked = name === "Allow" ? ours?.allow : ourChallenge(response.status);
    if (theirs === undefined && mocked !== undefined) headers[name] = null;
    else if (theirs !== undefined && theirs !== mocked) headers[name] = clean(String(theirs));
  }
  return { status: response.status, ...(Object.keys(headers).length > 0 && { headers }) };
}

/** The mock sends this header with every 401. */
function ourChallenge(status: number): string | undefined {
  return status === 401 ? "Token" : undefined;
}

/** The media type that the mock sends for such a body. */
function ourType(text: string, isJson: boolean): string {
  return isJson ? "application/json" : textType(text).replace(/;.*/, "");
}

function defined(content: KnownFailure & { readonly body?: unknown }): KnownFailure {
  return content.body === undefined && content.text === undefined ? {} : content;
}
