import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry } from "../contract/types.js";
import type { GroupKey } from "./entry-facts.js";
import { factsOf, groupOfEntry } from "./entry-facts.js";
import { isFresh } from "./live-world.js";
import { durationText, operationText, statusText, summarize, timeText } from "./words.js";

interface JournalListProps {
  readonly entries: readonly JournalEntry[];
  readonly byToken: ReadonlyMap<string, GroupKey>;
  readonly teams: ReadonlyMap<string, number>;
  /** The entry under the keyboard cursor. */
  readonly at: number | undefined;
  /** Whether a key moved the cursor, so that the row needs focus. */
  readonly moved: boolean;
  readonly open: number | undefined;
  readonly hrefOf: (id: number) => string;
}

/** Below this width a row has two lines. Keep in sync with journal.css. */
const narrowWidth = 640;
const rowHeights = { wide: 36, narrow: 58 };
/** Extra rows above and below the viewport, so that scrolling shows no gap. */
const overscan = 8;

/** A virtual list: only the visible rows are in the DOM, so 1,000 entries render as fast as 10. */
export function JournalList({ entries, byToken, teams, at, moved, open, hrefOf }: JournalListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 1_000, height: 800 });
  const [top, setTop] = useState(0);
  const height = size.width < narrowWidth ? rowHeights.narrow : rowHeights.wide;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Keep the scroll position when new entries appear above.
  const first = useRef<JournalEntry | undefined>(undefined);
  useLayoutEffect(() => {
    const before = first.current;
    first.current = entries[0];
    const element = box.current;
    if (element === null || before === undefined || element.scrollTop === 0) return;
    const above = entries.findIndex(({ id }) => id === before.id);
    if (above > 0) element.scrollTop += above * height;
  }, [entries, height]);

  const index = entries.findIndex(({ id }) => id === at);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || index < 0) return;
    const from = index * height;
    if (from < element.scrollTop) element.scrollTop = from;
    else if (from + height > element.scrollTop + size.height) element.scrollTop = from + height - size.height;
  }, [at]);
  useEffect(() => {
    if (moved) box.current?.querySelector<HTMLElement>(`[data-id="${at}"]`)?.focus({ preventScroll: true });
  }, [at, moved]);

  const from = Math.max(0, Math.floor(top / height) - overscan);
  const to = Math.min(entries.length, Math.ceil((top + size.height) / height) + overscan);
  const visible = entries.slice(from, to);
  const reachable = index >= from && index < to ? at : entries[Math.max(0, Math.floor(top / height))]?.id;
  return (
    <div class="journal-list" ref={box} onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}>
      <ol aria-label="Calls, newest first" style={{ height: `${entries.length * height}px` }}>
        {visible.map((entry, i) => (
          <li
            key={entry.id}
            aria-setsize={entries.length}
            aria-posinset={from + i + 1}
            style={{ transform: `translateY(${(from + i) * height}px)`, height: `${height}px` }}
          >
            <Row
              entry={entry}
              groupId={groupOfEntry(entry, byToken, teams).groupId}
              href={hrefOf(entry.id)}
              isOpen={entry.id === open}
              isReachable={entry.id === reachable}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  readonly entry: JournalEntry;
  readonly groupId: string | undefined;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isReachable: boolean;
}

function Row({ entry, groupId, href, isOpen, isReachable }: RowProps) {
  const words = summarize(entry);
  return (
    <a
      class={isFresh(entry) ? `row ${entry.outcome} fresh` : `row ${entry.outcome}`}
      href={href}
      data-id={entry.id}
      aria-current={isOpen ? "true" : undefined}
      tabIndex={isReachable ? 0 : -1}
    >
      <span class="id">#{entry.id}</span>
      <span class={`status ${entry.outcome}`}>{statusText(entry)}</span>
      <span class="operation">{operationText(entry)}</span>
      <span class="group">{groupId ?? ""}</span>
      <span class="words" title={words}>
        {factsOf(entry).created && <span class="tag">new</span>}
        {entry.outcome === "success" && entry.notes.length > 0 && <span class="tag note">note</span>}
        {words}
      </span>
      <span class="took">{durationText(entry)}</span>
      <time dateTime={entry.at}>{timeText(entry)}</time>
    </a>
  );
}
