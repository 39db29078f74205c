import type { FailureVerdict, ReportedTest, VerdictPart } from "../report/report-data.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { findVerdict } from "../report/verdict.js";
import { failedTest, run } from "./embedded-report.js";
import type { Shown } from "./shown-test.js";
import { Name, RequestLink, showInvisible } from "./shown-text.js";
import { type Store, useStore } from "./store.js";
import { Cross } from "./test-list.js";

/** The verdict about the shown test of a report, or about a report without requests. */
export function verdictOf({ url }: Store, shown: Shown | undefined): FailureVerdict {
  const { test, entries = [], world } = shown ?? {};
  const { error, mark, isUnused, verdict } = (test && failedTest(test)) ?? {};
  if (isUnused) return { parts: [], faults: [], request: undefined };
  return verdict ?? findVerdict({ error, mark, entries, faults: world?.faults ?? [], url });
}

/** What failed, with its error, and what the requests show of it. */
export function VerdictBand({ shown }: { readonly shown: Shown | undefined }) {
  const verdict = verdictOf(useStore(), shown);
  const failed = shown && failedTest(shown.test);
  const isOfRun = failed === undefined && run !== undefined && run.exitCode !== 0;
  if (failed === undefined && !isOfRun && verdict.parts.length + verdict.faults.length === 0) return null;
  return (
    <section class={failed || isOfRun ? "verdict failed" : "verdict"} aria-label="Verdict">
      {failed && <TestFailure test={failed} hasError={!verdict.repeatsError} />}
      {isOfRun && (
        <p class="place">
          <Cross />
          <code>
            <Name text={run?.command ?? ""} />
          </code>{" "}
          exit code {run?.exitCode}
        </p>
      )}
      {verdict.parts.length > 0 && (
        <p class={verdict.label === "Likely cause" ? "cause" : undefined}>
          {verdict.label && <b>{verdict.label}:</b>} <VerdictParts parts={verdict.parts} />
        </p>
      )}
      {verdict.faults.length > 0 && (
        <p>
          <VerdictParts parts={verdict.faults} />
        </p>
      )}
    </section>
  );
}

function VerdictParts({ parts }: { readonly parts: readonly VerdictPart[] }) {
  return (
    <>
      {parts.map((part) =>
        typeof part === "string" ? <VerdictText text={part} /> : <RequestLink id={part.request} />,
      )}
    </>
  );
}

/** Text in which `release()` is set as code. */
function VerdictText({ text }: { readonly text: string }) {
  return (
    <>
      {shortenTokens(text)
        .split(/`(\w+\(\))`/)
        .map((part, i) => (i % 2 === 0 ? showInvisible(part) : <code>{part}</code>))}
    </>
  );
}

function TestFailure({ test, hasError }: { readonly test: ReportedTest; readonly hasError: boolean }) {
  const { file, line, framework, attempt = 1, error } = test;
  const facts = [framework ?? [], attempt > 1 ? `attempt ${attempt}` : []].flat();
  const texts = [error?.message ?? [], error?.diff ?? []].flat();
  return (
    <>
      <p class="place">
        <Cross />
        {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
        <small>{facts.join(", ")}</small>
      </p>
      {hasError && texts.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
        <section class="error" aria-label="Error" tabIndex={0}>
          <pre>{showInvisible(texts.join("\n\n"))}</pre>
        </section>
      )}
    </>
  );
}
