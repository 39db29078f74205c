import { useEffect, useRef, useState } from "preact/hooks";
import { admin } from "./admin-api.js";
import { AssumptionsView } from "./assumptions-view.js";
import { ConfirmButton } from "./buttons.js";
import { isReport, report, reportedTest } from "./embedded-report.js";
import { FailedTestHeader } from "./failed-test-header.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { JournalView } from "./journal-view.js";
import { hashOf, lastHashOf, useRoute, type View, views } from "./route.js";
import { useFailedTests } from "./tests.js";
import { TestsView } from "./tests-view.js";
import { clockText, dayText } from "./texts.js";
import { isTyping } from "./typing.js";
import { worldName } from "./urls.js";
import { WorldStore } from "./world-store.js";

const viewTitles: Readonly<Record<View, string>> = {
  requests: "Journal",
  groups: "Groups",
  faults: "Faults",
  assumptions: "Assumptions",
  worlds: "Tests",
};

type Shortcut = readonly [keys: readonly string[], does: string];
const searchKey: Shortcut = [["/"], "search"];

/** The keyboard shortcuts of each view. */
const keysOf: Readonly<Record<View, readonly Shortcut[]>> = {
  requests: [
    [["/"], "filter"],
    [["j", "k"], "move"],
    [["n"], "next failure"],
    [["Enter"], "open"],
    [["Esc"], "close"],
  ],
  groups: [searchKey],
  faults: [],
  assumptions: [],
  worlds: [searchKey],
};

export function App() {
  const store = useWorldStore();
  const route = useRoute();
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${reportedTest?.title ?? worldName} · ${viewTitles[route.view]} · usergroup-mock`;
  }, [route.view]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      search.current?.select();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <header class="top">
        <h1>usergroup-mock</h1>
        <a class="world" href={hashOf({ view: "worlds" })} title="Switch to another world">
          <span class="off-screen">World </span>
          {worldName}
        </a>
        <nav aria-label="Views">
          {views.map((view) => (
            <a key={view} href={lastHashOf(view)} aria-current={view === route.view ? "page" : undefined}>
              {viewTitles[view]}{" "}
              {view === "worlds" ? <FailedCount store={store} /> : <Count store={store} view={view} />}
            </a>
          ))}
        </nav>
        <ConnectionStatus store={store} />
        <PrintedAt />
        {!isReport && (
          <ConfirmButton
            label="Reset"
            question="Sure?"
            title={`Reset the world ${worldName} to the seed: groups, journal, faults, assumptions`}
            act={() => store.act(() => admin("reset", {}), `The world ${worldName} was reset to the seed.`)}
          />
        )}
      </header>
      <main class={reportedTest === undefined ? undefined : "with-test"}>
        <FailedTestHeader isOpen={route.view === "requests" && route.entry === undefined} />
        {route.view === "requests" && <JournalView store={store} route={route} search={search} />}
        {route.view === "groups" && <GroupsView store={store} route={route} search={search} />}
        {route.view === "faults" && <FaultsView store={store} route={route} />}
        {route.view === "assumptions" && <AssumptionsView store={store} route={route} />}
        {route.view === "worlds" && <TestsView store={store} route={route} search={search} />}
      </main>
      <footer class="bottom">
        <span>
          {keysOf[route.view].map(([keys, does]) => (
            <span key={does}>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}{" "}
              {does}
            </span>
          ))}
        </span>
        <span>{store.known.version && `version ${store.known.version}`}</span>
      </footer>
      <div class="toast-area" role="status" aria-live="polite">
        {store.known.toast.text && (
          <p class={store.known.toast.failed ? "toast failed" : "toast"}>{store.known.toast.text}</p>
        )}
      </div>
    </>
  );
}

function useWorldStore(): WorldStore {
  const [store] = useState(() => new WorldStore());
  const [, setRenders] = useState(0);
  useEffect(() => store.follow(() => setRenders((renders) => renders + 1)), [store]);
  return store;
}

/** The number next to the title of a tab. */
function Count({ store, view }: { readonly store: WorldStore; readonly view: Exclude<View, "worlds"> }) {
  const { entries, groupCount, faults, assumptions } = store.known;
  const changed = assumptions.filter((assumption) => assumption.value !== assumption.default).length;
  const counts = {
    requests: entries.length,
    groups: groupCount,
    faults: faults.filter(({ active, holding }) => active || holding > 0).length,
    assumptions: changed,
  };
  const number = counts[view];
  return <b class={number === 0 ? "zero" : undefined}>{number || ""}</b>;
}

/** How many tests failed, in all worlds. */
function FailedCount({ store }: { readonly store: WorldStore }) {
  const failed = useFailedTests(store.known.loaded);
  return (
    <b class={failed === 0 ? "zero" : "failed"} title="Tests with failures">
      {failed || ""}
    </b>
  );
}

/** The date and time of a printed page. */
function PrintedAt() {
  const [time, setTime] = useState(() => new Date(report?.createdAt ?? Date.now()));
  useEffect(() => {
    if (isReport) return;
    const update = () => setTime(new Date());
    addEventListener("beforeprint", update);
    return () => removeEventListener("beforeprint", update);
  }, []);
  return (
    <span class="print-only">
      {dayText(time)} {clockText(time)}
    </span>
  );
}

function ConnectionStatus({ store }: { readonly store: WorldStore }) {
  const { connection } = store.known;
  const created = new Date(report?.createdAt ?? 0);
  const texts = {
    connecting: "connecting",
    live: "live",
    lost: "reconnecting",
    dropped: "this world was dropped",
    report: `report of ${dayText(created)} ${clockText(created)}`,
  };
  const text = texts[connection];
  return (
    <span class={`link ${connection}`} role="status">
      {text}
    </span>
  );
}
