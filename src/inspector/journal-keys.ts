import { useLayoutEffect } from "preact/hooks";
import { type JournalItem, needsAttention } from "./journal-items.js";
import { isTyping } from "./typing.js";

interface JournalKeys {
  readonly items: readonly JournalItem[];
  /** The key of the row under the cursor. */
  readonly at: string | undefined;
  readonly move: (to: JournalItem) => void;
  readonly open: (item: JournalItem) => void;
  readonly close: () => void;
  /** Called by `n` if nothing failed. */
  readonly noFailure: () => void;
}

/** `j` and `k` move, `n` goes to the next failure, Enter opens, Escape closes. */
export function useJournalKeys({ items, at, move, open, close, noFailure }: JournalKeys): void {
  // A layout effect, so that the next key press is handled with the items of this render.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const index = items.findIndex(({ key }) => key === at);
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      if (step !== undefined && (event.key.length === 1 || isRow(event.target))) {
        const next = items[Math.max(0, Math.min(items.length - 1, index + step))];
        if (next === undefined) return;
        event.preventDefault();
        move(next);
      } else if (event.key === "n") {
        // Wraps around after the last failure.
        const next = [...items.slice(index + 1), ...items.slice(0, index + 1)].find(needsAttention);
        if (next === undefined) noFailure();
        else move(next);
      } else if (event.key === "Enter" && !isControl(event.target)) {
        const item = items[index];
        if (item !== undefined) open(item);
      } else if (event.key === "Escape") {
        close();
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
}

function isRow(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.classList.contains("row");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, summary, select, input") !== null;
}
