import { pendingText } from "../contract/fault-kinds.js";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { type GroupKey, groupOfEntry, type Lookups } from "./entry-facts.js";

/** Something that happened to a group. */
export interface LifecycleStep {
  readonly text: string;
  /** The id of the request that did it; undefined for the origin of the group. */
  readonly entry: number | undefined;
  readonly isGood: boolean;
}

/** The steps that the journal knows, oldest first. */
export function lifecycleOf(
  { teamId, groupId }: GroupKey,
  groups: readonly GroupDetail[],
  entries: readonly JournalEntry[],
  lookups: Lookups,
): readonly LifecycleStep[] {
  const own = entries
    .filter((entry) => {
      const found = groupOfEntry(entry, lookups);
      return found.groupId === groupId && (found.teamId === undefined || found.teamId === teamId);
    })
    .toReversed();
  const steps: LifecycleStep[] = [];
  const group = groups.find(({ team_id, provided_id }) => team_id === teamId && provided_id === groupId);
  const isCreated = own.some(({ effect }) => effect === "created");
  if (group !== undefined && !isCreated) {
    steps.push({ text: group.seeded ? "seeded" : "added by a test", entry: undefined, isGood: true });
  }
  let found = 0;
  for (const entry of own) {
    const isFound = entry.effect === "found" && entry.outcome === "success";
    found = isFound ? found + 1 : 0;
    // Successive look-ups are one step.
    if (found > 1) steps.pop();
    steps.push({
      text: found > 1 ? `found ${found} times, last` : stepText(entry),
      entry: entry.id,
      isGood: entry.outcome === "success",
    });
  }
  return steps;
}

function stepText(entry: JournalEntry): string {
  const { effect, outcome, delivery, fault, cause } = entry;
  if (delivery === undefined) return pendingText(fault);
  if (effect !== "none") return outcome === "success" ? effect : `${effect}, but the response was lost`;
  if (cause?.code === "fault") return `stopped by fault ${cause.fault}`;
  if (cause?.request !== undefined) return "stale token used";
  return cause?.code === "caller-left" ? "client disconnected" : `rejected: ${cause?.code}`;
}
