import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { findKinds } from "../fake/contract/fault-kinds.js";
import { durationWords } from "../foundation/grammar.js";
import type { JournalEntry } from "../generated/types.js";
import { isReport } from "./embedded-report.js";
import { type Bracket, findBrackets } from "./overlaps.js";
import { kindOf, tookEffect } from "./request-facts.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { shortCause, statusText } from "./words.js";

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

/** Only the rows that can be seen are rendered: all of 1,000 take ten times as long, also with `content-visibility`. */
export function RequestList({ entries, open }: RequestListProps) {
  const { races = [] } = useStore().state.shown ?? {};
  const brackets = useMemo(
    () =>
      findBrackets(
        entries.map(({ id }) => id),
        races,
      ),
    [entries, races],
  );
  const lanes = Math.max(0, ...[...brackets.values()].flat().map(({ lane }) => lane + 1));
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
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
  const first = Math.max(0, top - spareRows);
  const last = top + Math.ceil(screen.height / rowHeight) + spareRows;
  return (
    <div
      class="rows"
      ref={scroller}
      style={{ "--lanes": String(Math.min(lanes, 4)) }}
      onScroll={({ currentTarget }) => setTop(Math.floor(currentTarget.scrollTop / rowHeight))}
    >
      <ol style={{ height: `${entries.length * rowHeight}px` }}>
        {entries.slice(first, last).map((entry, i) => (
          <li
            key={entry.id}
            class={kindOf(entry)}
            style={{ top: `${(first + i) * rowHeight}px` }}
            aria-posinset={first + i + 1}
            aria-setsize={entries.length}
          >
            <Row entry={entry} brackets={brackets.get(entry.id)} isOpen={entry.id === open} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface RowProps {
  readonly entry: JournalEntry;
  readonly brackets: readonly Bracket[] | undefined;
  readonly isOpen: boolean;
}

/** One request on one line. */
function Row({ entry, brackets = [], isOpen }: RowProps) {
  const store = useStore();
  const { id, operation, request, group, durationMs } = entry;
  const isRacing = brackets.some(({ part }) => part !== "passing");
  return (
    <>
      <a class="row" href={store.requestHref(id)} aria-current={isOpen ? "true" : undefined}>
        <span class="id">#{id}</span> <span class="code">{statusText(entry)}</span>{" "}
        <span class="name">
          <Name text={operation ?? `${request.method} ${request.path}`} />{" "}
          {group !== undefined && (
            <b>
              <Name text={group.provided_id} />
            </b>
          )}
        </span>{" "}
        <What entry={entry} hasWon={isRacing && tookEffect(entry)} />
        {durationMs !== null && durationMs > minShownMs && <small>{durationWords(durationMs)}</small>}
      </a>
      {brackets.map(({ lane, part }) => (
        <i key={lane} class={`bracket ${part}`} style={{ "--lane": String(Math.min(lane, 3)) }} />
      ))}
    </>
  );
}

/** The effect, then the cause and remarks. A narrow list has space only for the short words. */
function What({ entry, hasWon }: { readonly entry: JournalEntry; readonly hasWon: boolean }) {
  const { effect, cause, notes } = entry;
  const { faults = [] } = useStore().state.shown?.world ?? {};
  const fault = faults.find(({ id }) => id === entry.fault);
  const kind = kindOf(entry);
  // A fault that lets the request through.
  const waits =
    fault === undefined || kind === "fault" ? "" : findKinds(fault)[0] === "hold" ? "held" : "delayed";
  const more = [...(cause === null ? [] : [cause.message]), ...notes].join(" ");
  return (
    <span class="what" title={more}>
      {effect === "none" ? "" : effect}{" "}
      {hasWon && (
        <span class="winner" role="img" aria-label="took effect" title="This one took effect">
          ✓
        </span>
      )}{" "}
      {cause !== null && <span class="why">{shortCause(cause)}</span>}{" "}
      <span class="why">
        {waits} {kind === "waiting" && !isReport && <Seconds since={entry.at} />}
      </span>{" "}
      {more !== "" && <small>{more}</small>}
    </span>
  );
}

/** For how long a request has no response yet. */
function Seconds({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((now - Date.parse(since)) / 1_000))} s</>;
}
