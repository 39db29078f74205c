import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { findKinds } from "../contract/fault-kinds.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { isReport } from "./embedded-report.js";
import { type Bracket, findBrackets } from "./overlaps.js";
import { type GroupKey, kindOf, tookEffect } from "./request-facts.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { durationText, shortCause, statusText } from "./words.js";

/** The height of a row in pixels, as in layout.css. */
const rowHeight = 34;
/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const spareRows = 10;
/** Shorter durations are not shown, in milliseconds. */
const minShownMs = 50;

interface RequestListProps {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly open: number | undefined;
}

/** Only the rows that can be seen are rendered: with 1,000, `content-visibility` takes seconds. */
export function RequestList({ entries, open }: RequestListProps) {
  const store = useStore();
  const { groups, races } = store.derived;
  const faults = store.state.shown?.world?.faults ?? [];
  const brackets = useMemo(
    () =>
      findBrackets(
        entries.map(({ id }) => id),
        races,
      ),
    [entries, races],
  );
  const lanes = useMemo(
    () => Math.max(0, ...[...brackets.values()].flat().map(({ lane }) => lane + 1)),
    [brackets],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, height }, setWindow] = useState({ top: 0, height: 800 });
  const look = () => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    setWindow({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  // New rows come at the top: the others stay where the reader sees them.
  const newest = useRef(0);
  useLayoutEffect(() => {
    const added = entries.findIndex(({ id }) => id <= newest.current);
    newest.current = entries[0]?.id ?? 0;
    if (scroller.current?.scrollTop && added > 0) scroller.current.scrollTop += added * rowHeight;
  }, [entries]);
  useEffect(() => {
    const row = rowHeight * entries.findIndex(({ id }) => id === open);
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    const isSeen = row >= scrollTop && row <= scrollTop + clientHeight - rowHeight;
    if (row >= 0 && !isSeen) scroller.current?.scrollTo(0, row - clientHeight / 2);
  }, [open]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spareRows);
  const shown = entries.slice(first, Math.ceil((top + height) / rowHeight) + spareRows);
  return (
    <div class="rows" ref={scroller} style={{ "--lanes": String(Math.min(lanes, 4)) }} onScroll={look}>
      <ol style={{ height: `${entries.length * rowHeight}px` }}>
        {shown.map((entry, i) => (
          <Row
            key={entry.id}
            entry={entry}
            group={groups.get(entry.id)}
            brackets={brackets.get(entry.id)}
            fault={kindOf(entry) === "waiting" ? faults.find(({ id }) => id === entry.fault) : undefined}
            position={first + i}
            total={entries.length}
            isOpen={entry.id === open}
            href={store.requestHref(entry.id)}
          />
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  readonly entry: JournalEntry;
  readonly group: GroupKey | undefined;
  readonly brackets: readonly Bracket[] | undefined;
  /** The fault in which the request waits. */
  readonly fault: Fault | undefined;
  readonly position: number;
  readonly total: number;
  readonly isOpen: boolean;
  readonly href: string;
}

/** One request on one line. */
function Row({ entry, group, brackets = [], fault, position, total, isOpen, href }: RowProps) {
  const { id, operation, request, durationMs } = entry;
  const isRacing = brackets.some(({ part }) => part !== "passing");
  return (
    <li
      class={kindOf(entry)}
      style={{ top: `${position * rowHeight}px` }}
      aria-posinset={position + 1}
      aria-setsize={total}
    >
      <a class="row" href={href} aria-current={isOpen ? "true" : undefined}>
        <span class="id">#{id}</span> <span class="code">{statusText(entry)}</span>{" "}
        <span class="name">
          <Name text={operation ?? `${request.method} ${request.path}`} />{" "}
          {group !== undefined && (
            <b>
              <Name text={group.id} />
            </b>
          )}
        </span>{" "}
        <What entry={entry} fault={fault} hasWon={isRacing && tookEffect(entry)} />
        {durationMs !== null && durationMs > minShownMs && <small>{durationText(durationMs)}</small>}
      </a>
      {brackets.map(({ lane, part }) => (
        <i key={lane} class={`bracket ${part}`} style={{ "--lane": String(Math.min(lane, 3)) }} />
      ))}
    </li>
  );
}

/** The effect, then the cause and remarks. A narrow list has space only for the short words. */
function What({ entry, fault, hasWon }: Pick<RowProps, "entry" | "fault"> & { readonly hasWon: boolean }) {
  const { effect, cause, notes } = entry;
  const done = effect === "none" ? "" : cause === null ? effect : `${effect}, response lost`;
  const more = [...(cause === null ? [] : [cause.message]), ...notes];
  return (
    <span class="what">
      {done}{" "}
      {hasWon && (
        <span class="winner" role="img" aria-label="took effect" title="This one took effect">
          ✓
        </span>
      )}{" "}
      {cause !== null && <span class="why">{shortCause(cause)}</span>}
      {kindOf(entry) === "waiting" && <Waiting since={entry.at} fault={fault} />}{" "}
      {more.length > 0 && <small>{more.join(" ")}</small>}
    </span>
  );
}

/** Why a request has no response yet, and for how long. */
function Waiting({ since, fault }: { readonly since: string; readonly fault: Fault | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (isReport) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const word = fault === undefined ? "" : findKinds(fault)[0] === "hold" ? "held" : "delayed";
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  return (
    <span class="why">
      {word} {!isReport && `${seconds} s`}
    </span>
  );
}
