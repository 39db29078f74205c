import type { JournalEntry } from "../generated/types.js";
import { groupKey } from "./request-facts.js";

/** When a request began, and when it ended, in milliseconds. */
type Timed = Pick<JournalEntry, "id" | "at" | "durationMs">;

function endOf({ at, durationMs }: Timed): number {
  return durationMs === null ? Number.POSITIVE_INFINITY : Date.parse(at) + durationMs;
}

/**
 * Whether the later request began before the earlier one ended. `at` has no fractions of a millisecond: requests that
 * may have followed each other within one do not count.
 */
export function overlap(a: Timed, b: Timed): boolean {
  const [earlier, later] = a.id < b.id ? [a, b] : [b, a];
  return Date.parse(later.at) + 1 <= endOf(earlier);
}

/** Requests of one group that overlapped, in the order in which they began. */
export type Race = readonly number[];

/**
 * All races.
 * @param entries newest first
 */
export function findRaces(entries: readonly (Timed & Pick<JournalEntry, "group">)[]): readonly Race[] {
  /** The latest requests of each group, of which each overlapped one before it. */
  const open = new Map<string, { ids: number[]; last: Timed }>();
  const races: number[][] = [];
  for (const entry of entries.toReversed()) {
    if (entry.group === undefined) continue;
    const key = groupKey(entry.group);
    const before = open.get(key);
    if (before === undefined || !overlap(before.last, entry)) {
      open.set(key, { ids: [entry.id], last: entry });
      continue;
    }
    before.ids.push(entry.id);
    if (before.ids.length === 2) races.push(before.ids);
    if (endOf(entry) > endOf(before.last)) before.last = entry;
  }
  return races;
}

/** A piece of a bracket beside a row of the list. */
export interface Bracket {
  /** Brackets beside each other have different lanes, counted from 0. */
  readonly lane: number;
  readonly part: "first" | "inner" | "last" | "passing";
}

/**
 * The brackets beside each row.
 * @param rows ids in the order in which they are shown
 */
export function findBrackets(
  rows: readonly number[],
  races: readonly Race[],
): ReadonlyMap<number, readonly Bracket[]> {
  const places = new Map(rows.map((id, i) => [id, i]));
  const spans = races
    .map((race) => race.flatMap((id) => places.get(id) ?? []).sort((a, b) => a - b))
    .filter((shown) => shown.length > 1)
    .sort(([a = 0], [b = 0]) => a - b);
  /** The row at which each lane is free again. */
  const lanes: number[] = [];
  const brackets = new Map<number, Bracket[]>();
  for (const shown of spans) {
    const [first = 0, last = 0] = [shown[0], shown.at(-1)];
    const free = lanes.findIndex((until) => until < first);
    const lane = free < 0 ? lanes.length : free;
    lanes[lane] = last;
    for (let row = first; row <= last; row++) {
      const isMember = shown.includes(row);
      const part = row === first ? "first" : row === last ? "last" : isMember ? "inner" : "passing";
      const id = rows[row] ?? 0;
      brackets.set(id, [...(brackets.get(id) ?? []), { lane, part }]);
    }
  }
  return brackets;
}
