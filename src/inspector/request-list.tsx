import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { durationWords } from "../foundation/grammar.js";
import type { Fault, JournalEntry } from "../generated/types.js";
import { isHold } from "../report/armed-faults.js";
import { kindOfRequest } from "../report/entry-facts.js";
import type { Moment } from "../report/moment.js";
import { isReport } from "./embedded-report.js";
import { cameAfter, FailedHere } from "./failed-here.js";
import { focusDetail, showName } from "./shown-text.js";
import { useStore } from "./store.js";
import { shortCause, statusText } from "./words.js";

/** Shorter durations are not shown, in milliseconds. */
const minShownMs = 50;

interface RequestListProps {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  readonly open: number | undefined;
  /** When the test failed. */
  readonly moment: Moment | undefined;
}

/** All requests. It follows the newest while its end is in view. */
export function RequestList({ entries, open, moment }: RequestListProps) {
  const store = useStore();
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (isAtEnd.current && current !== null) current.scrollTop = current.scrollHeight;
  }, [entries]);
  useLayoutEffect(() => {
    if (scroller.current !== null) scrollToOpen(scroller.current);
  }, [open]);
  const { faults = [] } = store.state.shown?.world ?? {};
  // Every row is a grid of its own.
  const widthOfIds = `${String(entries.at(-1)?.id ?? 0).length + 1}ch`;
  const showRow = (entry: JournalEntry) => (
    <Row
      key={entry.id}
      entry={entry}
      href={store.requestHref(entry.id)}
      isOpen={entry.id === open}
      waits={waitWord(entry, faults)}
    />
  );
  return (
    <div
      class="rows"
      ref={scroller}
      style={{ "--id": widthOfIds }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 10;
      }}
    >
      <ol>
        {entries.filter((entry) => !cameAfter(entry, moment)).map(showRow)}
        {moment !== undefined && <FailedHere moment={moment} />}
        {entries.filter((entry) => cameAfter(entry, moment)).map(showRow)}
      </ol>
    </div>
  );
}

/** Scrolls only the list: on a narrow screen, the verdict above it stays in view. */
function scrollToOpen(scroller: HTMLElement): void {
  const row = scroller.querySelector("[aria-current]")?.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  if (row === undefined || (row.top >= view.top && row.bottom <= view.bottom)) return;
  scroller.scrollTop += row.top - view.top - view.height / 2;
}

/** How a fault makes a request wait, if it does no more. */
function waitWord(entry: JournalEntry, faults: readonly Fault[]): string {
  const found = faults.find(({ id }) => id === entry.fault);
  if (found === undefined || kindOfRequest(entry) === "fault") return "";
  return isHold(found) ? "held" : "delayed";
}

interface RowProps {
  readonly entry: JournalEntry;
  readonly href: string;
  readonly isOpen: boolean;
  readonly waits: string;
}

/** One request on one line. While others arrive, it is not rendered again. */
function Row({ entry, href, isOpen, waits }: RowProps) {
  const { id, operation, request, group } = entry;
  return useMemo(
    () => (
      <li class={kindOfRequest(entry)}>
        <a
          class="row"
          href={href}
          aria-current={isOpen ? "true" : undefined}
          onClick={isOpen ? focusDetail : undefined}
        >
          <span class="id">#{id}</span> <span class="code">{statusText(entry)}</span>{" "}
          <span class="name">
            <span>{showName(operation ?? `${request.method} ${request.path}`)}</span>{" "}
            {group !== undefined && (
              <b>
                <bdi>{showName(group.provided_id || '""')}</bdi>
              </b>
            )}
          </span>{" "}
          <What entry={entry} waits={waits} />
        </a>
      </li>
    ),
    [entry, href, isOpen, waits],
  );
}

/** The effect, then the cause and remarks. A narrow list has space only for the short words. */
function What({ entry, waits }: Pick<RowProps, "entry" | "waits">) {
  const { effect, cause, notes, durationMs } = entry;
  const why = cause === null ? "" : shortCause(cause);
  const words = [
    why === statusText(entry) ? "" : why,
    waits,
    durationMs !== null && durationMs > minShownMs ? durationWords(durationMs) : "",
  ].filter((word) => word !== "");
  const more = [...(cause === null ? [] : [cause.message]), ...notes].join(" ");
  return (
    <span class="what" title={more || undefined}>
      {effect === "none" ? "" : effect}{" "}
      <span class="why">
        {words.join(", ")} {durationMs === null && !isReport && <Seconds since={entry.at} />}
      </span>{" "}
      {more !== "" && (
        <small>
          {words.length > 0 && "· "}
          {more}
        </small>
      )}
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
