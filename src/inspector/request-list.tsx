import { Component } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JournalEntry, Operation } from "../generated/types.js";
import { type Bracket, findBrackets } from "./overlaps.js";
import { type GroupKey, kindOf, remarksOf, tookEffect } from "./request-facts.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { durationText, shortCause, statusText } from "./words.js";

/** The height of a row in pixels, as in layout.css. */
const rowHeight = 34;
/** Rows beyond the visible ones, so that scrolling shows no gaps. */
const spareRows = 10;

interface RequestListProps {
  /** Newest first. */
  readonly entries: readonly JournalEntry[];
  readonly open: number | undefined;
}

/** Only the rows that can be seen are rendered: all have the same height. */
export function RequestList({ entries, open }: RequestListProps) {
  const store = useStore();
  const { groups, races } = store.derived;
  const scroller = useRef<HTMLDivElement>(null);
  const [{ top, height }, setWindow] = useState({ top: 0, height: 800 });
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
  const longest = useMemo(() => Math.max(1, ...entries.map(({ durationMs }) => durationMs ?? 0)), [entries]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      setWindow({ top: element.scrollTop, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useKeptPosition(scroller, entries);
  const index = entries.findIndex(({ id }) => id === open);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || index < 0) return;
    const { scrollTop, clientHeight } = element;
    const [rowTop, lastTop] = [index * rowHeight, scrollTop + clientHeight - rowHeight];
    const beyond = rowTop < scrollTop ? rowTop - scrollTop : Math.max(0, rowTop - lastTop);
    // The next row appears at the edge, one that is far away in the middle.
    const isFar = Math.abs(beyond) > 2 * rowHeight;
    element.scrollTop = isFar ? rowTop - clientHeight / 2 : scrollTop + beyond;
  }, [open]);
  const first = Math.max(0, Math.floor(top / rowHeight) - spareRows);
  const shown = entries.slice(first, Math.ceil((top + height) / rowHeight) + spareRows);
  return (
    <div
      class="rows"
      ref={scroller}
      style={{ "--lanes": String(Math.min(lanes, 4)) }}
      onScroll={({ currentTarget }) =>
        setWindow({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })
      }
    >
      <ol style={{ height: `${entries.length * rowHeight}px` }}>
        {shown.map((entry, i) => (
          <Row
            key={entry.id}
            entry={entry}
            group={groups.get(entry.id)}
            brackets={brackets.get(entry.id)}
            position={first + i}
            total={entries.length}
            longest={longest}
            isOpen={entry.id === open}
            href={store.requestHref(entry.id)}
          />
        ))}
      </ol>
    </div>
  );
}

/** New rows come at the top: the others stay where the reader sees them. */
function useKeptPosition(
  scroller: { readonly current: HTMLDivElement | null },
  entries: readonly JournalEntry[],
): void {
  const before = useRef(entries);
  useLayoutEffect(() => {
    const newest = before.current[0]?.id ?? 0;
    before.current = entries;
    const element = scroller.current;
    if (element === null || element.scrollTop === 0) return;
    const added = entries.findIndex(({ id }) => id <= newest);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [entries]);
}

interface RowProps {
  readonly entry: JournalEntry;
  readonly group: GroupKey | undefined;
  readonly brackets: readonly Bracket[] | undefined;
  readonly position: number;
  readonly total: number;
  /** The duration of the longest request, in milliseconds. */
  readonly longest: number;
  readonly isOpen: boolean;
  readonly href: string;
}

/** One request on one line. Rendered again only if it changes. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { entry, group, brackets, position, total, longest, isOpen, href } = this.props;
    return (
      entry !== next.entry ||
      position !== next.position ||
      total !== next.total ||
      longest !== next.longest ||
      isOpen !== next.isOpen ||
      href !== next.href ||
      group?.id !== next.group?.id ||
      JSON.stringify(brackets) !== JSON.stringify(next.brackets)
    );
  }

  override render({ entry, group, brackets = [], position, total, longest, isOpen, href }: RowProps) {
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
            {operation === null ? (
              <Name text={`${request.method} ${request.path}`} />
            ) : (
              <OperationName id={operation} />
            )}{" "}
            {group !== undefined && (
              <b>
                <Name text={group.id} />
              </b>
            )}
          </span>{" "}
          <What entry={entry} />
          {isRacing && tookEffect(entry) && (
            <span class="winner" role="img" aria-label="took effect" title="This one took effect">
              ✓
            </span>
          )}
          <span class="bar" title={durationMs === null ? "still waiting" : durationText(durationMs)}>
            <i style={{ width: `${(100 * (durationMs ?? longest)) / longest}%` }} />
          </span>
        </a>
        {brackets.map(({ lane, part }) => (
          <i key={lane} class={`bracket ${part}`} style={{ "--lane": String(Math.min(lane, 3)) }} />
        ))}
      </li>
    );
  }
}

/** A narrow list shows only its first word. */
function OperationName({ id }: { readonly id: Operation }) {
  const [first, ...rest] = id.split("-");
  return (
    <>
      {first}
      {rest.length > 0 && <span class="rest">-{rest.join("-")}</span>}
    </>
  );
}

/** The effect, then the cause. A narrow list has space only for the short words. */
function What({ entry }: { readonly entry: JournalEntry }) {
  const { effect, cause, fault } = entry;
  const done = effect === "none" ? "" : cause === null ? effect : `${effect}, response lost`;
  const isHeld = kindOf(entry) === "waiting" && fault !== null;
  const why = cause === null ? (isHeld ? `fault ${fault}` : "") : shortCause(cause);
  const more = [...(cause === null ? [] : [cause.message]), ...remarksOf(entry)];
  return (
    <span class="what">
      {done} {why !== "" && <span class="why">{why}</span>}{" "}
      {more.length > 0 && <small>{more.join(" ")}</small>}
    </span>
  );
}
