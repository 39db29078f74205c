import { useEffect, useState } from "preact/hooks";
import { AssumptionsView } from "./assumptions-view.js";
import { failedTest, isReport, report } from "./embedded-report.js";
import { FaultsView } from "./faults-view.js";
import { GroupsView } from "./groups-view.js";
import { Header } from "./header.js";
import { usePageKeys } from "./keys.js";
import { RequestLinks } from "./request-links.js";
import { RequestsView } from "./requests-view.js";
import { go, type View, viewNames } from "./route.js";
import { Name } from "./shown-text.js";
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
  usePageKeys();
  useEffect(() => {
    const title = shown === undefined ? undefined : (failedTest(shown.test)?.title ?? testTitle(shown.test));
    document.title = title === undefined ? "usergroup-mock" : `${title} · usergroup-mock`;
  }, [shown?.test]);
  return (
    <>
      <Header />
      <Notice />
      <div class={isOfOneTest ? "page one-test" : "page"}>
        {!isOfOneTest && <TestList />}
        <main>
          <div class="heading">
            {!isOfOneTest && <TestSelect />}
            <Title />
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

function Title() {
  const { shown } = useStore().state;
  if (shown === undefined) return null;
  const { test } = shown;
  return (
    <h2 title={`World ${test.world}`}>
      <Name text={failedTest(test)?.title ?? testTitle(test)} />
    </h2>
  );
}

const viewTitles: Readonly<Record<View["name"], string>> = {
  requests: "Requests",
  groups: "Groups",
  faults: "Faults",
  assumptions: "Assumptions",
};

/** Which views there are. Of an earlier test, only its requests are known. */
function Tabs() {
  const store = useStore();
  const { route, shown } = store.state;
  const world = shown?.world;
  if (shown === undefined || world === undefined) return null;
  const counts: Readonly<Record<View["name"], number>> = {
    requests: shown.entries.length + shown.dropped,
    groups: world.groupCount,
    faults: world.faults.filter(({ active, holding }) => active || holding > 0).length,
    assumptions: world.assumed.assumptions.filter((one) => one.value !== one.default).length,
  };
  const label = (name: View["name"]) => `${viewTitles[name]}${counts[name] > 0 ? ` ${counts[name]}` : ""}`;
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
            {viewTitles[name]} {counts[name] > 0 && <b>{counts[name].toLocaleString("en")}</b>}
          </a>
        ))}
      </nav>
      <select
        class="tab-select"
        aria-label="View"
        value={current}
        onChange={({ currentTarget }) => {
          const name = viewNames.find((one) => one === currentTarget.value) ?? "requests";
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

function Content() {
  const store = useStore();
  const { route, tests, shown, hasStopped } = store.state;
  if (shown === undefined) {
    if (tests === undefined || hasStopped) return null;
    return (
      <>
        <VerdictBand shown={undefined} />
        <NoTest />
      </>
    );
  }
  const { name } = shown.world === undefined ? { name: "requests" } : route.view;
  return (
    <>
      {isReport && <VerdictBand shown={shown} />}
      {name === "requests" && <RequestsView shown={shown} />}
      {name === "groups" && <GroupsView shown={shown} />}
      {name === "faults" && <FaultsView shown={shown} />}
      {name === "assumptions" && <AssumptionsView shown={shown} />}
    </>
  );
}

/** The URL names something that does not exist. Looking at it does not create it. */
function NoTest() {
  const store = useStore();
  const { place } = store.state.route;
  if (place.follows === "newest") {
    return <section class="empty">{isReport && <h2>No requests reached the mock.</h2>}</section>;
  }
  const isUnknown = place.follows === "world";
  return (
    <section class="empty">
      <h2>
        {isUnknown ? (
          <>
            There is no world <Name text={place.world} />
          </>
        ) : (
          "This test is no longer known"
        )}
      </h2>
      {isUnknown && <p>The first request to its URL creates it.</p>}
    </section>
  );
}
