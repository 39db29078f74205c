import { useEffect, useRef, useState } from "preact/hooks";
import { adminApi } from "./admin-api.js";
import { AssumptionsView } from "./assumptions-view.js";
import { ConfirmButton } from "./buttons.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { JournalView } from "./journal-view.js";
import { LiveWorld } from "./live-world.js";
import { worldName } from "./place.js";
import { hashOf, useRoute, type View, views } from "./route.js";
import { isTyping } from "./typing.js";
import { WorldsView } from "./worlds-view.js";

const titles: Readonly<Record<View, string>> = {
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
    document.title = `${worldName} · ${titles[route.view]} · usergroup-mock`;
  }, [route.view]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event.target)) return;
      event.preventDefault();
      search.current?.select();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
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
            <a key={view} href={hashOf({ view })} aria-current={view === route.view ? "page" : undefined}>
              {titles[view]} <Count live={live} view={view} />
            </a>
          ))}
        </nav>
        <Link live={live} />
        <ConfirmButton
          label="Reset"
          question="Sure?"
          title={`The world ${worldName} back to the seed: groups, journal, faults, assumptions`}
          act={() => live.act(adminApi.reset, `The world ${worldName} is back to the seed.`)}
        />
      </header>
      <main>
        {route.view === "requests" && <JournalView live={live} route={route} search={search} />}
        {route.view === "groups" && <GroupsView live={live} route={route} search={search} />}
        {route.view === "faults" && <FaultsView live={live} />}
        {route.view === "assumptions" && <AssumptionsView live={live} />}
        {route.view === "worlds" && <WorldsView live={live} />}
      </main>
      <footer class="bottom">
        <span>
          <kbd>/</kbd> filter <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open <kbd>Esc</kbd> close
        </span>
        <span>{live.known.version && `version ${live.known.version}`}</span>
      </footer>
      <div class="said-place" role="status" aria-live="polite">
        {live.known.said.text && (
          <p class={live.known.said.failed ? "said failed" : "said"}>{live.known.said.text}</p>
        )}
      </div>
    </>
  );
}

function useLiveWorld(): LiveWorld {
  const [live] = useState(() => new LiveWorld());
  const [, changed] = useState(0);
  useEffect(() => live.follow(() => changed((times) => times + 1)), [live]);
  return live;
}

/** What a tab has to tell at a glance. */
function Count({ live, view }: { readonly live: LiveWorld; readonly view: View }) {
  const { entries, groups, faults, assumptions } = live.known;
  const changed = assumptions.filter((assumption) => assumption.value !== assumption.default).length;
  const counts = {
    requests: entries.length,
    groups: groups.length,
    faults: faults.filter(({ active, holding }) => active || holding > 0).length,
    assumptions: changed,
    worlds: 0,
  };
  const number = counts[view];
  return <b class={number === 0 ? "zero" : undefined}>{number || ""}</b>;
}

function Link({ live }: { readonly live: LiveWorld }) {
  const { link } = live.known;
  const words = { connecting: "connecting", live: "live", lost: "reconnecting" }[link];
  return (
    <span class={`link ${link}`} role="status">
      {words}
    </span>
  );
}
