import { codeOf } from "../contract/why.js";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { type GroupKey, groupOfEntry, type Lookups } from "./entry-facts.js";

/** Something that happened to a group. */
export interface LifeStep {
  readonly words: string;
  /** The call that did it; undefined for how it came into the world. */
  readonly entry: number | undefined;
  readonly isGood: boolean;
}

/** The life of a group as the journal knows it, oldest step first. */
export function lifeOf(
  { teamId, groupId }: GroupKey,
  groups: readonly GroupDetail[],
  entries: readonly JournalEntry[],
  lookups: Lookups,
): readonly LifeStep[] {
  const own = entries
    .filter((entry) => {
      const found = groupOfEntry(entry, lookups);
      return found.groupId === groupId && (found.teamId === undefined || found.teamId === teamId);
    })
    .toReversed();
  const steps: LifeStep[] = [];
  const now = groups.find((group) => group.team_id === teamId && group.provided_id === groupId);
  const isCreated = own.some(({ effect }) => effect === "created");
  if (now !== undefined && !isCreated) {
    steps.push({ words: now.seeded ? "seeded" : "added by a test", entry: undefined, isGood: true });
  }
  let found = 0;
  for (const entry of own) {
    const isFound = entry.effect === "found" && entry.outcome === "success";
    found = isFound ? found + 1 : 0;
    // A group that is asked for a hundred times has one step for it.
    if (found > 1) steps.pop();
    steps.push({
      words: found > 1 ? `found ${found} times, last` : stepWords(entry),
      entry: entry.id,
      isGood: entry.outcome === "success",
    });
  }
  return steps;
}

function stepWords(entry: JournalEntry): string {
  const { effect, outcome, delivery, fault } = entry;
  if (delivery === undefined) return fault === null ? "under way" : `waits in fault ${fault}`;
  if (effect === "none") return refusalWords(entry);
  if (outcome === "success") return effect;
  return (
    { created: "created, but the answer was lost", rotated: "lost rotation" }[String(effect)] ??
    `${effect}, answer lost`
  );
}

function refusalWords(entry: JournalEntry): string {
  if (entry.fault !== null) return `stopped by fault ${entry.fault}`;
  if (entry.notes.some((note) => note.includes("was rotated out by"))) return "stale token used";
  return entry.delivery === "complete"
    ? `refused: ${codeOf(entry) ?? entry.response?.status}`
    : "caller left";
}
