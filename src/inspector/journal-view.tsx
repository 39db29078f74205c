import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HistoryItem, JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { EmptyWorld } from "./empty-world.js";
import { EntryDetail } from "./entry-detail.js";
import { groupOfEntry, type Lookups, lookupsOf } from "./entry-facts.js";
import { filterEntries } from "./journal-filter.js";
import { type EntryItem, itemKey, journalItems, type SectionItem } from "./journal-items.js";
import { JournalList } from "./journal-list.js";
import { JournalTools } from "./journal-tools.js";
import { worldName } from "./place.js";
import { retriesIn } from "./retries.js";
import { go, hashOf, noFilter, type Route } from "./route.js";
import { SendForm } from "./send-form.js";
import { isTyping } from "./typing.js";
import { clockText, count, operationText, statusText } from "./words.js";
import type { WorldStore } from "./world-store.js";

interface JournalViewProps {
  readonly store: WorldStore;
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** All calls of this world, updated store, and those of earlier tests. */
export function JournalView({ store, route, search }: JournalViewProps) {
  const { known } = store;
  const { filter, timeline } = route;
  const { paused } = known;
  // A link names its epoch: after a reset it leads into the history, never to another call.
  const epoch = route.epoch ?? known.epoch;
  const isPast = route.epoch !== undefined && known.epoch !== undefined && route.epoch !== known.epoch;
  const openEpoch = isPast ? route.epoch : undefined;
  const past = usePastJournal(openEpoch);
  const now = paused ?? known.entries;
  const lookups = useMemo(() => lookupsOf(now, known), [now, known.groups, known.teams]);
  const pastLookups = useMemo(() => lookupsOf(past, { ...known, groups: [] }), [past, known.teams]);
  const shownNow = useShown(now, known.epoch, filter, lookups);
  const shownPast = useShown(past, openEpoch, filter, pastLookups);
  const items = useMemo(
    () => journalItems(shownNow, known.history, openEpoch, shownPast),
    [shownNow, known.history, openEpoch, shownPast],
  );
  const retries = useMemo(
    () => (timeline ? new Map([...retriesIn(past), ...retriesIn(now)]) : undefined),
    [timeline, now, past],
  );
  const openKey = route.entry === undefined ? undefined : itemKey(epoch, route.entry);
  const [cursor, setCursor] = useState<{ at: string | undefined; moved: boolean }>({
    at: undefined,
    moved: false,
  });
  const at = openKey ?? cursor.at;
  // What was read last has the focus again when it is closed; on a phone, nothing else could have it.
  useEffect(() => {
    if (openKey !== undefined) setCursor({ at: openKey, moved: false });
    else setCursor((last) => ({ at: last.at, moved: last.at !== undefined }));
  }, [openKey]);

  const keep = { filter, timeline };
  const open = (item: EntryItem, replace = false) =>
    go({ epoch: item.epoch, entry: item.entry.id, ...keep }, replace);
  const closed = { epoch: openEpoch, ...keep };
  // Before the browser paints: a key that follows at once must meet the handler of this render.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
      if (step !== undefined && (event.key.length === 1 || isRow(event.target))) {
        const index = items.findIndex(({ key }) => key === at);
        const next = items[Math.max(0, Math.min(items.length - 1, index + step))];
        if (next === undefined) return;
        event.preventDefault();
        setCursor({ at: next.key, moved: true });
        if (route.entry !== undefined && next.kind === "entry") open(next, true);
      } else if (event.key === "Enter" && !isControl(event.target)) {
        const item = items.find(({ key }) => key === cursor.at);
        if (item?.kind === "entry") open(item);
      } else if (event.key === "Escape" && (route.entry !== undefined || route.sends)) {
        go(closed);
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });

