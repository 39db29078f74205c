import type { TestSummary } from "../generated/types.js";
import type { ReportedTest } from "../report/report-data.js";
import { failedTest } from "./embedded-report.js";
import { ErrorText } from "./error-text.js";
import { Sentence } from "./shown-text.js";
import { Cross } from "./test-list.js";
import { verdictOf } from "./verdict-of.js";

/** Where a test failed, what its requests show of it, and its error. */
export function VerdictBand({ test }: { readonly test: TestSummary | undefined }) {
  const verdict = verdictOf(test);
  const failed = test && failedTest(test);
  const { message, diff } = failed?.error ?? {};
  const error = [message ?? [], diff ?? []].flat().join("\n\n");
  if (failed === undefined && verdict.parts.length + verdict.faults.length === 0) return null;
  return (
    <section class={failed ? "verdict failed" : "verdict"} aria-label="Verdict">
      {failed && <FailedAt test={failed} />}
      {verdict.parts.length > 0 && (
        <p class={verdict.label === "Likely cause" ? "cause" : undefined}>
          {verdict.label && <b>{verdict.label}:</b>} <Sentence parts={verdict.parts} />
        </p>
      )}
      {verdict.faults.length > 0 && (
        <p>
          <Sentence parts={verdict.faults} />
        </p>
      )}
      {error !== "" && !verdict.repeatsError && <ErrorText key={error} text={error} />}
    </section>
  );
}

function FailedAt({ test }: { readonly test: Partial<ReportedTest> }) {
  const { file, line, framework, attempt = 1 } = test;
  const facts = [framework ?? [], attempt > 1 ? `attempt ${attempt}` : []].flat();
  return (
    <p class="place">
      <Cross />
      {file !== undefined && <code>{line === undefined ? file : `${file}:${line}`}</code>}
      <small>{facts.join(", ")}</small>
    </p>
  );
}
