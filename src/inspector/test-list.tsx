import { useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { TestSummary } from "../generated/types.js";
import { failedTest } from "./embedded-report.js";
import { go, hashOf, type Route } from "./route.js";
import { SearchField } from "./search-field.js";
import { isSameTest } from "./shown-test.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { dateText, hasWords } from "./words.js";

/** More would make the page slow. */
const maxTests = 500;

/** The label of a test, or the name of its world. */
export function testTitle({ label, world }: TestSummary): string {
  return label ?? world;
}

/** What is shown of a test beside its title. */
function testFacts({ requests, failures, state }: TestSummary): string {
  return [
    counted(requests, "request"),
    ...(failures > 0 ? [`${failures} rejected`] : []),
    ...(state === "past" ? ["before a reset"] : []),
  ].join(" · ");
}

function testKey({ world, epoch }: TestSummary): string {
  return `${world} ${epoch}`;
}

/** Where a test is. It is chosen: newer ones do not replace it. */
function routeTo({ world, epoch }: TestSummary): Route {
  return { place: { follows: "nothing", world, epoch }, view: { name: "requests" } };
}

/** All tests, newest first. */
export function TestList() {
  const { tests = [], shown, route } = useStore().state;
  const [search, setSearch] = useState("");
  const found = tests.filter((test) =>
    hasWords(`${testTitle(test)} ${test.world} ${testFacts(test)}`, search),
  );
  const isFollowing = route.place.follows === "newest";
  return (
    <section class="tests" aria-label="Tests">
      <h2>
        Tests{" "}
        {isFollowing ? (
          <small title="The newest test is shown until you choose one">newest first</small>
        ) : (
          <a class="follow" href="#/requests" title="Show the newest test, and follow newer ones">
            follow the newest
          </a>
        )}
      </h2>
      <SearchField label="Search tests" value={search} change={setSearch} />
      <ol>
        {found.slice(0, maxTests).map((test) => (
          <li key={testKey(test)}>
            <a
              class="test"
              href={hashOf(routeTo(test))}
              aria-current={isSameTest(test, shown?.test) ? "true" : undefined}
              title={`World ${test.world}, since ${dateText(test.startedAt)}`}
            >
              <span class="title">
                {failedTest(test) !== undefined && <Cross />} <Name text={testTitle(test)} />
              </span>
              <small>{testFacts(test)}</small>
            </a>
          </li>
        ))}
      </ol>
      {found.length === 0 && search !== "" && <p class="none">No test has these words.</p>}
      {found.length > maxTests && (
        <p class="none">
          {maxTests} of {found.length.toLocaleString("en")} tests. Search for the others.
        </p>
      )}
    </section>
  );
}

/** The same as a drop-down, for narrow screens. */
export function TestSelect() {
  const { tests = [], shown } = useStore().state;
  return (
    <select
      class="test-select"
      aria-label="Test"
      value={shown === undefined ? "" : testKey(shown.test)}
      onChange={({ currentTarget }) => {
        const test = tests.find((one) => testKey(one) === currentTarget.value);
        if (test !== undefined) go(routeTo(test));
      }}
    >
      {shown === undefined && <option value="">Choose a test</option>}
      {tests.slice(0, maxTests).map((test) => (
        <option key={testKey(test)} value={testKey(test)}>
          {failedTest(test) === undefined ? "" : "✗ "}
          {testTitle(test)} · {testFacts(test)}
        </option>
      ))}
    </select>
  );
}

/** A framework reported that a test failed. */
export function Cross() {
  return (
    <span class="cross" role="img" aria-label="Failed">
      ✗
    </span>
  );
}
