import { useEffect, useMemo, useState } from "preact/hooks";
import type { JournalEntry } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { asCurl } from "./copy-request.js";
import { isReport } from "./embedded-report.js";
import { useListKeys } from "./keys.js";
import { RequestDetail } from "./request-detail.js";
import { type Kind, kindOf } from "./request-facts.js";
import { RequestList } from "./request-list.js";
import { SearchField } from "./search-field.js";
import type { Shown } from "./state.js";
import { useStore } from "./store.js";
import { verdictOf } from "./verdict-band.js";
import { count, hasWords, kindWords } from "./words.js";

type Filter = Kind | "all";

const filters: readonly Filter[] = ["all", "rejected", "fault", "waiting", "aborted"];

/** The list of requests, and the one that is open. */
export function RequestsView({ shown }: { readonly shown: Shown }) {
  const store = useStore();
  const { view } = store.state.route;
  const { entries, dropped } = shown;
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const { world, epoch } = shown.test;
  useEffect(() => {
    setSearch("");
    setFilter("all");
  }, [world, epoch]);
  const counts = useMemo(() => countKinds(entries), [entries]);
  const found = useMemo(
    () =>
      entries.filter(
        (entry) =>
          (filter === "all" || kindOf(entry) === filter) &&
          (search.trim() === "" || hasWords(searchedText(entry), search)),
      ),
    [entries, filter, search],
  );
  const chosen = view.name === "requests" ? view.request : undefined;
  // In a report, the request of the verdict is open until the reader chooses one.
  const verdict = isReport ? verdictOf(store, shown) : undefined;
  const suggested = chosen === undefined ? verdict?.request : undefined;
  const open = entries.find(({ id }) => id === (chosen ?? suggested));
  useListKeys(found, open?.id);
  if (entries.length === 0 && dropped === 0) return <NoRequests />;
  return (
    <div
      class={open === undefined ? "requests" : chosen === undefined ? "requests suggested" : "requests open"}
    >
      <section class="list" aria-label="Requests">
        <search>
          <SearchField label="Search requests" value={search} isMain change={setSearch} />
          <fieldset class="filters">
            <legend class="off-screen">Show</legend>
            {filters
              .filter((kind) => kind === "all" || counts[kind] > 0 || filter === kind)
              .map((kind) => (
                <button
                  key={kind}
                  type="button"
                  aria-pressed={filter === kind}
                  onClick={() => setFilter(filter === kind ? "all" : kind)}
                >
                  {kind === "all" ? "All" : kindWords[kind]} <b>{counts[kind].toLocaleString("en")}</b>
                </button>
              ))}
          </fieldset>
        </search>
        {found.length === 0 ? (
          <p class="none nothing">No request matches.</p>
        ) : (
          <RequestList entries={found} open={open?.id} />
        )}
        {dropped > 0 && (
          <p class="none">
            {count(dropped, "older request")} of {(entries.length + dropped).toLocaleString("en")}{" "}
            {dropped === 1 ? "was" : "were"} dropped from the journal.
          </p>
        )}
      </section>
      {open !== undefined && (
        <RequestDetail
          key={open.id}
          entry={open}
          shown={shown}
          isExplained={verdict?.label === "Likely cause" && verdict.request === open.id}
        />
      )}
      {open === undefined && chosen !== undefined && (
        <p class="none missing">Request #{chosen} is not in the journal.</p>
      )}
    </div>
  );
}

function countKinds(entries: readonly JournalEntry[]): Readonly<Record<Filter, number>> {
  const counts = { all: entries.length, ok: 0, rejected: 0, fault: 0, waiting: 0, aborted: 0 };
  for (const entry of entries) counts[kindOf(entry)]++;
  return counts;
}

const searchedTexts = new WeakMap<JournalEntry, string>();

/** Everything that a request has: bodies, headers, cause. */
function searchedText(entry: JournalEntry): string {
  const known = searchedTexts.get(entry);
  if (known !== undefined) return known;
  const text = `#${entry.id} ${kindWords[kindOf(entry)]} ${JSON.stringify(entry)}`.toLowerCase();
  searchedTexts.set(entry, text);
  return text;
}

function NoRequests() {
  const store = useStore();
  const { url, canAct } = store;
  if (!canAct || url === undefined) {
    return (
      <section class="empty">
        <h2>No requests</h2>
      </section>
    );
  }
  const text = '{"user_group_id": "my-group", "name": "My group"}';
  const headers = { authorization: "Token test-api-token", "content-type": "application/json" };
  const example = asCurl({ method: "GET", path: "/api/user", headers, text, remark: "" }, url);
  return (
    <section class="empty">
      <h2>No requests yet</h2>
      <p>Send them to {url}/api/user. They appear here within a second.</p>
      <div class="card">
        <pre>{example}</pre>
        <CopyButton text={example} what="the command" />
      </div>
    </section>
  );
}
