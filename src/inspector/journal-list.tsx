import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { type EntryItem, type JournalItem, type SectionItem, sectionName } from "./journal-items.js";
import { useNow } from "./now.js";
import { ReleaseButton } from "./release-button.js";
import { useScrollPosition } from "./scroll-position.js";
import { Name } from "./shown-text.js";
import {
  count,
  dayText,
  durationText,
  elapsedText,
  operationText,
  statusText,
  summarize,
  timeText,
} from "./texts.js";
import { Bar, fittingWindow, TimeAxis, type TimeWindow, useZoom } from "./timeline.js";
import { isFresh, type WorldStore } from "./world-store.js";

interface JournalListProps {
  readonly store: WorldStore;
  /** Shown above the rows. */
  readonly lead: ComponentChildren;
  readonly items: readonly JournalItem[];
  /** The key of the row under the keyboard cursor. */
  readonly at: string | undefined;
  /** Whether a key moved the cursor, so that the row needs the focus. */
  readonly moved: boolean;
  /** The key of the open entry. */
  readonly open: string | undefined;
  /** Only in the timeline: the id of the previous attempt, by the key of a row. */
  readonly retries: ReadonlyMap<string, number> | undefined;
  readonly hrefOf: (item: EntryItem) => string;
  readonly sectionHref: (item: SectionItem) => string;
}

/** Below this width a row has two lines. Keep in sync with rows.css and timeline.css. */
const narrowWidth = 640;
const rowHeights = { wide: 36, narrow: 58 };
/** Extra rows above and below the viewport, so that scrolling shows no gap. */
const overscan = 8;

