import { useMemo, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { JournalEntry } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { asCurl } from "./copy-request.js";
import { isReport } from "./embedded-report.js";
import { useListKeys } from "./keys.js";
import { RequestDetail } from "./request-detail.js";
import { kindOf, type RequestKind } from "./request-facts.js";
import { RequestList } from "./request-list.js";
import { SearchField } from "./search-field.js";
import type { Shown } from "./shown-test.js";
import { useStore } from "./store.js";
import { verdictOf } from "./verdict-band.js";
import { hasWords, kindWords } from "./words.js";

type Filter = RequestKind | "all";

const filters: readonly Filter[] = ["all", "rejected", "fault", "waiting", "aborted"];

/** The list of requests, and the one that is open. */
export function RequestsView({ shown }: { readonly shown: Shown }) {
  const store = useStore();
  const { view } = store.state.route;
  const { entries, dropped } = shown;
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<Filter>("all");
  const ofKind = (kind: Filter) => entries.filter((entry) => kind === "all" || kindOf(entry) === kind);
  const found = useMemo(() => {
    const isFound = (entry: JournalEntry) => hasWords(searchedText(entry), search);
    return search.trim() === "" ? ofKind(filter) : ofKind(filter).filter(isFound);
  }, [entries, filter, search]);
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
              .map((kind) => ({ kind, count: ofKind(kind).length }))
              .filter(({ kind, count }) => kind === "all" || count > 0 || filter === kind)
              .map(({ kind, count }) => (
                <button
                  key={kind}
                  type="button"
                  aria-pressed={filter === kind}
                  onClick={() => setFilter(filter === kind ? "all" : kind)}
                >
                  {kind === "all" ? "All" : kindWords[kind]} <b>{count.toLocaleString("en")}</b>
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
            {counted(dropped, "older request")} of {(entries.length + dropped).toLocaleString("en")}{" "}
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

/** Everything that a request has: bodies, headers, cause. */
function searchedText(entry: JournalEntry): string {
  return `#${entry.id} ${kindWords[kindOf(entry)]} ${JSON.stringify(entry)}`;
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
