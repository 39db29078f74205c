import type { Accepts, KnownFailure, Operation, Profile, ProfileResponses } from "../../generated/types.js";
import { layOver } from "./accepts.js";
import { operationIds } from "./operations.js";
import { responseNames, widerName } from "./response-names.js";

/** A response of the profile, with what it takes from wider names. */
export interface KnownResponse extends KnownFailure {
  /** The narrowest name in the profile that gave a part of it. */
  readonly from: string;
  /** Whether it has placeholders: most have none. */
  readonly isTemplate: boolean;
}

/** By name. */
export type KnownResponses = ReadonlyMap<string, KnownResponse>;

/** The responses of a profile as a server sends them. */
export function knownResponses(responses: ProfileResponses = {}): KnownResponses {
  const known = new Map<string, KnownResponse>();
  for (const [name, response] of resolveResponses(responses)) {
    const from = name in responses ? name : (known.get(widerName(name))?.from ?? name);
    const isTemplate = /\{\w+\}/.test(JSON.stringify([response.body, response.text]));
    known.set(name, { ...response, from, isTemplate });
  }
  return known;
}

/** The responses of a profile, by name, with what they take from wider names. A wider name comes first. */
export function resolveResponses(responses: ProfileResponses = {}): Map<string, KnownFailure> {
  const given = new Map<string, KnownFailure>(Object.entries(responses));
  const resolved = new Map<string, KnownFailure>();
  const resolve = (name: string): KnownFailure => {
    if (name === "") return {};
    const wide = resolved.get(widerName(name)) ?? resolve(widerName(name));
    const response = withResponse(wide, given.get(name) ?? {});
    if (Object.keys(response).length > 0) resolved.set(name, response);
    return response;
  };
  for (const name of Object.keys(responseNames)) resolve(name);
  return resolved;
}

/** A response, with what it leaves out from another one. `body` and `text` hide each other. */
function withResponse(other: KnownFailure, own: KnownFailure): KnownFailure {
  const { body: _body, text: _text, ...withoutContent } = other;
  return { ...("body" in own || "text" in own ? withoutContent : other), ...own };
}

/** One profile of several. A later one wins entry by entry. */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const [first = {}, ...later] = profiles;
  let merged = first;
  for (const profile of later) merged = mergeTwo(merged, profile);
  return merged;
}

function mergeTwo(before: Profile, later: Profile): Profile {
  return {
    ...before,
    ...later,
    accepts: mergeAccepts(before.accepts ?? {}, later.accepts ?? {}),
    assume: { ...before.assume, ...later.assume },
    responses: mergeResponses(before.responses ?? {}, later.responses ?? {}),
  };
}

function mergeAccepts(before: Accepts, later: Accepts): Accepts {
  const merge = (operation: Operation) => layOver({ ...before[operation] }, { ...later[operation] });
  const merged = operationIds.map((operation) => [operation, merge(operation)] as const);
  // Both have the shape of the schema, and laying one over the other keeps it.
  return Object.fromEntries(merged.filter(([, rules]) => Object.keys(rules).length > 0)) as Accepts;
}

/** In a response `status`, each header, and `body` or `text` as a whole. */
function mergeResponses(before: ProfileResponses, later: ProfileResponses): ProfileResponses {
  const merged = new Map<string, KnownFailure>(Object.entries(before));
  for (const [name, own] of Object.entries(later) as [string, KnownFailure][]) {
    const other = merged.get(name) ?? {};
    const headers = { ...other.headers, ...own.headers };
    merged.set(name, { ...withResponse(other, own), ...(Object.keys(headers).length > 0 && { headers }) });
  }
  return Object.fromEntries(merged);
}
