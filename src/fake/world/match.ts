import { isDeepStrictEqual } from "node:util";
import { fieldOf, isObject, type JsonObject } from "../../foundation/json.js";
import { shorten } from "../../foundation/printable.js";
import type { FaultRule, WaitRequest } from "../../generated/types.js";
import type { Entry } from "./journal/entry.js";

/** The most characters that are shown of a value. */
const maxTextLength = 200;

/** The most near misses that are listed. */
const maxMisses = 5;

/** What is known of a request. A journal entry parses its body when `json` is read. */
type MatchedRequest = Pick<Entry, "operation" | "json"> & Partial<Pick<Entry, "teamId" | "outcome">>;

/** Selects requests by operation, team, outcome and fields of the body. */
type MatchRule = Pick<WaitRequest, "operation" | "outcome" | "match"> & Pick<FaultRule, "team_id">;

/** How a request differs from a rule. */
interface Difference {
  /** 1: another value. 2: the field was not sent. */
  readonly distance: 1 | 2;
  readonly text: string;
}

export function matchesRule(rule: MatchRule, request: MatchedRequest): boolean {
  return differences(rule, request).next().done === true;
}

/** The requests that come closest to the rule, with what differs; the newest first among equals. */
export function closestMatches<Request extends MatchedRequest & { readonly id: number }>(
  rule: MatchRule,
  requests: readonly Request[],
): { readonly request: Request; readonly reason: string }[] {
  const ofOperation = requests.filter(({ operation }) => [undefined, operation].includes(rule.operation));
  // Those of another operation show what came instead.
  return (ofOperation.length > 0 ? ofOperation : requests)
    .map((request) => {
      const found = [...differences(rule, request)];
      const distance = found.reduce((sum, one) => sum + one.distance, 0);
      return { request, distance, reason: found.map(({ text }) => text).join("; ") };
    })
    .sort((a, b) => a.distance - b.distance || b.request.id - a.request.id)
    .slice(0, maxMisses);
}

function* differences(rule: MatchRule, request: MatchedRequest): Generator<Difference> {
  const { operation, teamId, outcome } = request;
  if (rule.operation !== undefined && rule.operation !== operation) {
    // What else differs follows from it.
    yield { distance: 1, text: `it was ${operation ?? "not an operation"}, not ${rule.operation}` };
    return;
  }
  if (rule.team_id !== undefined && teamId !== undefined && rule.team_id !== teamId)
    yield { distance: 1, text: `it came from team ${teamId}, not ${rule.team_id}` };
  if (rule.outcome !== undefined && outcome !== undefined && rule.outcome !== outcome)
    yield { distance: 1, text: `its outcome was ${outcome}, not ${rule.outcome}` };
  if (rule.match !== undefined) yield* fieldDifferences("", request.json, rule.match);
}

/** An object matches if every field of `wanted` matches. Everything else has to be equal. */
function* fieldDifferences(path: string, sent: unknown, wanted: JsonObject): Generator<Difference> {
  for (const [name, value] of Object.entries(wanted)) {
    const found = fieldOf(sent, name);
    const field = path + name;
    if (isObject(value) && isObject(found)) yield* fieldDifferences(`${field}.`, found, value);
    else if (found === undefined) yield { distance: 2, text: `${field} was not sent` };
    else if (!isDeepStrictEqual(asStored(field, found), value))
      yield { distance: 1, text: `${field} was ${showValue(found)}, not ${showValue(value)}` };
  }
}

/** The service stores ids and names as text, also those that were sent as a number. */
function asStored(field: string, sent: unknown): unknown {
  const isText = field === "user_group_id" || field === "name";
  return isText && (typeof sent === "number" || typeof sent === "boolean") ? String(sent) : sent;
}

function showValue(value: unknown): string {
  return shorten(JSON.stringify(value), maxTextLength);
}
