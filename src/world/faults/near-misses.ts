import type { Fault } from "../../generated/types.js";
import type { Epoch } from "../epoch.js";
import type { Entry } from "../journal/journal.js";
import { closestMatches } from "../match.js";

/** The most requests that are listed for a fault. */
const maxMisses = 3;

/** How many of the newest requests are compared with a fault. */
const maxCompared = 200;

/**
 * The faults of an epoch. Those that have not fired as often as they should have their near misses, among the requests
 * that began after the fault was armed.
 */
export function faultsWithMisses({ faults, journal }: Epoch): Fault[] {
  const newest = [...journal].slice(-maxCompared);
  return faults.all().map((armed) => {
    const fault = armed.show();
    const { times = 1 } = fault;
    if (fault.fired >= (times === "always" ? 1 : times)) return fault;
    const others = newest.filter((entry) => entry.fault !== fault.id && entry.began >= armed.armedAt);
    const nearMisses = closestMatches(fault, others, maxMisses).map(({ request, reason }) => {
      return { request: request.id, reason: reason || `it matched, but ${whyNotMet(fault, request)}` };
    });
    return { ...fault, nearMisses };
  });
}

/** Why a request passed a fault that it matches. */
function whyNotMet(fault: Fault, { outcome, fault: other, effect }: Entry): string {
  if (outcome === "pending") return "it is still in progress";
  if (other !== null) return `fault ${other} fired instead`;
  if (outcome === "fault") return "an injected failure replaced its response";
  const limits = (["team_id", "skip"] as const).filter((field) => fault[field]);
  const reasons = [
    ...(outcome === "failure" && effect === "none" ? ["it was not authenticated or not valid"] : []),
    ...limits.map((field) => `${field} excluded it`),
  ];
  return reasons.join(", or ") || "the fault was no longer active";
}
