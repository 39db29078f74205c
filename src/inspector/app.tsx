import { useEffect, useState } from "preact/hooks";
import { AssumptionsView } from "./assumptions-view.js";
import { failedTest, isReport, report } from "./embedded-report.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { Header } from "./header.js";
import { usePageKeys } from "./keys.js";
import { RequestsView } from "./requests-view.js";
import { go, type Place, type View } from "./route.js";
import { Name, RequestLinks } from "./shown-text.js";
import { Store, StoreProvider, useStore } from "./store.js";
import { TestList, TestSelect, testTitle } from "./test-list.js";
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
  const { state, isOfOneTest } = useStore();
  const { shown, message } = state;
  const title = shown && (failedTest(shown.test)?.title ?? testTitle(shown.test));
  usePageKeys();
  useEffect(() => {
    document.title = title === undefined ? "usergroup-mock" : `${title} · usergroup-mock`;
  }, [title]);
  return (
    <>
      <Header />
      <Notice />
      <div class={isOfOneTest ? "page one-test" : "page"}>
        {!isOfOneTest && <TestList />}
        <main>
          <div class="heading">
            {!isOfOneTest && <TestSelect />}
            {title !== undefined && (
              <h2 title={`World ${shown?.test.world}`}>
                <Name text={title} />
              </h2>
            )}
            <Tabs />
          </div>
          <Content />
        </main>
      </div>
      <div class="message-area" role="status" aria-live="polite">
        {message.text && (
          <p class={message.failed ? "message failed" : "message"}>
            <RequestLinks text={message.text} />
          </p>
        )}
      </div>
    </>
  );
}

/** A line over the whole width: what is shown cannot change any more. */
function Notice() {
  const { hasStopped, shown } = useStore().state;
  const text = hasStopped
    ? "The mock has stopped. This is its last state."
    : shown?.test.state === "dropped" && !isReport
      ? "This world was dropped. This is its last state."
      : undefined;
  const leftOut = report?.leftOut ?? [];
  return (
    <div class="notices" role="status">
      {text !== undefined && <p>{text}</p>}
      {leftOut.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

/** Which views there are. Of an earlier test, only its requests are known. */
function Tabs() {
  const store = useStore();
  const { route, shown } = store.state;
  if (shown?.world === undefined) return null;
  const { groupCount, faults } = shown.world;
  const counts: Partial<Record<View["name"], number>> = {
    requests: shown.entries.length + shown.dropped,
    groups: groupCount,
    faults: faults.filter(({ active, holding }) => active || holding > 0).length,
  };
  const label = (name: View["name"]) => {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    return counts[name] ? `${title} ${counts[name].toLocaleString("en")}` : title;
  };
  const current = route.view.name;
  return (
    <>
      <nav class="tabs" aria-label="Views">
        {store.views.map((name) => (
          <a
            key={name}
            class="tab"
            href={store.viewHref({ name })}
            aria-current={name === current ? "page" : undefined}
          >
            {label(name)}
          </a>
        ))}
      </nav>
      <select
        class="tab-select"
        aria-label="View"
        value={current}
        onChange={({ currentTarget }) => {
          const name = store.views.find((one) => one === currentTarget.value) ?? "requests";
          go({ place: route.place, view: { name } });
        }}
      >
        {store.views.map((name) => (
          <option key={name} value={name}>
            {label(name)}
          </option>
        ))}
      </select>
    </>
  );
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
  const View = views[shown?.world === undefined ? "requests" : route.view.name];
  return (
    <>
      {isReport && <VerdictBand shown={shown} />}
      {shown && <View key={`${shown.test.world} ${shown.test.epoch}`} shown={shown} />}
      {!shown && route.place.follows !== "newest" && <NoTest place={route.place} />}
    </>
  );
}

/** The URL names something that does not exist. Looking at it does not create it. */
function NoTest({ place }: { readonly place: Exclude<Place, { readonly follows: "newest" }> }) {
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
