import type { ReportedTest } from "../report/report-data.js";
import { failedTest, hasFailed, run, unlistedTests } from "./embedded-report.js";
import type { Shown } from "./shown-test.js";
import { Name, RequestLinks, showInvisible } from "./shown-text.js";
import { type Store, useStore } from "./store.js";
import { Cross } from "./test-list.js";
import { findVerdict, type VerdictLine } from "./verdict.js";

/** The verdict about the shown test of a report, or about a report without requests. */
export function verdictOf({ url }: Store, shown: Shown | undefined): VerdictLine {
  const { test, entries = [], world } = shown ?? {};
  const failed = test ? failedTest(test) : run?.tests[0];
  const facts = { hasFailed: test !== undefined && hasFailed(test), error: failed?.error };
  return findVerdict({ ...facts, entries, faults: world?.faults ?? [], url });
}

/** What failed, with its error, and what the requests show of it. */
export function VerdictBand({ shown }: { readonly shown: Shown | undefined }) {
  const verdict = verdictOf(useStore(), shown);
  const failed = shown && failedTest(shown.test);
  const isOfRun = failed === undefined && run !== undefined && run.exitCode !== 0;
  if (failed === undefined && !isOfRun && !verdict.text) return null;
  return (
    <section class={failed || isOfRun ? "verdict failed" : "verdict"} aria-label="Verdict">
      {failed && <TestFailure test={failed} />}
      {isOfRun && (
        <p class="place">
          <Cross />
          <code>
            <Name text={run?.command ?? ""} />
          </code>{" "}
          exit code {run?.exitCode}
        </p>
      )}
      {verdict.text && (
        <p class={verdict.label === "Likely cause" ? "cause" : undefined}>
          {verdict.label && <b>{verdict.label}:</b>} <RequestLinks text={verdict.text} />
        </p>
      )}
      {unlistedTests.map((test) => (
        <TestFailure key={test.title} test={test} isNamed />
      ))}
    </section>
  );
}

function TestFailure({ test, isNamed = false }: { readonly test: ReportedTest; readonly isNamed?: boolean }) {
  const { title, file, line, framework, attempt = 1, error } = test;
  const facts = [framework ?? [], attempt > 1 ? `attempt ${attempt}` : []].flat();
  return (
    <>
      <p class="place">
        <Cross />
        {isNamed && <b>{showInvisible(title)}</b>}
        {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
        <small>{facts.join(", ")}</small>
      </p>
      {error !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
        <section class="error" aria-label="Error" tabIndex={0}>
          <pre>{showInvisible(error.message)}</pre>
        </section>
      )}
    </>
  );
}
