import { useState } from "preact/hooks";
import { counted } from "../foundation/grammar.js";
import type { TestSummary } from "../generated/types.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { verdictLines } from "../report/verdict.js";
import { failedFirst, failedTest, isReport, run } from "./embedded-report.js";
import { hashOf } from "./route.js";
import { isSameTest } from "./shown-test.js";
import { cutLine, Name, showInvisible, useFirst } from "./shown-text.js";
import { useStore } from "./store.js";
import { verdictOf } from "./verdict-of.js";
import { dateText } from "./words.js";

/** The title of a test as its framework reported it, its label, or the name of its world. */
export function testTitle(test: TestSummary): string {
  return failedTest(test)?.title ?? test.label ?? test.world;
}

/** What is shown of a test beside its title. */
function testFacts(test: TestSummary): string {
  const { requests, failures, state } = test;
  const { attempt = 1, passedLater } = failedTest(test) ?? {};
  return [
    ...(attempt > 1 || passedLater ? [`attempt ${attempt}`] : []),
    ...(passedLater ? ["passed later"] : []),
    counted(requests, "request"),
    ...(failures > 0 ? [`${failures} rejected`] : []),
    ...(state === "past" ? ["before a reset"] : []),
  ].join(" · ");
}

/** What a run shows of a failed test: the line of its verdict, or else the first line of its error. */
function sentenceOf(test: TestSummary): string {
  const failed = failedTest(test);
  if (failed === undefined || run === undefined) return "";
  const [firstLine = ""] = (failed.error?.message ?? "").split("\n");
  return shortenTokens(verdictLines(verdictOf(test)).join(" ")).replaceAll("`", "") || cutLine(firstLine);
}

/** Where a test is. It is chosen: newer ones do not replace it. */
function testHref({ world, epoch }: TestSummary): string {
  return hashOf({ place: { follows: "nothing", world, epoch }, view: { name: "requests" } });
}

/** All tests, newest first; in a report, those that failed come before the others. */
export function TestList() {
  const { tests = [], shown, route } = useStore().state;
  const [isOpen, setIsOpen] = useState(false);
  const canFollow = !isReport && route.place.follows !== "latest";
  const { first, others } = useFirst(failedFirst(tests), "test");
  return (
    <section class={isOpen ? "tests open" : "tests"} aria-label="Tests">
      <h2>
        Tests{" "}
        {canFollow && (
          <a class="follow" href="#/requests" title="Show the test with the latest request, and follow it">
            follow the latest
          </a>
        )}
      </h2>
      {/* On a narrow screen only: the list is closed, and shows the chosen test. */}
      <button type="button" class="chosen" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span>{shown ? <TestTitle test={shown.test} /> : "Choose a test"}</span>{" "}
        <small>
          {counted(tests.length, "test")} <span aria-hidden="true">▾</span>
        </small>
      </button>
      <ol>
        {first.map((test) => (
          <li key={`${test.world} ${test.epoch}`}>
            <TestLink test={test} isShown={isSameTest(test, shown?.test)} choose={() => setIsOpen(false)} />
          </li>
        ))}
      </ol>
      {others}
    </section>
  );
}

interface TestLinkProps {
  readonly test: TestSummary;
  readonly isShown: boolean;
  readonly choose: () => void;
}

function TestLink({ test, isShown, choose }: TestLinkProps) {
  const sentence = sentenceOf(test);
  return (
    <a
      class="test"
      href={testHref(test)}
      aria-current={isShown ? "true" : undefined}
      title={`World ${test.world}, since ${dateText(test.startedAt)}`}
      onClick={choose}
    >
      <TestTitle test={test} />
      {sentence !== "" && <bdi class="sentence">{showInvisible(sentence)}</bdi>}
      <small>{testFacts(test)}</small>
    </a>
  );
}

function TestTitle({ test }: { readonly test: TestSummary }) {
  return (
    <span class="title">
      {failedTest(test) !== undefined && <Cross />} <Name text={testTitle(test)} />
    </span>
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
