import { isDeepStrictEqual } from "node:util";
import { resolveResponses } from "../../../fake/contract/profile.js";
import type { KnownFailure, Profile } from "../../../generated/types.js";
import type { FactFinding } from "../learn/conclude-facts.js";
import type { FactId } from "../learn/facts.js";
import { writeResponses } from "../learn/learn-responses.js";
import { isStillTrue, type KeywordPlace, ruleIn, writeAccepts } from "../learn/write-accepts.js";
import type { LearnedProfile, Report } from "../verify-findings.js";

/** What a run has learned, with what an earlier profile has and this run did not observe. */
export function withEarlier(earlier: Profile, { rules, facts }: Report, learned: LearnedProfile): Profile {
  const { responses } = learned.responses;
  const kept = ownResponses(earlier).filter(([name]) => !responses.has(name));
  return {
    ...earlier,
    ...learned.profile,
    verified: { ...learned.profile.verified, ...brokenFacts(earlier, facts) },
    accepts: writeAccepts(rules, earlier.accepts),
    assume: { ...earlier.assume, ...learned.profile.assume },
    responses: writeResponses(new Map([...responses, ...kept])),
  };
}

/** The responses of the names that a profile has, with what they take from wider names in it. */
function ownResponses({ responses = {} }: Profile): [name: string, response: KnownFailure][] {
  return [...resolveResponses(responses)].filter(([name]) => name in responses);
}

/** The facts that are broken, also those that were and are not determinable now. */
function brokenFacts({ verified }: Profile, facts: readonly FactFinding[]): { broken?: FactId[] } {
  const isBroken = ({ id, verdict }: FactFinding) =>
    verdict === "broken" || (verdict === "not determinable" && verified?.broken?.includes(id));
  const broken = facts.filter(isBroken).map(({ id }) => id);
  return broken.length === 0 ? {} : { broken };
}

/** What a profile has in another way than an earlier one: somebody may have written it by hand. */
export function replacedIn(earlier: Profile, later: Profile, report: Report): string[] {
  return [
    ...replacedRules(earlier, report),
    ...replacedValues(earlier, later),
    ...replacedResponses(earlier, later),
  ];
}

function replacedRules({ accepts = {} }: Profile, { rules }: Report): string[] {
  return rules.flatMap((rule) => {
    const was = ruleIn(accepts, rule);
    if (was === undefined || isStillTrue(rule, was)) return [];
    return `${rule.value === undefined ? "removed" : "replaced"} accepts ${showPlace(rule)}`;
  });
}

function showPlace({ operation, field, keyword }: KeywordPlace): string {
  return field === "" ? `${operation}/${keyword}` : `${operation}/${field}/${keyword}`;
}

function replacedValues(earlier: Profile, later: Profile): string[] {
  const now: Readonly<Record<string, string>> = { ...later.assume };
  const replaced = Object.entries(earlier.assume ?? {}).filter(([id, was]) => now[id] !== was);
  return replaced.map(([id, was]) => `replaced assume ${id} (was ${was})`);
}

function replacedResponses(earlier: Profile, later: Profile): string[] {
  const now: Readonly<Record<string, KnownFailure>> = { ...later.responses };
  return Object.entries(earlier.responses ?? {}).flatMap(([name, was]) => {
    if (!(name in now)) return `removed response ${name}`;
    return isDeepStrictEqual(now[name], was) ? [] : `replaced response ${name}`;
  });
}
