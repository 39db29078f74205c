import { isDeepStrictEqual } from "node:util";
import { fieldOf, isObject, type JsonObject } from "../foundation/json.js";
import type { FaultRule, JournalEntry, Operation, WaitRequest } from "../generated/types.js";

/** The most differences that are described for one request. */
const maxDifferences = 10;

/** The most characters that are shown of a name or a value. */
const maxTextLength = 200;

/** How many of the closest requests are compared again without regard to case. */
const maxLoose = 20;

/** What is known of a request. */
interface MatchedRequest {
  readonly operation: Operation | null;
  /** The body. A journal entry parses it when this is read. */
  readonly json: unknown;
  /** The team of the caller, if known. */
  readonly teamId?: number;
  /** How the request ended, if known. */
  readonly outcome?: JournalEntry["outcome"];
}

/** Selects requests by operation, team, outcome and fields of the body. */
type MatchRule = Pick<WaitRequest, "operation" | "outcome" | "match"> & Pick<FaultRule, "team_id">;

export function matchesRule(rule: MatchRule, request: MatchedRequest): boolean {
  return differences(rule, request).next().done === true;
}

/**
 * The requests that come closest to a rule, with all differences as text; the newest first among equals. If some differ
 * only in case, which is probably a typo, these are all.
 */
export function closestMatches<Request extends MatchedRequest & { readonly id: number }>(
  rule: MatchRule,
  requests: readonly Request[],
  most: number,
): { readonly request: Request; readonly reason: string }[] {
  const closest = requests
    .map((request) => ({ request, found: firstDifferences(rule, request) }))
    .sort((a, b) => a.found.length - b.found.length || b.request.id - a.request.id)
    .slice(0, maxLoose);
  const looseRule = { ...rule, match: inLowerCase(rule.match ?? {}) };
  const typos = closest.filter(({ request: { operation, outcome, json } }) =>
    matchesRule(looseRule, { operation, json: inLowerCase(json), ...(outcome && { outcome }) }),
  );
  return (typos.length > 0 ? typos : closest)
    .slice(0, most)
    .map(({ request, found }) => ({ request, reason: found.map((describe) => describe()).join("; ") }));
}

/** A JSON value with all its text in lower case. */
function inLowerCase(json: unknown) {
  return JSON.parse(JSON.stringify(json ?? null).toLowerCase());
}

function firstDifferences(rule: MatchRule, request: MatchedRequest): (() => string)[] {
  const found: (() => string)[] = [];
  for (const difference of differences(rule, request)) {
    if (found.push(difference) === maxDifferences) break;
  }
  return found;
}

/** Yields functions that describe a difference: most callers only count them. */
function* differences(rule: MatchRule, request: MatchedRequest): Generator<() => string> {
  const { operation, teamId, outcome } = request;
  if (rule.operation !== undefined && rule.operation !== operation)
    yield () => `it was ${operation ?? "an unknown operation"}, not ${rule.operation}`;
  if (rule.team_id !== undefined && teamId !== undefined && rule.team_id !== teamId)
    yield () => `it came from team ${teamId}, not ${rule.team_id}`;
  if (rule.outcome !== undefined && outcome !== undefined && rule.outcome !== outcome)
    yield () => `its outcome was ${outcome}, not ${rule.outcome}`;
  if (rule.match !== undefined) yield* fieldDifferences("", request.json, rule.match);
}

/** An object matches if every field of `wanted` matches. Everything else has to be equal. */
function* fieldDifferences(path: string, sent: unknown, wanted: JsonObject): Generator<() => string> {
  for (const [name, value] of Object.entries(wanted)) {
    const found = fieldOf(sent, name);
    if (isObject(value) && isObject(found)) yield* fieldDifferences(`${path}${name}.`, found, value);
    else if (!isDeepStrictEqual(found, value))
      yield () => `${cut(path + name)} was ${valueText(found)}, not ${valueText(value)}`;
  }
}

function valueText(value: unknown): string {
  return value === undefined ? "not sent" : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
