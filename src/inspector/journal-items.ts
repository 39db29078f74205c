import type { HistoryItem, JournalEntry } from "../generated/types.js";

/** A row of the journal: a request, or the header of an earlier test. */
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
  /** How many of its requests match the filter; undefined without a filter, or while the journal is loading. */
  readonly matches: number | undefined;
}

/** Ids of entries are unique only within an epoch. */
export function itemKey(epoch: number | undefined, id: number): string {
  return `${epoch}/${id}`;
}

/**
 * The current requests, then a section for each earlier test: tests with failures first, then the newest. The open
 * section shows its requests.
 */
export function journalItems(
  current: readonly EntryItem[],
  history: readonly HistoryItem[],
  openEpoch: number | undefined,
  past: readonly EntryItem[],
  matches: ReadonlyMap<number, number>,
): readonly JournalItem[] {
  const sections = history.toSorted((a, b) => Number(b.failures > 0) - Number(a.failures > 0) || b.n - a.n);
  return [
    ...current,
    ...sections.flatMap((item): JournalItem[] => {
      const isOpen = item.n === openEpoch;
      const header: SectionItem = {
        kind: "section",
        key: `section ${item.n}`,
        past: item,
        isOpen,
        matches: matches.get(item.n),
      };
      return isOpen ? [header, ...past] : [header];
    }),
  ];
}

/** Whether the key `n` stops at a row: a failure, or a collapsed test with failures. */
export function needsAttention(item: JournalItem): boolean {
  return item.kind === "entry" ? item.entry.outcome === "failure" : !item.isOpen && item.past.failures > 0;
}

export function sectionName({ n, label }: HistoryItem): string {
  return label ?? `before reset ${n}`;
}
