import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { JournalEntry } from "../generated/types.js";
import { kindOfRequest, type RequestKind } from "../report/entry-facts.js";
import { isReport } from "./embedded-report.js";
import { momentOf } from "./failed-here.js";
import { useKeys } from "./keys.js";
import { RequestDetail } from "./request-detail.js";
import { RequestList } from "./request-list.js";
import type { Shown } from "./shown-test.js";
import { useStore } from "./store.js";
import { verdictOf } from "./verdict-of.js";
import { hasWords, kindWords } from "./words.js";

type Filter = RequestKind | "all";

const filters: readonly Filter[] = ["all", "rejected", "fault", "waiting", "aborted"];

/** The list of requests, oldest first, and the one that is open. */
export function RequestsView({ shown }: { readonly shown: Shown }) {
  const store = useStore();
  const { view } = store.state.route;
  const { entries, dropped } = shown;
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const found = useMemo(
    () => entries.filter((entry) => isFound(entry, filter, search)).reverse(),
    [entries, filter, search],
  );
  const chosen = view.name === "requests" ? view.request : undefined;
  // In a report, the request of the verdict is open until the reader chooses one.
  const verdict = isReport ? verdictOf(shown.test) : undefined;
  const open = entries.find(({ id }) => id === (chosen ?? verdict?.request));
  useKeys(found, open?.id);
  useFocusOfClosed(chosen);
  if (entries.length === 0 && dropped === 0) return <NoRequests />;
  return (
    <div class={requestsClass(open, chosen)}>
      <section class="list" aria-label="Requests">
        <search>
          <input
            type="search"
            aria-label="Search requests"
            aria-keyshortcuts="/"
            placeholder="Search requests"
            title="/ search, j next request, k previous request"
            spellcheck={false}
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
          <Filters entries={entries} chosen={filter} choose={setFilter} />
        </search>
        {dropped > 0 && (
          <p class="none">
            {counted(dropped, "older request")} of {(entries.length + dropped).toLocaleString("en")}{" "}
            {dropped === 1 ? "was" : "were"} dropped from the journal.
          </p>
        )}
        {found.length === 0 ? (
          <p class="none">No request matches.</p>
        ) : (
          <RequestList key={`${filter} ${search}`} entries={found} open={open?.id} moment={momentOf(shown)} />
        )}
      </section>
      {open !== undefined && (
        <RequestDetail
          key={open.id}
          entry={open}
          shown={shown}
          isChosen={chosen !== undefined}
          verdict={verdict}
        />
      )}
      {open === undefined && chosen !== undefined && (
        <p class="none">Request #{chosen} is not in the journal.</p>
      )}
    </div>
  );
}

function requestsClass(open: JournalEntry | undefined, chosen: number | undefined): string {
  if (open === undefined) return "requests";
  return chosen === undefined ? "requests suggested" : "requests open";
}

/** Whether a request ended in this way, and has every word of the search in its bodies, headers or cause. */
function isFound(entry: JournalEntry, filter: Filter, search: string): boolean {
  const kind = kindOfRequest(entry);
  if (filter !== "all" && filter !== kind) return false;
  return search.trim() === "" || hasWords(`#${entry.id} ${kindWords[kind]} ${JSON.stringify(entry)}`, search);
}

/** When the reader closes a request, the focus returns to its row. */
function useFocusOfClosed(chosen: number | undefined): void {
  const store = useStore();
  const before = useRef(chosen);
  useEffect(() => {
    const closed = before.current;
    before.current = chosen;
    if (chosen !== undefined || closed === undefined) return;
    document.querySelector<HTMLElement>(`.row[href="${store.requestHref(closed)}"]`)?.focus();
  }, [chosen]);
}

interface FiltersProps {
  readonly entries: readonly JournalEntry[];
  readonly chosen: Filter;
  readonly choose: (filter: Filter) => void;
}

/** How requests ended. Ways in which none ended are left out. */
function Filters({ entries, chosen, choose }: FiltersProps) {
  const counts = useMemo(() => {
    const kinds = entries.map(kindOfRequest);
    return filters
      .map((filter) => ({
        filter,
        count: kinds.filter((kind) => filter === "all" || filter === kind).length,
      }))
      .filter(({ filter, count }) => count > 0 || filter === chosen);
  }, [entries, chosen]);
  if (counts.length < 2) return null;
  return (
    <fieldset class="filters">
      <legend class="off-screen">Show</legend>
      {counts.map(({ filter, count }) => (
        <label key={filter}>
          <input type="radio" name="filter" checked={filter === chosen} onChange={() => choose(filter)} />
          {filter === "all" ? "All" : kindWords[filter]} <b>{count.toLocaleString("en")}</b>
        </label>
      ))}
    </fieldset>
  );
}

function NoRequests() {
  const { url, canAct } = useStore();
  return (
    <section class="empty">
      <h2>No requests{canAct && " yet"}</h2>
      {canAct && <p>Send them to {url}/api/user. They appear here within a second.</p>}
    </section>
  );
}
