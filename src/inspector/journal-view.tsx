import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HistoryItem, JournalEntry } from "../contract/types.js";
import { admin } from "./admin-api.js";
import { EmptyWorld } from "./empty-world.js";
import { EntryDetail } from "./entry-detail.js";
import { type GroupKey, groupOfEntry, groupsByToken } from "./entry-facts.js";
import { filterEntries } from "./journal-filter.js";
import { JournalList } from "./journal-list.js";
import { JournalTools } from "./journal-tools.js";
import type { LiveWorld } from "./live-world.js";
import { go, hashOf, noFilter, type Route } from "./route.js";
import { isTyping } from "./typing.js";
import { count, operationText, statusText } from "./words.js";

interface JournalViewProps {
  readonly live: LiveWorld;
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** All calls of this world, updated live. */
export function JournalView({ live, route, search }: JournalViewProps) {
  const { known } = live;
  const { filter } = route;
  // A link names its epoch: after a reset it leads into the history, never to another call.
  const epoch = route.epoch ?? known.epoch;
  const [paused, setPaused] = useState<readonly JournalEntry[]>();
  const isPast = route.epoch !== undefined && known.epoch !== undefined && route.epoch !== known.epoch;
  // Without an open entry, the list goes on with the world.
  const listEpoch = isPast ? epoch : undefined;
  const past = usePastJournal(listEpoch);
  const current = isPast ? past : known.entries;
  const entries = paused ?? current;
  const { byToken, teams } = useMemo(() => buildLookups(live, entries), [entries, known.groups, known.teams]);
  const shown = useMemo(
    () => filterEntries(entries, filter, byToken, teams),
    [entries, filter, byToken, teams],
  );
  const [cursor, setCursor] = useState<{ at: number | undefined; moved: boolean }>({
    at: undefined,
    moved: false,
  });
  const at = route.entry ?? cursor.at;
  useEffect(() => {
    if (route.entry !== undefined) setCursor({ at: route.entry, moved: false });
  }, [route.entry]);

  // Before the browser paints: a key that follows at once must meet the handler of this render.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      if (step !== undefined && (event.key.length === 1 || isRow(event.target))) {
        const index = shown.findIndex(({ id }) => id === at);
        const next = shown[Math.max(0, Math.min(shown.length - 1, index + step))];
        if (next === undefined) return;
        event.preventDefault();
        setCursor({ at: next.id, moved: true });
        if (route.entry !== undefined) go({ epoch, entry: next.id, filter }, true);
      } else if (event.key === "Enter" && !isControl(event.target) && cursor.at !== undefined) {
        go({ epoch, entry: cursor.at, filter });
      } else if (event.key === "Escape" && route.entry !== undefined) {
        go({ epoch: listEpoch, filter });
        setCursor({ at: route.entry, moved: true });
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });

  const found = current.find(({ id }) => id === route.entry) ?? entries.find(({ id }) => id === route.entry);
  const { open, goneSince } = useKept(found, route.entry, epoch);
  const fresh = paused === undefined ? 0 : current.filter(({ id }) => id > (paused[0]?.id ?? 0)).length;
  const [newest] = shown;
  return (
    <div class={route.entry === undefined ? "journal" : "journal with-entry"}>
      <JournalTools
        live={live}
        entries={entries}
        filter={filter}
        search={search}
        isPaused={paused !== undefined}
        fresh={fresh}
        pause={() => setPaused(paused === undefined ? current : undefined)}
        epoch={listEpoch}
        change={(changed) => {
          const open = route.entry === undefined ? { epoch: listEpoch } : { epoch, entry: route.entry };
          go({ ...open, filter: { ...filter, ...changed } }, true);
        }}
      />
      <div class="journal-body">
        {shown.length > 0 ? (
          <JournalList
            entries={shown}
            byToken={byToken}
            teams={teams}
            at={at}
            moved={cursor.moved}
            open={route.entry}
            hrefOf={(id) => hashOf({ epoch, entry: id, filter })}
          />
        ) : entries.length > 0 ? (
          <div class="empty">
            <h2>None of {count(entries.length, "call")} matches</h2>
            <p>
              <a href={hashOf({ epoch: listEpoch, filter: noFilter })}>Show all</a>
            </p>
          </div>
        ) : (
          known.loaded && !isPast && <EmptyWorld live={live} />
        )}
        {route.entry !== undefined &&
          (open !== undefined ? (
            <EntryDetail
              live={live}
              entry={open}
              epoch={epoch}
              remark={remarkOn(known.history, isPast, epoch, goneSince)}
              group={groupOfEntry(open, byToken, teams)}
              closeHref={hashOf({ epoch: listEpoch, filter })}
            />
          ) : (
            known.loaded && (
              <article class="entry gone">
                <h2>Request {route.entry} is not in the journal</h2>
                <p>The world was reset, or the journal was cleared or full.</p>
                <p>
                  <a href={hashOf({ epoch: listEpoch, filter })}>Close</a>
                </p>
              </article>
            )
          ))}
      </div>
      <p class="off-screen" role="status">
        {newest !== undefined && `Request ${newest.id}: ${operationText(newest)}, ${statusText(newest)}`}
      </p>
      {known.dropped > 0 && (
        <p class="dropped">The full journal dropped {count(known.dropped, "older call")}.</p>
      )}
    </div>
  );
}

/** What is being read does not disappear: an entry that the journal no longer has stays open. */
function useKept(found: JournalEntry | undefined, id: number | undefined, epoch: number | undefined) {
  const kept = useRef<{ entry: JournalEntry; epoch: number | undefined; goneSince: Date | undefined }>(
    undefined,
  );
  if (found !== undefined) kept.current = { entry: found, epoch, goneSince: undefined };
  const last = kept.current;
  if (found !== undefined || last === undefined || last.entry.id !== id || last.epoch !== epoch)
    return { open: found, goneSince: undefined };
  last.goneSince ??= new Date();
  return { open: last.entry, goneSince: last.goneSince };
}

/** Why an entry is not in the journal of now. */
function remarkOn(
  history: readonly HistoryItem[],
  isPast: boolean,
  epoch: number | undefined,
  goneSince: Date | undefined,
): string | undefined {
  if (goneSince !== undefined) return `No longer in the journal since ${goneSince.toLocaleTimeString()}.`;
  const ended = history.find(({ n }) => n === epoch)?.endedAt;
  if (!isPast || ended === undefined) return undefined;
  return `No longer in the journal: the world was reset at ${new Date(ended).toLocaleTimeString()}.`;
}

/** The calls of an earlier epoch, newest first. */
function usePastJournal(epoch: number | undefined): readonly JournalEntry[] {
  const [entries, setEntries] = useState<readonly JournalEntry[]>([]);
  useEffect(() => {
    if (epoch === undefined) return;
    let active = true;
    setEntries([]);
    admin("listPastRequests", { id: epoch, query: {} }).then(
      ({ requests }) => active && setEntries(requests.toReversed()),
      () => {},
    );
    return () => {
      active = false;
    };
  }, [epoch]);
  return entries;
}

function buildLookups({ known }: LiveWorld, entries: readonly JournalEntry[]) {
  const byToken: ReadonlyMap<string, GroupKey> = groupsByToken(entries, known.groups);
  const teams = new Map(
    known.teams.flatMap(({ team_id, api_tokens }) =>
      api_tokens.map((token): [string, number] => [token, team_id]),
    ),
  );
  return { byToken, teams };
}

function isRow(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.classList.contains("row");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, summary, select, input") !== null;
}