/** A virtual list: only the visible rows are in the DOM, so 1,000 entries render as fast as 10. */
export function JournalList(props: JournalListProps) {
  const { store, lead, items, at, moved, open, retries, hrefOf, sectionHref } = props;
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 1_000, height: 800 });
  const height = size.width < narrowWidth ? rowHeights.narrow : rowHeights.wide;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    // A hidden list has no width. It keeps its last layout.
    const measure = () =>
      setSize(({ width }) => ({ width: element.clientWidth || width, height: element.clientHeight }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // A printed page has every row.
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const print = matchMedia("print");
    const change = () => setPrinted(print.matches);
    print.addEventListener("change", change);
    return () => print.removeEventListener("change", change);
  }, []);

  const { top, onScroll } = useScrollPosition({ box, items, at, rowHeight: height, boxHeight: size.height });
  const index = items.findIndex(({ key }) => key === at);
  useEffect(() => {
    if (moved) box.current?.querySelector<HTMLElement>(`[data-key="${at}"]`)?.focus({ preventScroll: true });
  }, [at, moved]);

  const from = isPrinted ? 0 : Math.max(0, Math.floor(top / height) - overscan);
  const end = isPrinted ? items.length : Math.ceil((top + size.height) / height) + overscan;
  const to = Math.min(items.length, end);
  const visible = items.slice(from, to);
  const firstInView = items[Math.max(0, Math.floor(top / height))];
  const reachable = index >= from && index < to ? at : firstInView?.key;
  const shown = visible.flatMap((item) => (item.kind === "entry" ? [item.entry] : []));
  const now = useNow(shown.some(({ outcome }) => outcome === "pending"));
  const isTimeline = retries !== undefined;
  const zoom = useZoom(isTimeline && shown.length > 0 ? fittingWindow(shown, now) : undefined);
  const window = isTimeline ? zoom.window : undefined;
  const selected = entryOf(items[index]);
  return (
    <div class={isTimeline ? "journal-side timeline" : "journal-side"}>
      {lead}
      {isTimeline && <TimeAxis zoom={zoom} around={selected && Date.parse(selected.at)} width={size.width} />}
      <div class="journal-list" ref={box} onScroll={onScroll}>
        <ol
          aria-label="Requests, newest first"
          style={isPrinted ? undefined : { height: `${items.length * height}px` }}
        >
          {visible.map((item, i) => (
            <li
              key={item.key}
              aria-setsize={items.length}
              aria-posinset={from + i + 1}
              style={
                isPrinted
                  ? undefined
                  : { transform: `translateY(${(from + i) * height}px)`, height: `${height}px` }
              }
            >
              {item.kind === "section" ? (
                <SectionRow item={item} href={sectionHref(item)} isReachable={item.key === reachable} />
              ) : (
                <>
                  <Row
                    item={item}
                    href={hrefOf(item)}
                    isOpen={item.key === open}
                    isReachable={item.key === reachable}
                    now={now}
                    window={window}
                    retried={retries?.get(item.key)}
                    before={entryOf(items[from + i + 1])}
                    isPrinted={isPrinted}
                  />
                  {item.entry.outcome === "pending" && (
                    <ReleaseButton store={store} fault={item.entry.fault} />
                  )}
                </>
              )}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function entryOf(item: JournalItem | undefined): JournalEntry | undefined {
  return item?.kind === "entry" ? item.entry : undefined;
}

interface RowProps {
  readonly item: EntryItem;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isReachable: boolean;
  readonly now: number;
  readonly window: TimeWindow | undefined;
  /** The id of the previous attempt. */
  readonly retried: number | undefined;
  /** The previous request, if it is in the list. */
  readonly before: JournalEntry | undefined;
  readonly isPrinted: boolean;
}

function Row({ item, href, isOpen, isReachable, now, window, retried, before, isPrinted }: RowProps) {
  const { entry, groupId } = item;
  const summary = summarize(entry);
  const isPending = entry.outcome === "pending";
  const gap = before === undefined ? undefined : Date.parse(entry.at) - Date.parse(before.at);
  return (
    <a
      class={isFresh(entry) ? `row ${entry.outcome} fresh` : `row ${entry.outcome}`}
      href={href}
      data-key={item.key}
      aria-current={isOpen ? "true" : undefined}
      tabIndex={isReachable ? 0 : -1}
    >
      <span class="id">#{entry.id}</span>
      <span class={`status ${entry.outcome}`}>{statusText(entry)}</span>
      <span class="operation">{operationText(entry)}</span>
      <span class="group">{groupId !== undefined && <Name text={groupId} />}</span>
      {window === undefined ? (
        <span class="words" title={summary}>
          {entry.effect === "created" && <span class="tag">new</span>}
          {entry.outcome === "success" && entry.notes.length > 0 && <span class="tag note">note</span>}
          <Name
            text={isPending ? `${summary}, for ${elapsedText(entry, now)}` : summary}
            isWhole={isPrinted}
          />
        </span>
      ) : (
        <Bar entry={entry} window={window} now={now} retried={retried} />
      )}
      <span class="took">{durationText(entry)}</span>
      <time
        dateTime={entry.at}
        title={gap === undefined ? undefined : `${gap} ms after the previous request`}
      >
        {isPrinted && `${dayText(new Date(entry.at))} `}
        {window === undefined || gap === undefined ? timeText(entry) : `+${gap.toLocaleString("en")} ms`}
      </time>
    </a>
  );
}

interface SectionRowProps {
  readonly item: SectionItem;
  readonly href: string;
  readonly isReachable: boolean;
}

function SectionRow({ item, href, isReachable }: SectionRowProps) {
  const { past, isOpen, matches } = item;
  return (
    <a
      class={past.failures > 0 ? "row section failure" : "row section"}
      href={href}
      data-key={item.key}
      aria-expanded={isOpen}
      tabIndex={isReachable ? 0 : -1}
    >
      <span class="label">
        {isOpen ? "▾" : "▸"} <Name text={sectionName(past)} />
      </span>
      <span class="took">
        {matches !== undefined && `${matches.toLocaleString("en")} of `}
        {count(past.requests, "request")}
        {matches !== undefined && (matches === 1 ? " matches" : " match")}
        {past.failures > 0 && `, ${past.failures} failed`}
      </span>
      <time dateTime={past.endedAt}>{timeText({ at: past.endedAt })}</time>
    </a>
  );
}
