import { useEffect, useRef, useState } from "preact/hooks";
import { admin } from "./admin-api.js";
import { AssumptionsView } from "./assumptions-view.js";
import { ConfirmButton } from "./buttons.js";
import { isReport, report } from "./embedded-report.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { JournalView } from "./journal-view.js";
import { LiveWorld } from "./live-world.js";
import { worldName } from "./place.js";
import { hashOf, lastHashOf, useRoute, type View, views } from "./route.js";
import { isTyping } from "./typing.js";
import { WorldsView } from "./worlds-view.js";

const viewTitles: Readonly<Record<View, string>> = {
  requests: "Journal",
  groups: "Groups",
  faults: "Faults",
  assumptions: "Assumptions",
  worlds: "Worlds",
};

export function App() {
  const live = useLiveWorld();
  const route = useRoute();
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${worldName} · ${viewTitles[route.view]} · usergroup-mock`;
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
              {viewTitles[view]} <Count live={live} view={view} />
            </a>
          ))}
        </nav>
        <ConnectionStatus live={live} />
        {!isReport && (
          <ConfirmButton
            label="Reset"
            question="Sure?"
            title={`Reset the world ${worldName} to the seed: groups, journal, faults, assumptions`}
            act={() => live.act(() => admin("reset", {}), `The world ${worldName} was reset to the seed.`)}
          />
        )}
      </header>
      <main>
        {route.view === "requests" && <JournalView live={live} route={route} search={search} />}
        {route.view === "groups" && <GroupsView live={live} route={route} search={search} />}
        {route.view === "faults" && <FaultsView live={live} route={route} />}
        {route.view === "assumptions" && <AssumptionsView live={live} route={route} />}
        {route.view === "worlds" && <WorldsView live={live} />}
      </main>
      <footer class="bottom">
        <span>
          <kbd>/</kbd> filter <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </span>
        <span>{live.known.version && `version ${live.known.version}`}</span>
      </footer>
      <div class="said-place" role="status" aria-live="polite">
        {live.known.toast.text && (
          <p class={live.known.toast.failed ? "said failed" : "said"}>{live.known.toast.text}</p>
        )}
      </div>
    </>
  );
}

function useLiveWorld(): LiveWorld {
  const [live] = useState(() => new LiveWorld());
  const [, setRenders] = useState(0);
  useEffect(() => live.follow(() => setRenders((renders) => renders + 1)), [live]);
  return live;
}

/** The number next to the title of a tab. */
function Count({ live, view }: { readonly live: LiveWorld; readonly view: View }) {
  const { entries, groupCount, faults, assumptions } = live.known;
  const changed = assumptions.filter((assumption) => assumption.value !== assumption.default).length;
  const counts = {
    requests: entries.length,
    groups: groupCount,
    faults: faults.filter(({ active, holding }) => active || holding > 0).length,
    assumptions: changed,
    worlds: 0,
  };
  const number = counts[view];
  return <b class={number === 0 ? "zero" : undefined}>{number || ""}</b>;
}

function ConnectionStatus({ live }: { readonly live: LiveWorld }) {
  const { connection } = live.known;
  const made = new Date(report?.createdAt ?? 0).toLocaleString();
  const texts = {
    connecting: "connecting",
    live: "live",
    lost: "reconnecting",
    dropped: "this world was dropped",
    report: `report of ${made}`,
  };
  const text = texts[connection];
  return (
    <span class={`link ${connection}`} role="status">
      {text}
    </span>
  );
}
