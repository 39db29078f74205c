import { useEffect, useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import { isArmed } from "../report/armed-faults.js";
import { AssumptionsView } from "./assumptions-view.js";
import { isReport, report, run } from "./embedded-report.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { Header } from "./header.js";
import { RequestsView } from "./requests-view.js";
import type { Place, View } from "./route.js";
import { LongText, Name, showInvisible } from "./shown-text.js";
import { Store, StoreProvider, useStore } from "./store.js";
import { Cross, TestList, testTitle } from "./test-list.js";
import { VerdictBand } from "./verdict-band.js";

export function App() {
  const [store] = useState(() => new Store());
  const [, setRenders] = useState(0);
  useEffect(() => store.follow(() => setRenders((renders) => renders + 1)), [store]);
  return (
    <StoreProvider value={store}>
      <Page />
    </StoreProvider>
  );
}

function Page() {
  const { state, hasOneTest } = useStore();
  const { shown } = state;
  const title = shown && testTitle(shown.test);
  useEffect(() => {
    document.title = title === undefined ? "usergroup-mock" : `${title} · usergroup-mock`;
  }, [title]);
  return (
    <>
      <Header />
      <RunLine />
      <Notices />
      <div class="page">
        <main>
          {title !== undefined && (
            <div class="heading">
              <h2 title={`World ${shown?.test.world}`}>
                <LongText key={title} text={title} />
              </h2>
              <Tabs />
            </div>
          )}
          <Content />
        </main>
        {/* After the requests: the key Tab reaches these first. */}
        {!hasOneTest && <TestList />}
      </div>
    </>
  );
}

/** How the command of a report ended: `3 of 41 tests failed · npm test`. */
function RunLine() {
  if (run === undefined) return null;
  const { command, exitCode, tests, failed } = run;
  const ofTests = failed > 0 ? `${failed} of ${counted(tests, "test")} failed` : "";
  return (
    <section class={exitCode === 0 ? "run" : "run failed"} aria-label="Run">
      {exitCode !== 0 && <Cross />} <b>{ofTests || `exit code ${exitCode}`}</b>
      {" · "}
      <code>
        <LongText text={command} />
      </code>
    </section>
  );
}

/** Lines over the whole width: an error, and why what is shown cannot change any more or is not all. */
function Notices() {
  const { hasStopped, shown, message } = useStore().state;
  const isDropped = shown?.test.state === "dropped" && !isReport;
  const texts = [
    ...(hasStopped ? ["The mock has stopped. This is its last state."] : []),
    ...(isDropped && !hasStopped ? ["This world was dropped. This is its last state."] : []),
    ...(report?.leftOut ?? []),
    ...(message.text === "" ? [] : [message.text]),
  ];
  return (
    <div class="notices" role="status">
      {texts.map((text) => (
        <p key={text}>{showInvisible(text)}</p>
      ))}
    </div>
  );
}

/** Which views there are. Of an earlier test, only its requests are known. */
function Tabs() {
  const store = useStore();
  const { route, shown } = store.state;
  if (shown?.world === undefined) return null;
  const { changedGroups, faults } = shown.world;
  const counts: Partial<Record<View["name"], number>> = {
    requests: shown.entries.length + shown.dropped,
    groups: changedGroups,
    faults: faults.filter(isArmed).length,
  };
  const current = route.view.name;
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={moveBetweenTabs}>
      {store.views.map((name) => (
        <a
          key={name}
          class="tab"
          role="tab"
          href={store.viewHref({ name })}
          aria-selected={name === current}
          tabIndex={name === current ? 0 : -1}
        >
          {name.charAt(0).toUpperCase() + name.slice(1)}{" "}
          {counts[name] ? counts[name].toLocaleString("en") : ""}
        </a>
      ))}
    </div>
  );
}

/** The tabs are one stop of the key Tab. Arrow keys open the one beside. */
function moveBetweenTabs({ key, target }: KeyboardEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const beside = new Map([
    ["ArrowLeft", target.previousElementSibling],
    ["ArrowRight", target.nextElementSibling],
  ]).get(key);
  if (!(beside instanceof HTMLElement)) return;
  beside.focus();
  beside.click();
}

const views = {
  requests: RequestsView,
  groups: GroupsView,
  faults: FaultsView,
  assumptions: AssumptionsView,
} as const;

function Content() {
  const { route, tests, shown, hasStopped } = useStore().state;
  if (shown === undefined && (tests === undefined || hasStopped)) return null;
  const name = shown?.world === undefined ? "requests" : route.view.name;
  const View = views[name];
  return (
    <div class="content" role="tabpanel" aria-label={name}>
      {isReport && <VerdictBand test={shown?.test} />}
      {shown && <View key={`${shown.test.world} ${shown.test.epoch}`} shown={shown} />}
      {!shown && route.place.follows !== "latest" && <NoTest place={route.place} />}
    </div>
  );
}

/** The URL names something that does not exist. Looking at it does not create it. */
function NoTest({ place }: { readonly place: Exclude<Place, { readonly follows: "latest" }> }) {
  if (place.follows === "nothing") return <h2 class="empty">This test is no longer known</h2>;
  return (
    <section class="empty">
      <h2>
        There is no world <Name text={place.world} />
      </h2>
      <p>The first request to its URL creates it.</p>
    </section>
  );
}
