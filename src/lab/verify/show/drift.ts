import { resolveResponses } from "../../../fake/contract/profile.js";
import { successOf, widerName } from "../../../fake/contract/response-names.js";
import { isObject } from "../../../foundation/json.js";
import { printable } from "../../../foundation/printable.js";
import type { Accepts, KnownFailure, Profile } from "../../../generated/types.js";
import { hasRuleFor } from "../learn/body-assumptions.js";
import type { ObservedRule } from "../learn/learn-accepts.js";
import { isStillTrue, ruleIn } from "../learn/write-accepts.js";
import { play } from "../replay/play.js";
import type { LearnedProfile, Report } from "../verify-findings.js";
import { changesBetween } from "./response-changes.js";

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
    const isInResponse = id === "created-status" && responses?.created?.status !== undefined;
    if (isInResponse || hasRuleFor(id, accepts)) return [];
    if (value === null || was === undefined || was === value) return [];
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

/** Whether the profile has this rule, or a type for the same field: then its silence means that there is none. */
function isMentioned(accepts: Accepts, rule: ObservedRule): boolean {
  if (ruleIn(accepts, rule) !== undefined) return true;
  return rule.field !== "" && ruleIn(accepts, { ...rule, keyword: "type" }) !== undefined;
}

function showRule(value: unknown): string {
  if (value === undefined) return "none";
  if (Array.isArray(value)) return value.join(", ");
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/**
 * Compares a mock with the responses that the profile expects to one with those of today: only what a client can see has
 * changed. One request of each name shows it. Names that were not seen today are in neither mock.
 */
async function changedResponses(expected: Profile, learned: LearnedProfile): Promise<Drift[]> {
  const { client, entries, profile } = learned;
  const today = learned.responses.responses;
  const known = resolveResponses(expected.responses);
  const before = [...today].map(([name, response]) => [name, expectedNow(name, response, known.get(name))]);
  const playedBefore = await play(client, entries, { ...profile, responses: Object.fromEntries(before) });
  const playedToday = await play(client, entries, profile);
  const changes = new Map<string, Set<string>>();
  for (const [n, { name }] of entries.entries()) {
    const was = playedBefore[n]?.mocked;
    const is = playedToday[n]?.mocked;
    const isKnown = was !== undefined && is !== undefined;
    if (name !== "" && isKnown && !changes.has(name)) changes.set(name, new Set(changesBetween(was, is)));
  }
  return gather(changes);
}

/** The response that a profile expects, in which nothing comes from wider names. What it does not say is as it is today. */
function expectedNow(name: string, today: KnownFailure, known: KnownFailure = {}): KnownFailure {
  // If the whole content is known, only the status can be missing. Otherwise today's content stays, and shows no change.
  const rest = saysAll(name, known) ? { status: today.status } : today;
  // Without headers of its own, a response would have those of a wider name.
  return { headers: {}, ...rest, ...known } as KnownFailure;
}

/** Whether a response in a profile also says that there is nothing else in it. */
function saysAll(name: string, known: KnownFailure): boolean {
  // Its body only adds fields, so without a body it has no further fields: { "status": 201 }.
  if (successOf(name)) return known.status !== undefined;
  // Its body or its text is the whole content. Without one, only something else is known: { "status": 422 }.
  return "body" in known || "text" in known;
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
