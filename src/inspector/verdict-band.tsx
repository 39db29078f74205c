import type { TestSummary } from "../generated/types.js";
import type { ReportedTest, VerdictPart } from "../report/report-data.js";
import { shortenTokens } from "../report/shorten-tokens.js";
import { failedTest } from "./embedded-report.js";
import { ErrorText } from "./error-text.js";
import { RequestLink, showInvisible } from "./shown-text.js";
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
          {verdict.label && <b>{verdict.label}:</b>} <VerdictParts parts={verdict.parts} />
        </p>
      )}
      {verdict.faults.length > 0 && (
        <p>
          <VerdictParts parts={verdict.faults} />
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
