import type { HistoryItem, JournalEntry } from "../generated/types.js";

/** A row of the journal: a call, or the head of an earlier test. */
export type JournalItem = EntryItem | SectionItem;

export interface EntryItem {
  readonly kind: "entry";
  readonly key: string;
  readonly entry: JournalEntry;
  readonly epoch: number | undefined;
  readonly groupId: string | undefined;
}

export interface SectionItem {
  readonly kind: "section";
  readonly key: string;
  readonly past: HistoryItem;
  readonly isOpen: boolean;
  /** How many of its requests match the filter; undefined without a filter, or while they are loaded. */
  readonly matches: number | undefined;
}

/** What names a call among those of all epochs. */
export function itemKey(epoch: number | undefined, id: number): string {
  return `${epoch}/${id}`;
}

/**
 * The calls of now, then a section for every earlier test: first those in which something failed, newest first. The
 * open one shows its calls.
 */
export function journalItems(
  now: readonly EntryItem[],
  history: readonly HistoryItem[],
  openEpoch: number | undefined,
  past: readonly EntryItem[],
  matches: ReadonlyMap<number, number>,
): readonly JournalItem[] {
  const sections = history.toSorted((a, b) => Number(b.failures > 0) - Number(a.failures > 0) || b.n - a.n);
  return [
    ...now,
    ...sections.flatMap((item): JournalItem[] => {
      const isOpen = item.n === openEpoch;
      const head: SectionItem = {
        kind: "section",
        key: `section ${item.n}`,
        past: item,
        isOpen,
        matches: matches.get(item.n),
      };
      return isOpen ? [head, ...past] : [head];
    }),
  ];
}

/** Whether `n` stops at a row: a failure, or an earlier test with failures that does not show them. */
export function needsAttention(item: JournalItem): boolean {
  return item.kind === "entry" ? item.entry.outcome === "failure" : !item.isOpen && item.past.failures > 0;
}

export function sectionName({ n, label }: HistoryItem): string {
  return label ?? `before reset ${n}`;
}
