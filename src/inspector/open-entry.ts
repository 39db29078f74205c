import { useRef } from "preact/hooks";
import type { HistoryItem, JournalEntry } from "../generated/types.js";
import { clockText } from "./texts.js";

/** The open entry. It stays open when the journal no longer has it: `goneSince` is the time when it disappeared. */
export function useOpenEntry(
  found: JournalEntry | undefined,
  id: number | undefined,
  epoch: number | undefined,
): { readonly entry: JournalEntry | undefined; readonly goneSince: Date | undefined } {
  const shown = useRef<{ entry: JournalEntry; epoch: number | undefined; goneSince: Date | undefined }>(
    undefined,
  );
  if (found !== undefined) shown.current = { entry: found, epoch, goneSince: undefined };
  const last = shown.current;
  if (found !== undefined || last === undefined || last.entry.id !== id || last.epoch !== epoch)
    return { entry: found, goneSince: undefined };
  last.goneSince ??= new Date();
  return last;
}

/** Why an entry is not in the current journal; undefined if it is. */
export function whyGone(
  history: readonly HistoryItem[],
  isPast: boolean,
  epoch: number | undefined,
  goneSince: Date | undefined,
): string | undefined {
  if (goneSince !== undefined) return `Removed from the journal at ${clockText(goneSince)}.`;
  const ended = history.find(({ n }) => n === epoch)?.endedAt;
  if (!isPast || ended === undefined) return undefined;
  return `No longer in the journal: the world was reset at ${clockText(new Date(ended))}.`;
}
