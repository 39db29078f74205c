import { useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { TestSummary } from "../generated/types.js";
import { EarlierButton, firstRows } from "./earlier-button.js";
import { failedTest, isReport } from "./embedded-report.js";
import { hashOf } from "./route.js";
import { isSameTest } from "./shown-test.js";
import { Name } from "./shown-text.js";
import { useStore } from "./store.js";
import { dateText } from "./words.js";

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

/** Where a test is. It is chosen: newer ones do not replace it. */
function testHref({ world, epoch }: TestSummary): string {
  return hashOf({ place: { follows: "nothing", world, epoch }, view: { name: "requests" } });
}

/** All tests, newest first. */
export function TestList() {
  const { tests = [], shown, route } = useStore().state;
  const [count, setCount] = useState(firstRows);
  const canFollow = !isReport && route.place.follows !== "newest";
  return (
    <section class="tests" aria-label="Tests">
      <h2>
        Tests{" "}
        {canFollow && (
          <a class="follow" href="#/requests" title="Show the newest test, and follow newer ones">
            follow the newest
          </a>
        )}
      </h2>
      <ol>
        {tests.slice(0, count).map((test) => (
          <li key={`${test.world} ${test.epoch}`}>
            <a
              class="test"
              href={testHref(test)}
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
      <EarlierButton
        hidden={Math.max(0, tests.length - count)}
        what="tests"
        show={(added) => setCount(count + added)}
      />
    </section>
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
