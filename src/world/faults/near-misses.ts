import { counted } from "../../foundation/grammar.js";
import type { Fault } from "../../generated/types.js";
import type { Entry, Journal } from "../journal/journal.js";
import { Matcher } from "../match.js";

/** How many requests are listed for a fault. */
const maxMisses = 3;
/** So many of the newest requests are compared with a fault. */
const maxCompared = 200;

/** So many of the closest are compared once more, without regard to case. */
const maxComparedLoosely = 20;

/** A fault that has not fired as often as it should, with the requests that came closest. */
export function withNearMisses(fault: Fault, journal: Journal): Fault {
  const { times = 1 } = fault;
  const wanted = times === "always" ? 1 : times;
  if (fault.fired >= wanted) return fault;
  const matcher = new Matcher(fault);
  const looseMatcher = new Matcher({ ...fault, ...(fault.match && { match: inLowerCase(fault.match) }) });
  const closest = [...journal]
    .slice(-maxCompared)
    .filter((entry) => entry.fault !== fault.id)
    .map((entry) => ({ entry, differences: matcher.differences(entry) }))
    .sort((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id)
    .slice(0, maxComparedLoosely)
    .map((miss) => {
      const { operation, outcome, json } = miss.entry;
      return { ...miss, isLoose: looseMatcher.accepts({ operation, outcome, json: inLowerCase(json) }) };
    });
  // Who has mistyped only the case of a value looks for that request.
  const loose = closest.filter(({ isLoose }) => isLoose);
  const nearMisses = (loose.length > 0 ? loose : closest)
    .slice(0, maxMisses)
    .map(({ entry, differences }) => ({
      request: entry.id,
      reason:
        differences.length > 0
          ? differences.map((describe) => describe()).join("; ")
          : `it matched, but ${whyNotMet(fault, entry)}`,
    }));
  return { ...fault, nearMisses };
}

/** A JSON value with all its text in lower case. */
function inLowerCase<Value>(json: Value): Value {
  return JSON.parse(JSON.stringify(json).toLowerCase());
}

/** Why a fault let a request pass that looks as if it matched. */
function whyNotMet({ team_id, skip = 0, probability = 1 }: Fault, entry: Entry): string {
  const { outcome, fault, effect } = entry;
  if (outcome === "pending") return "it is still under way";
  if (outcome === "fault" && fault === null) return "an injected failure took it";
  if (fault !== null) return `fault ${fault} took it`;
  if (outcome === "failure" && effect === "none")
    return "a fault meets only calls that are authenticated and well formed, or it was armed later";
  if (team_id !== undefined)
    return `it may have come from another team than ${team_id}, or before the fault was armed`;
  if (skip > 0)
    return `${counted(skip, "matching call")} may pass first, and so may those before the fault was armed`;
  if (probability < 1) return `it fires with a probability of ${probability}, and not before it was armed`;
  return "it came before the fault was armed";
}
