import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { findKinds } from "../fake/contract/fault-kinds.js";
import { durationWords } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { EarlierButton, firstRows } from "./earlier-button.js";
import { isReport } from "./embedded-report.js";
import { kindOf } from "./request-facts.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { shortCause, statusText } from "./words.js";

/** Shorter durations are not shown, in milliseconds. */
const minShownMs = 50;

interface RequestListProps {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly open: number | undefined;
}

/** The latest requests, at least from the open one on. It follows the newest while its end is in view. */
export function RequestList({ entries, open }: RequestListProps) {
  const [count, setCount] = useState(firstRows);
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (isAtEnd.current && current !== null) current.scrollTop = current.scrollHeight;
  }, [entries]);
  useLayoutEffect(() => {
    if (scroller.current !== null) scrollToOpen(scroller.current);
  }, [open]);
  const latest = Math.max(0, entries.length - count);
  const openAt = entries.findIndex(({ id }) => id === open);
  const first = openAt < 0 ? latest : Math.min(latest, openAt);
  return (
    <div
      class="rows"
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 10;
      }}
    >
      <EarlierButton
        hidden={first}
        what="requests"
        show={(added) => setCount(entries.length - first + added)}
      />
      <ol>
        {entries.slice(first).map((entry) => (
          <li key={entry.id} class={kindOf(entry)}>
            <Row entry={entry} isOpen={entry.id === open} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Scrolls only the list: on a narrow screen, the verdict above it stays in view. */
function scrollToOpen(scroller: HTMLElement): void {
  const row = scroller.querySelector<HTMLElement>("[aria-current]");
  if (row === null) return;
  const { scrollTop, clientHeight } = scroller;
  const isSeen = row.offsetTop >= scrollTop && row.offsetTop + row.offsetHeight <= scrollTop + clientHeight;
  if (!isSeen) scroller.scrollTop = row.offsetTop - clientHeight / 2;
}

/** One request on one line. */
function Row({ entry, isOpen }: { readonly entry: JournalEntry; readonly isOpen: boolean }) {
  const store = useStore();
  const { id, operation, request, group } = entry;
  return (
    <a class="row" href={store.requestHref(id)} aria-current={isOpen ? "true" : undefined}>
      <span class="id">#{id}</span> <span class="code">{statusText(entry)}</span>{" "}
      <span class="name">
        <span class="operation">
          <Name text={operation ?? `${request.method} ${request.path}`} />
        </span>{" "}
        {group !== undefined && (
          <b>
            <Name text={group.provided_id} />
          </b>
        )}
      </span>{" "}
      <What entry={entry} />
    </a>
  );
}

/** The effect, then the cause and remarks. A narrow list has space only for the short words. */
function What({ entry }: { readonly entry: JournalEntry }) {
  const { effect, cause, notes, durationMs } = entry;
  const more = [...(cause === null ? [] : [cause.message]), ...notes].join(" ");
  return (
    <span class="what" title={more}>
      {effect === "none" ? "" : effect}{" "}
      <span class="why">
        {cause !== null && shortCause(cause)} <Waiting entry={entry} />
        {durationMs !== null && durationMs > minShownMs && ` ${durationWords(durationMs)}`}
      </span>{" "}
      {more !== "" && <small>{more}</small>}
    </span>
  );
}

/** How a fault makes a request wait that it lets through, and for how long a request has no response yet. */
function Waiting({ entry }: { readonly entry: JournalEntry }) {
  const { faults = [] } = useStore().state.shown?.world ?? {};
  const fault = faults.find(({ id }) => id === entry.fault);
  const kind = kindOf(entry);
  return (
    <>
      {fault !== undefined && kind !== "fault" && waitWord(fault)}{" "}
      {kind === "waiting" && !isReport && <Seconds since={entry.at} />}
    </>
  );
}

function waitWord(fault: Fault): string {
  return findKinds(fault)[0] === "hold" ? "held" : "delayed";
}

function Seconds({ since }: { readonly since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((now - Date.parse(since)) / 1_000))} s</>;
}
