import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { type GroupKey, type Kind, kindOf, sameGroup } from "./request-facts.js";
import { shortCause } from "./words.js";

/** Something that happened to a group. */
export interface LifeStep {
  readonly text: string;
  /** The request that did it; undefined for the origin of the group. */
  readonly request: number | undefined;
  readonly kind: Kind;
}

/**
 * What happened to a group, as far as the journal knows it, oldest first.
 * @param entries oldest first
 */
export function lifeOf(
  group: GroupKey,
  entries: readonly JournalEntry[],
  groupOfEntry: ReadonlyMap<number, GroupKey>,
  groups: readonly GroupDetail[],
): readonly LifeStep[] {
  const own = entries.filter((entry) => sameGroup(groupOfEntry.get(entry.id), group) && touched(entry));
  const steps: LifeStep[] = [];
  const known = groups.find(({ team_id, provided_id }) => team_id === group.team && provided_id === group.id);
  if (known !== undefined && !own.some(({ effect }) => effect === "created")) {
    steps.push({ text: known.seeded ? "in the seed" : "added by a test", request: undefined, kind: "ok" });
  }
  let found = 0;
  for (const entry of own) {
    found = entry.effect === "found" && kindOf(entry) === "ok" ? found + 1 : 0;
    // Look-ups that follow each other are one step.
    if (found > 1) steps.pop();
    const text = found > 1 ? `found ${found} times, last` : stepText(entry);
    steps.push({ text, request: entry.id, kind: kindOf(entry) });
  }
  return steps;
}

/** Whether the request got as far as the group: others were rejected for what they sent. */
function touched(entry: JournalEntry): boolean {
  return kindOf(entry) !== "rejected" || entry.cause?.code === "unknown_token";
}

function stepText(entry: JournalEntry): string {
  const { effect, cause } = entry;
  if (kindOf(entry) === "waiting") return "waiting";
  if (cause === null) return effect;
  return effect === "none" ? shortCause(cause) : `${effect}, response lost`;
}
