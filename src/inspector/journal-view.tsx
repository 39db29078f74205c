import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FixtureTeam, HistoryItem, JournalEntry } from "../generated/types.js";
import { Divider, useListWidth } from "./divider.js";
import { reportedTest } from "./embedded-report.js";
import { EmptyWorld } from "./empty-world.js";
import { EntryDetail } from "./entry-detail.js";
import { groupOfEntry, type Lookups, lookupsOf } from "./entry-facts.js";
import { type Filter, filterEntries } from "./journal-filter.js";
import {
  type EntryItem,
  itemKey,
  type JournalItem,
  journalItems,
  type SectionItem,
} from "./journal-items.js";
import { useJournalKeys } from "./journal-keys.js";
import { JournalList } from "./journal-list.js";
import { JournalTools } from "./journal-tools.js";
import { addCounts, countOutcomes, type OutcomeCounts } from "./outcome-counts.js";
import { type PastJournals, usePastJournals } from "./past-journals.js";
import { worldName } from "./place.js";
import { retriesIn } from "./retries.js";
import { go, hashOf, noFilter, type Route } from "./route.js";
import { SendForm } from "./send-form.js";
import { Name } from "./visible-text.js";
import { clockText, count, operationText, statusText } from "./words.js";
import type { WorldStore } from "./world-store.js";

interface JournalViewProps {
  readonly store: WorldStore;
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** All requests of this world, updated live, and those of earlier tests. */
export function JournalView({ store, route, search }: JournalViewProps) {
  const { known } = store;
  const { filter, timeline } = route;
  const { paused } = known;
  // A link names its epoch: after a reset it leads into the history, never to another request.
  const epoch = route.epoch ?? known.epoch;
  const isPast = route.epoch !== undefined && known.epoch !== undefined && route.epoch !== known.epoch;
  const openEpoch = isPast ? route.epoch : undefined;
  const isFiltered = hashOf({ filter }) !== hashOf({ filter: noFilter });
  const pastJournals = usePastJournals(neededEpochs(known.history, openEpoch, isFiltered));
  const past = (openEpoch === undefined ? undefined : pastJournals.get(openEpoch)) ?? noEntries;
  const now = paused ?? known.entries;
  const lookups = useMemo(() => lookupsOf(now, known), [now, known.groups, known.teams]);
  const pastLookups = useMemo(() => lookupsOf(past, { ...known, groups: [] }), [past, known.teams]);
  const shownNow = useShown(now, known.epoch, filter, lookups);
  const shownPast = useShown(past, openEpoch, filter, pastLookups);
  const matches = useMemo(
    () => (isFiltered ? matchCounts(pastJournals, filter, known.teams) : noCounts),
    [isFiltered, pastJournals, hashOf({ filter }), known.teams],
  );
  const items = useMemo(
    () => journalItems(shownNow.items, known.history, openEpoch, shownPast.items, matches),
    [shownNow.items, known.history, openEpoch, shownPast.items, matches],
  );
  const retries = useMemo(
    () => (timeline ? new Map([...retriesIn(known.epoch, now), ...retriesIn(openEpoch, past)]) : undefined),
    [timeline, known.epoch, now, openEpoch, past],
  );
  const openKey = route.entry === undefined ? undefined : itemKey(epoch, route.entry);
  const [cursor, setCursor] = useState<{ at: string | undefined; moved: boolean }>({
    at: undefined,
    moved: false,
  });
  const at = cursor.at ?? openKey;
  // What was read last has the focus again when it is closed; on a phone, nothing else could have it.
  useLayoutEffect(() => {
    if (openKey !== undefined) setCursor({ at: openKey, moved: false });
    else setCursor((last) => ({ at: last.at, moved: last.at !== undefined }));
  }, [openKey]);

  const keep = { filter, timeline };
  const open = (item: JournalItem, replace = false) => {
    if (item.kind === "entry") go({ epoch: item.epoch, entry: item.entry.id, ...keep }, replace);
  };
  const closed = { epoch: openEpoch, ...keep };
  useJournalKeys({
    items,
    at,
    move: (item) => {
      setCursor({ at: item.key, moved: true });
      if (route.entry !== undefined) open(item, true);
    },
    open,
    close: () => {
      if (route.entry !== undefined || route.sends) go(closed);
    },
    noFailure: () => store.announce("No request failed."),
  });

  const shownEntries = isPast ? past : now;
  const kept = useKept(
    shownEntries.find(({ id }) => id === route.entry) ??
      known.entries.find(({ id }) => !isPast && id === route.entry),
    route.entry,
    epoch,
  );
  const [listWidth, setListWidth] = useListWidth();
  const fresh = paused === undefined ? 0 : known.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length;
  const [newest] = shownNow.items;
  const isOpen = route.entry !== undefined || route.sends;
  // The report of a failed test has its name above everything.
  const title = known.label !== undefined && reportedTest === undefined && (
    <h2 class="test-title">
      <Name text={known.label} />
    </h2>
  );
  const lead =
    shownNow.items.length > 0 || !known.loaded ? undefined : now.length > 0 ? (
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
        counts={addCounts(shownNow.counts, shownPast.counts)}
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
      <div class="journal-body" style={{ "--list-width": `${listWidth}%` }}>
        {known.history.length > 0 || items.length > 0 ? (
          <JournalList
            lead={
              <>
                {title}
                {lead}
              </>
            }
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
        {isOpen && <Divider width={listWidth} change={setListWidth} />}
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
              lookups={isPast ? pastLookups : lookups}
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

const noEntries: readonly JournalEntry[] = [];
const noCounts: ReadonlyMap<number, number> = new Map();

/** The journals that are shown, and with a filter those of collapsed tests too: they say how many requests match. */
function neededEpochs(
  history: readonly HistoryItem[],
  openEpoch: number | undefined,
  isFiltered: boolean,
): readonly number[] {
  const opened = openEpoch === undefined ? [] : [openEpoch];
  return [...new Set([...opened, ...(isFiltered ? history.map(({ n }) => n) : [])])];
}

function matchCounts(
  journals: PastJournals,
  filter: Filter,
  teams: readonly FixtureTeam[],
): ReadonlyMap<number, number> {
  return new Map(
    [...journals].map(([n, entries]) => {
      const lookups = lookupsOf(entries, { groups: [], teams });
      return [n, filterEntries(entries, filter, lookups).length];
    }),
  );
}

/** The rows of the entries that the filter lets through, and how many there are with each outcome. */
function useShown(
  entries: readonly JournalEntry[],
  epoch: number | undefined,
  filter: Filter,
  lookups: Lookups,
): { readonly items: readonly EntryItem[]; readonly counts: OutcomeCounts } {
  const { text, operation, outcome, group } = filter;
  return useMemo(() => {
    const ofAnyOutcome = filterEntries(entries, { ...filter, outcome: "" }, lookups);
    const items = filterEntries(ofAnyOutcome, { ...noFilter, outcome }, lookups).map((entry) => ({
      kind: "entry" as const,
      key: itemKey(epoch, entry.id),
      entry,
      epoch,
      groupId: groupOfEntry(entry, lookups).groupId,
    }));
    return { items, counts: countOutcomes(ofAnyOutcome) };
  }, [entries, epoch, lookups, text, operation, outcome, group?.teamId, group?.groupId]);
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
