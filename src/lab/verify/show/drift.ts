import { resolveResponses } from "../../../fake/contract/profile.js";
import { successOf, widerName } from "../../../fake/contract/response-names.js";
import { isObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import { printable } from "../../../foundation/printable.js";
import type { KnownFailure, Profile } from "../../../generated/types.js";
import { hasRuleFor } from "../learn/conclude-assumptions.js";
import { isSameRule, type ObservedRule, ruleIn } from "../learn/learn-accepts.js";
import { play } from "../replay/play.js";
import type { ReceivedResponse } from "../service/recorded.js";
import type { LearnedProfile, Report } from "../verify-service.js";

/** Something that is different from what a profile has. */
export interface Drift {
  /** A fact, an assumption, names of responses, or a field of a body. */
  readonly id: string;
  /** What has changed. @example "status 410 → 404" */
  readonly change: string;
}

/** What has changed since a profile was written. What was not observed today is left out. */
export async function findDrift(
  expected: Profile,
  report: Report,
  learned: LearnedProfile,
): Promise<Drift[]> {
  const found = [
    ...changedFacts(expected, report),
    ...changedValues(expected, report),
    ...changedRules(expected, report),
    ...(await changedResponses(expected, learned)),
  ];
  // The names of fields are those of the service.
  return found.map(({ id, change }) => ({ id, change: printable(change) }));
}

/** A fact that was broken and still is has not changed. */
function changedFacts({ verified }: Profile, { facts }: Report): Drift[] {
  return facts.flatMap(({ id, verdict, detail }) => {
    const wasBroken = verified?.broken?.includes(id) === true;
    if (verdict === "broken" && !wasBroken) return { id, change: `holds → broken (${detail})` };
    return verdict === "holds" && wasBroken ? { id, change: "broken → holds" } : [];
  });
}

function changedValues({ accepts = {}, assume = {}, responses }: Profile, { assumptions }: Report): Drift[] {
  return assumptions.flatMap(({ id, value }) => {
    const was = assume[id];
    // A rule of `accepts` or a response is more specific.
    const isElsewhere =
      hasRuleFor(id, accepts) || (id === "created-status" && responses?.created?.status !== undefined);
    if (value === null || was === undefined || was === value || isElsewhere) return [];
    return { id, change: `${was} → ${value}` };
  });
}

function changedRules({ accepts = {} }: Profile, { rules }: Report): Drift[] {
  return rules.flatMap((rule) => {
    const was = ruleIn(accepts, rule);
    if (!isMentioned(accepts, rule) || isStillTrue(rule, was)) return [];
    const id = `accepts ${rule.field === "" ? rule.operation : rule.field}`;
    return { id, change: `${rule.keyword} ${showRule(was)} → ${showRule(rule.value)}` };
  });
}

/** Whether the profile has this rule, or others for the same field: then its silence means that there is none. */
function isMentioned(accepts: NonNullable<Profile["accepts"]>, rule: ObservedRule): boolean {
  if (ruleIn(accepts, rule) !== undefined) return true;
  return rule.field !== "" && ruleIn(accepts, { ...rule, keyword: "type" }) !== undefined;
}

function isStillTrue({ value, below }: ObservedRule, was: unknown): boolean {
  if (isSameRule(was, value)) return true;
  // A length that was not found exactly contradicts only what is outside of its bounds.
  return below !== undefined && typeof was === "number" && was >= Number(value) && was < below;
}

function showRule(value: unknown): string {
  if (value === undefined) return "none";
  if (Array.isArray(value)) return value.join(", ");
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/** Compares a mock with the responses of the profile to one with those of today, request by request. */
async function changedResponses(expected: Profile, learned: LearnedProfile): Promise<Drift[]> {
  const { client, entries, profile, responses } = learned;
  const known = resolveResponses(expected.responses);
  const before = new Map(
    [...responses.responses].map(([name, is]) => [name, asExpected(name, is, known.get(name))]),
  );
  const earlierReplay = await play(client, entries, { ...profile, responses: Object.fromEntries(before) });
  const todaysReplay = await play(client, entries, profile);
  const changes = new Map<string, Set<string>>();
  for (const [n, { name }] of entries.entries()) {
    const was = earlierReplay[n]?.mocked;
    const is = todaysReplay[n]?.mocked;
    if (name === "" || changes.has(name) || was === undefined || is === undefined) continue;
    changes.set(name, new Set(changesBetween(was, is)));
  }
  return gather(changes);
}

/** What the profile does not have is as it is today. A known success without a body adds no fields. */
function asExpected(name: string, is: KnownFailure, was: KnownFailure = {}): KnownFailure {
  const isWhole = successOf(name) ? was.status !== undefined : "body" in was || "text" in was;
  const rest = isWhole ? { status: is.status } : is;
  return { headers: {}, ...rest, ...was } as KnownFailure;
}

const comparedHeaders = ["WWW-Authenticate", "Allow"];

/** How one response of a mock differs from another one. */
function changesBetween(was: ReceivedResponse, is: ReceivedResponse): string[] {
  const found: string[] = [];
  if (was.status !== is.status) found.push(`status ${was.status} → ${is.status}`);
  for (const name of comparedHeaders) {
    const [before = "", now = ""] = [was, is].map(({ headers }) =>
      String(headers[name.toLowerCase()] ?? "none"),
    );
    if (sortedList(before) !== sortedList(now)) found.push(`${name} ${before} → ${now}`);
  }
  if (was.type !== is.type) found.push(`content type ${was.type} → ${is.type}`);
  else found.push(...changedFields(was.json, is.json, ""));
  return found;
}

/** The order of methods in Allow has no meaning, and with some frameworks it is another one after each start. */
function sortedList(header: string): string {
  return header
    .split(/\s*,\s*/)
    .sort()
    .join(", ");
}

function changedFields(was: unknown, is: unknown, path: string): string[] {
  if (Array.isArray(was) && Array.isArray(is))
    return was.length === 0 || is.length === 0 ? [] : changedFields(was[0], is[0], `${path}[]`);
  if (!isObject(was) || !isObject(is)) {
    const [before, now] = [typeName(was), typeName(is)];
    return before === now ? [] : [`${path || "body"} ${before} → ${now}`];
  }
  const at = (name: string) => (path === "" ? name : `${path}.${name}`);
  const removed = Object.keys(was).filter((name) => !Object.hasOwn(is, name));
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name));
  const kept = Object.keys(was).filter((name) => Object.hasOwn(is, name));
  return [
    ...removed.map((name) => `- ${at(name)} (${typeName(was[name])})`),
    ...added.map((name) => `+ ${at(name)} (${typeName(is[name])})`),
    ...kept.flatMap((name) => changedFields(was[name], is[name], at(name))),
  ];
}

/** One change for all responses that it is about, by their widest common names. */
function gather(changes: ReadonlyMap<string, ReadonlySet<string>>): Drift[] {
  const all = new Set([...changes.values()].flatMap((found) => [...found]));
  return [...all].map((change) => {
    const names = [...changes.keys()].filter((name) => changes.get(name)?.has(change));
    const unchanged = [...changes.keys()].filter((name) => !changes.get(name)?.has(change));
    const widest = names.map((name) => widestWithout(name, unchanged));
    return { id: [...new Set(widest)].join(", "), change };
  });
}

/** The widest name that covers no response without the change. */
function widestWithout(name: string, unchanged: readonly string[]): string {
  const wider = widerName(name);
  if (wider === "" || unchanged.some((one) => `${one}.`.startsWith(`${wider}.`))) return name;
  return widestWithout(wider, unchanged);
}
