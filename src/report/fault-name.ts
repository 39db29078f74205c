import { faultKinds, findKinds } from "../fake/contract/fault-kinds.js";
import type { FaultRule } from "../generated/types.js";

/** `rotate → 503`. */
export function faultName(fault: FaultRule): string {
  const { operation = "any request", match, phase, times = 1 } = fault;
  const [kind = "delayMs"] = findKinds(fault);
  const matched = match === undefined ? "" : ` ${matchText(match)}`;
  const often = timesText(times);
  if (kind === "hold") return `hold ${operation}${matched}${often}`;
  const isLost = phase === "after" && (kind === "reset" || kind === "empty");
  const what = isLost ? "response lost" : faultKinds[kind].shortName(fault);
  return `${operation}${matched} → ${what}${often}`;
}

function timesText(times: number | "always"): string {
  if (times === "always") return ", always";
  return times === 1 ? "" : ` ×${times}`;
}

/** The fields that a fault matches: the group by its id alone, long values such as tokens by their beginning. */
function matchText(match: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(match).map(([field, value]) => {
    const shown = shortValue(typeof value === "string" ? value : JSON.stringify(value));
    return field === "user_group_id" ? shown : `${field}=${shown}`;
  });
  return texts.join(" ");
}

/** The beginning of a long text, such as a token. */
export function shortValue(text: string): string {
  return text.length > 20 ? `${text.slice(0, 8)}…` : text;
}
