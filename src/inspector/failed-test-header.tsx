import { ComparedPart } from "./comparison.js";
import { reportedTest } from "./embedded-report.js";
import { diffLines } from "./line-diff.js";
import { showInvisible } from "./shown-text.js";

/** The failed test that a report is about, and its error. */
export function FailedTestHeader({ isOpen }: { readonly isOpen: boolean }) {
  if (reportedTest === undefined) return null;
  const { title, file, framework, attempt, error } = reportedTest;
  return (
    <section class="failed-test" aria-label="Failed test">
      <details open={isOpen}>
        <summary>
          <h2>{title}</h2>
          <span>
            {[file, framework, attempt > 1 ? `attempt ${attempt}` : undefined].filter(Boolean).join(" · ")}
          </span>
        </summary>
        {error !== undefined && (
          <>
            <pre class="message">{showInvisible(error.message)}</pre>
            {error.expected !== undefined && error.actual !== undefined && (
              <ComparedPart
                title="Expected and actual"
                lines={diffLines(error.expected.split("\n"), error.actual.split("\n"))}
                left="Expected"
                right="Actual"
              />
            )}
          </>
        )}
      </details>
    </section>
  );
}
