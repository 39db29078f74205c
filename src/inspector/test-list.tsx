import { useState } from "preact/hooks";
import type { TestSummary } from "../generated/types.js";
import { failedTest } from "./embedded-report.js";
import type { Place } from "./find-test.js";
import { isSameTest } from "./load-test.js";
import { go, hashOf } from "./route.js";
import { SearchField } from "./search-field.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { count, dateText, hasWords } from "./words.js";

/** Tests shown at first, and added by each “Show more”. */
const pageSize = 200;

/** The label of a test, or the name of its world. */
export function testTitle({ label, world }: TestSummary): string {
  return label ?? world;
}

/** What is shown of a test beside its title. */
function testFacts({ requests, failures, state }: TestSummary): string {
  return [
    count(requests, "request"),
    ...(failures > 0 ? [`${failures.toLocaleString("en")} rejected`] : []),
    ...(state === "past" ? ["before a reset"] : []),
  ].join(" · ");
}

/** Where a test is. It is chosen: newer ones do not replace it. */
function placeOf({ world, epoch }: TestSummary): Place {
  return { follows: "nothing", world, epoch };
}

/** All tests, newest first. */
export function TestList() {
  const { tests = [], leftOff, shown, route } = useStore().state;
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(pageSize);
  const found =
    search.trim() === ""
      ? tests
      : tests.filter((test) => hasWords(`${testTitle(test)} ${test.world} ${testFacts(test)}`, search));
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
        {found.slice(0, limit).map((test) => (
          <li key={`${test.world} ${test.epoch}`}>
            <a
              class="test"
              href={hashOf({ place: placeOf(test), view: { name: "requests" } })}
              aria-current={isSameTest(test, shown?.test) ? "true" : undefined}
              title={`World ${test.world}, since ${dateText(test.startedAt)}`}
            >
              <span class="title">
                {failedTest(test) !== undefined && (
                  <span class="cross" role="img" aria-label="Failed">
                    ✗
                  </span>
                )}{" "}
                <Name text={testTitle(test)} />
              </span>
              <small>{testFacts(test)}</small>
            </a>
          </li>
        ))}
      </ol>
      {found.length > limit && (
        <button type="button" onClick={() => setLimit(limit + pageSize)}>
          Show more of {count(found.length, "test")}
        </button>
      )}
      {found.length === 0 && search !== "" && <p class="none">No test has these words.</p>}
      {leftOff > 0 && found.length <= limit && <p class="none">{count(leftOff, "older test")} not listed.</p>}
    </section>
  );
}

/** The same as a drop-down, for narrow screens. */
export function TestSelect() {
  const { tests = [], shown } = useStore().state;
  const options = tests.slice(0, pageSize);
  const chosen = tests.findIndex((test) => isSameTest(test, shown?.test));
  const selected = tests[chosen];
  if (selected !== undefined && chosen >= pageSize) options.push(selected);
  return (
    <select
      class="test-select"
      aria-label="Test"
      value={selected === undefined ? "" : String(options.indexOf(selected))}
      onChange={({ currentTarget }) => {
        const test = options[Number(currentTarget.value)];
        if (test !== undefined) go({ place: placeOf(test), view: { name: "requests" } });
      }}
    >
      {selected === undefined && <option value="">Choose a test</option>}
      {options.map((test, i) => (
        <option key={`${test.world} ${test.epoch}`} value={String(i)}>
          {failedTest(test) === undefined ? "" : "✗ "}
          {testTitle(test)} · {testFacts(test)}
        </option>
      ))}
    </select>
  );
}