  const shownEntries = isPast ? past : now;
  const kept = useKept(
    shownEntries.find(({ id }) => id === route.entry) ??
      known.entries.find(({ id }) => !isPast && id === route.entry),
    route.entry,
    epoch,
  );
  const fresh = paused === undefined ? 0 : known.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length;
  const [newest] = shownNow;
  const isOpen = route.entry !== undefined || route.sends;
  const ofOpen = isPast ? pastLookups : lookups;
  const lead =
    shownNow.length > 0 || !known.loaded ? undefined : now.length > 0 ? (
      <p class="lead">
        None of {count(now.length, "request")} matches.{" "}
        <a href={hashOf({ epoch: openEpoch, timeline, filter: noFilter })}>Show all</a>
      </p>
    ) : (
      <p class="lead">No request has reached the world {worldName} since it was reset.</p>
    );
  return (
    <div class={isOpen ? "journal with-entry" : "journal"}>
      <JournalTools
        store={store}
        entries={now}
        route={route}
        search={search}
        fresh={fresh}
        change={(changed) =>
          go(
            { ...route, ...(route.entry === undefined ? { epoch: openEpoch } : { epoch }), ...changed },
            true,
          )
        }
      />
      <div class="journal-body">
        {known.history.length > 0 || items.length > 0 ? (
          <JournalList
            lead={lead}
            store={store}
            items={items}
            at={at}
            moved={cursor.moved}
            open={openKey}
            retries={retries}
            hrefOf={(item) => hashOf({ epoch: item.epoch, entry: item.entry.id, ...keep })}
            sectionHref={(item: SectionItem) =>
              hashOf({ epoch: item.isOpen ? undefined : item.past.n, ...keep })
            }
          />
        ) : now.length > 0 ? (
          <div class="empty">{lead}</div>
        ) : (
          known.loaded && <EmptyWorld store={store} />
        )}
        {route.sends ? (
          <SendForm store={store} entry={kept.open} epoch={epoch} closeHref={hashOf(closed)} />
        ) : (
          route.entry !== undefined &&
          (kept.open !== undefined ? (
            <EntryDetail
              store={store}
              entry={kept.open}
              route={route}
              epoch={epoch}
              entries={shownEntries}
              lookups={ofOpen}
              remark={remarkOn(known.history, isPast, epoch, kept.goneSince)}
              closeHref={hashOf(closed)}
            />
          ) : (
            known.loaded && (
              <article class="entry gone">
                <h2>Request {route.entry} is not in the journal</h2>
                <p>The world was reset, or the journal was cleared or full.</p>
                <p>
                  <a href={hashOf(closed)}>Close</a>
                </p>
              </article>
            )
          ))
        )}
      </div>
      <p class="off-screen" role="status">
        {newest !== undefined &&
          `Request ${newest.entry.id}: ${operationText(newest.entry)}, ${statusText(newest.entry)}`}
      </p>
      {known.dropped > 0 && (
        <p class="dropped">The full journal dropped {count(known.dropped, "older request")}.</p>
      )}
    </div>
  );
}

/** The rows of the entries that the filter lets through. */
function useShown(
  entries: readonly JournalEntry[],
  epoch: number | undefined,
  filter: Route["filter"],
  lookups: Lookups,
): readonly EntryItem[] {
  const { text, operation, outcome, group } = filter;
  return useMemo(
    () =>
      filterEntries(entries, filter, lookups).map((entry) => ({
        kind: "entry" as const,
        key: itemKey(epoch, entry.id),
        entry,
        epoch,
        groupId: groupOfEntry(entry, lookups).groupId,
      })),
    [entries, epoch, lookups, text, operation, outcome, group?.teamId, group?.groupId],
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
  if (goneSince !== undefined) return `No longer in the journal since ${clockText(goneSince)}.`;
  const ended = history.find(({ n }) => n === epoch)?.endedAt;
  if (!isPast || ended === undefined) return undefined;
  return `No longer in the journal: the world was reset at ${clockText(new Date(ended))}.`;
}

const noEntries: readonly JournalEntry[] = [];

/** The calls of an earlier epoch, newest first. */
function usePastJournal(epoch: number | undefined): readonly JournalEntry[] {
  const [loaded, setLoaded] = useState<{ of: number; entries: readonly JournalEntry[] }>();
  useEffect(() => {
    if (epoch === undefined) return;
    let active = true;
    admin("listPastRequests", { id: epoch, query: {} }).then(
      ({ requests }) => active && setLoaded({ of: epoch, entries: requests.toReversed() }),
      () => {},
    );
    return () => {
      active = false;
    };
  }, [epoch]);
  return loaded !== undefined && loaded.of === epoch ? loaded.entries : noEntries;
}

function isRow(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.classList.contains("row");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("a, button, summary, select, input") !== null;
}
