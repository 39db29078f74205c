import type { ReportedError } from "../report/report-data.js";
import { failedTest } from "./embedded-report.js";
import { type DiffLine, diffLines } from "./line-diff.js";
import { RequestLinks } from "./request-links.js";
import { showInvisible } from "./shown-text.js";
import type { Shown } from "./state.js";
import { type Store, useStore } from "./store.js";
import { findVerdict, type Verdict } from "./verdict.js";

/** How many equal lines are shown around a difference. */
const contextLines = 2;

/** The verdict about the shown test of a report. */
export function verdictOf(store: Store, { test, world }: Shown): Verdict {
  const { entries, groups } = store.derived;
  const errorCode = failedTest(test)?.error?.code;
  return findVerdict({ errorCode, entries, groups, faults: world?.faults ?? [], url: store.url });
}

/** Which test failed, its error, and the cause. */
export function VerdictBand({ shown }: { readonly shown: Shown }) {
  const store = useStore();
  const failed = failedTest(shown.test);
  const { text, request } = verdictOf(store, shown);
  const facts = [
    failed?.framework,
    (failed?.attempt ?? 1) > 1 ? `attempt ${failed?.attempt}` : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <section class={failed === undefined ? "verdict" : "verdict failed"} aria-label="Verdict">
      {failed !== undefined && (
        <p class="place">
          <span class="cross" role="img" aria-label="Failed">
            ✗
          </span>
          {failed.file !== undefined && (
            <code>{failed.line === undefined ? failed.file : `${failed.file}:${failed.line}`}</code>
          )}
          <small>{facts.join(", ")}</small>
        </p>
      )}
      {failed?.error !== undefined && <TestError error={failed.error} />}
      <p class="cause">
        <b>{failed === undefined ? "Summary:" : "Cause:"}</b> <RequestLinks text={text} />{" "}
        {request !== undefined && (
          <small>
            <a href={store.requestHref(request)}>details</a>
          </small>
        )}
      </p>
    </section>
  );
}

function TestError({ error }: { readonly error: ReportedError }) {
  const { message, expected, actual } = error;
  const lines =
    expected === undefined || actual === undefined ? [] : diffLines(expected.split("\n"), actual.split("\n"));
  // A comparison of two short values is in the message already.
  const isLong = lines.length > 1;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section class="error" aria-label="Error" tabIndex={0}>
        {/* Frameworks may repeat the difference below the first line. */}
        <pre>{showInvisible(isLong ? (message.split("\n")[0] ?? "") : message)}</pre>
      </section>
      {isLong && <Difference lines={lines} />}
    </>
  );
}

/** The changed lines with some around them, in the colours of a terminal: expected green, actual red. */
function Difference({ lines }: { readonly lines: readonly DiffLine[] }) {
  const isNear = (at: number) =>
    lines
      .slice(Math.max(0, at - contextLines), at + contextLines + 1)
      .some(({ left, right }) => left !== right);
  const rows = lines.flatMap(({ left, right }, i) => {
    if (left === right) {
      if (isNear(i)) return [<span key={i}>{`  ${left}\n`}</span>];
      return i === 0 || isNear(i - 1) ? [<span key={i}>{"  …\n"}</span>] : [];
    }
    return [
      ...(left === undefined ? [] : [<ins key={`${i}-`}>{`- ${left}\n`}</ins>]),
      ...(right === undefined ? [] : [<del key={`${i}+`}>{`+ ${right}\n`}</del>]),
    ];
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section class="difference" aria-label="Expected and actual" tabIndex={0}>
      <p>
        <ins>- Expected</ins> <del>+ Actual</del>
      </p>
      <pre>{rows}</pre>
    </section>
  );
}
