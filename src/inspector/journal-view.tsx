import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
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
import { useOpenEntry, whyGone } from "./open-entry.js";
import { type PastJournals, usePastJournals } from "./past-journals.js";
import { retriesIn } from "./retries.js";
import { go, hashOf, noFilter, type Route } from "./route.js";
import { SendForm } from "./send-form.js";
import { Name } from "./shown-text.js";
import { count, operationText, statusText } from "./texts.js";
import { worldName } from "./urls.js";
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
  // Links name an epoch, because ids start again at 1 after a reset.
  const epoch = route.epoch ?? known.epoch;
  const isPast = route.epoch !== undefined && known.epoch !== undefined && route.epoch !== known.epoch;
  const pastEpoch = isPast ? route.epoch : undefined;
  const isFiltered = hashOf({ filter }) !== hashOf({ filter: noFilter });
  const pastJournals = usePastJournals(neededEpochs(known.history, pastEpoch, isFiltered));
  const past = (pastEpoch === undefined ? undefined : pastJournals.get(pastEpoch)) ?? noEntries;
  const current = paused ?? known.entries;
  const lookups = useMemo(() => lookupsOf(current, known), [current, known.groups, known.teams]);
  const pastLookups = useMemo(() => lookupsOf(past, { ...known, groups: [] }), [past, known.teams]);
  const shown = useShown(current, known.epoch, filter, lookups);
  const shownPast = useShown(past, pastEpoch, filter, pastLookups);
  const matches = useMemo(
    () => (isFiltered ? matchCounts(pastJournals, filter, known.teams) : noCounts),
    [isFiltered, pastJournals, hashOf({ filter }), known.teams],
  );
  const items = useMemo(
    () => journalItems(shown.items, known.history, pastEpoch, shownPast.items, matches),
    [shown.items, known.history, pastEpoch, shownPast.items, matches],
  );
  const retries = useMemo(
    () =>
      timeline ? new Map([...retriesIn(known.epoch, current), ...retriesIn(pastEpoch, past)]) : undefined,
    [timeline, known.epoch, current, pastEpoch, past],
  );
  const openKey = route.entry === undefined ? undefined : itemKey(epoch, route.entry);
  const [cursor, setCursor] = useState<{ at: string | undefined; moved: boolean }>({
    at: undefined,
    moved: false,
  });
  const at = cursor.at ?? openKey;
  // Closing an entry moves the focus to its row. On a phone, nothing else could have the focus.
  useLayoutEffect(() => {
    if (openKey !== undefined) setCursor({ at: openKey, moved: false });
    else setCursor((last) => ({ at: last.at, moved: last.at !== undefined }));
  }, [openKey]);

  const keep = { filter, timeline };
  const open = (item: JournalItem, replace = false) => {
    if (item.kind === "entry") go({ epoch: item.epoch, entry: item.entry.id, ...keep }, replace);
  };
  const closed = { epoch: pastEpoch, ...keep };
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

  const shownEntries = isPast ? past : current;
  const { entry, goneSince } = useOpenEntry(
    shownEntries.find(({ id }) => id === route.entry) ??
      known.entries.find(({ id }) => !isPast && id === route.entry),
    route.entry,
    epoch,
  );
  const [listWidth, setListWidth] = useListWidth();
  const newCount =
    paused === undefined ? 0 : known.entries.filter(({ id }) => id > (paused[0]?.id ?? 0)).length;
  const [newest] = shown.items;
  const isOpen = route.entry !== undefined || route.sends;
  // The report of a failed test shows the name of the test in its header.
  const title = known.label !== undefined && reportedTest === undefined && (
    <h2 class="test-title">
      <Name text={known.label} />
    </h2>
  );
  const lead =
    shown.items.length > 0 || !known.loaded ? undefined : current.length > 0 ? (
      <p class="lead">
        No match in {count(current.length, "request")}.{" "}
        <a href={hashOf({ epoch: pastEpoch, timeline, filter: noFilter })}>Show all</a>
      </p>
    ) : (
      <p class="lead">No request has reached the world {worldName} since it was reset.</p>
    );
  return (
    <div class={isOpen ? "journal with-entry" : "journal"}>
      <JournalTools
        store={store}
        matching={[...shown.ofAnyOutcome, ...shownPast.ofAnyOutcome]}
        route={route}
        search={search}
        newCount={newCount}
        change={(changed) =>
          go({ ...route, epoch: route.entry === undefined ? pastEpoch : epoch, ...changed }, true)
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
        ) : current.length > 0 ? (
          <div class="empty">{lead}</div>
        ) : (
          known.loaded && <EmptyWorld store={store} />
        )}
        {isOpen && <Divider width={listWidth} change={setListWidth} />}
        {route.sends ? (
          <SendForm store={store} entry={entry} epoch={epoch} closeHref={hashOf(closed)} />
        ) : (
          route.entry !== undefined &&
          (entry !== undefined ? (
            <EntryDetail
              store={store}
              entry={entry}
              route={route}
              epoch={epoch}
              entries={shownEntries}
              lookups={isPast ? pastLookups : lookups}
              remark={whyGone(known.history, isPast, epoch, goneSince)}
              closeHref={hashOf(closed)}
            />
          ) : (
            known.loaded && (
              <article class="entry">
                <h2>Request {route.entry} is not in the journal</h2>
                <p>The world was reset, or the journal was cleared or reached its limit.</p>
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
        <p class="dropped">The journal is full. It dropped {count(known.dropped, "older request")}.</p>
      )}
    </div>
  );
}

const noEntries: readonly JournalEntry[] = [];
const noCounts: ReadonlyMap<number, number> = new Map();

/** The open section. With a filter, all sections: collapsed ones show how many requests match. */
function neededEpochs(
  history: readonly HistoryItem[],
  pastEpoch: number | undefined,
  isFiltered: boolean,
): readonly number[] {
  const opened = pastEpoch === undefined ? [] : [pastEpoch];
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

interface ShownEntries {
  readonly items: readonly EntryItem[];
  /** The entries that the filter would show without its outcome. */
  readonly ofAnyOutcome: readonly JournalEntry[];
}

function useShown(
  entries: readonly JournalEntry[],
  epoch: number | undefined,
  filter: Filter,
  lookups: Lookups,
): ShownEntries {
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
    return { items, ofAnyOutcome };
  }, [entries, epoch, lookups, text, operation, outcome, group?.teamId, group?.groupId]);
}
