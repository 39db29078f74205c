import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import { defaultWorld, worldNamePattern } from "../contract/world-name.js";
import type { TestSummary } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport, report } from "./embedded-report.js";
import { inspectorOf, journalHref, worldName } from "./place.js";
import { go, type Route } from "./route.js";
import { SearchField } from "./search-field.js";
import { useTests } from "./tests.js";
import { Name } from "./visible-text.js";
import { count, timeText } from "./words.js";
import type { WorldStore } from "./world-store.js";

/** Rows shown at first, and rows added by each “Show more”. */
const testsAtOnce = 200;

const testColumns = ["Test", "World", "Requests", "Failures", "Began"] as const;
type Column = (typeof testColumns)[number];

/** What a column is sorted by. Numbers and times begin with the largest. */
const sortKeys: Readonly<Record<Column, (test: TestSummary) => string | number>> = {
  Test: ({ label, world }) => (label ?? world).toLowerCase(),
  World: ({ world }) => world.toLowerCase(),
  Requests: ({ requests }) => -requests,
  Failures: ({ failures }) => -failures,
  Began: ({ startedAt }) => -Date.parse(startedAt),
};

interface Sorting {
  readonly by: Column;
  readonly isReversed: boolean;
}

interface TestsViewProps {
  readonly store: WorldStore;
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** The tests of all worlds: each with the causes of its failures. */
export function TestsView({ store, route, search }: TestsViewProps) {
  const { tests, leftOff, busy, refresh } = useTests();
  const [sorting, setSorting] = useState<Sorting>();
  const [limit, setLimit] = useState(testsAtOnce);
  const wanted = route.search.trim();
  const found = useMemo(() => sorted(matching(tests ?? [], wanted), sorting), [tests, wanted, sorting]);
  const [first] = found;
  const isNewWorld =
    !isReport &&
    tests !== undefined &&
    new RegExp(`^(?:${worldNamePattern})$`).test(wanted) &&
    !tests.some(({ world, state }) => world === wanted && state !== "dropped");
  const drop = (name: string) =>
    store.act(async () => {
      await admin("dropWorld", { name });
      if (name === worldName && name !== defaultWorld) location.assign(inspectorOf(defaultWorld));
      else await refresh();
    }, `The world ${name} was dropped.`);
  return (
    <div class="view">
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== "" && first !== undefined) location.assign(hrefOf(first));
        }}
      >
        <SearchField
          label="Search tests"
          placeholder="Search: name, world, cause …"
          value={route.search}
          field={search}
          change={(text) => go({ view: "worlds", search: text }, true)}
          keepsFocus
        />
        <span class="found" role="status">
          {tests !== undefined &&
            (wanted === ""
              ? count(tests.length, "test")
              : `${found.length.toLocaleString("en")} of ${count(tests.length, "test")}`)}
        </span>
        <span class="gap" />
        {isNewWorld && (
          <a class="button" href={inspectorOf(wanted)}>
            Open the new world {wanted}
          </a>
        )}
      </form>
      <div class="scroll">
        {report?.leftOut.map((sentence) => (
          <p key={sentence} class="dropped">
            {sentence}
          </p>
        ))}
        {tests !== undefined && found.length === 0 ? (
          <div class="empty">
            <h2>No test matches</h2>
          </div>
        ) : (
          <table class="tests">
            <thead>
              <tr>
                {testColumns.map((column) => (
                  <ColumnHead key={column} column={column} sorting={sorting} sort={setSorting} />
                ))}
                <th scope="col">
                  <span class="off-screen">Drop</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, limit).map((test) => (
                <TestRow
                  key={`${test.world} ${test.epoch}`}
                  test={test}
                  isBusy={busy.has(test.world)}
                  drop={drop}
                />
              ))}
            </tbody>
          </table>
        )}
        {found.length > limit && (
          <button type="button" class="more" onClick={() => setLimit(limit + testsAtOnce)}>
            Show more of {count(found.length, "test")}
          </button>
        )}
        {leftOff > 0 && <p class="none">{count(leftOff, "more test")} are not in the list.</p>}
      </div>
    </div>
  );
}

interface ColumnHeadProps {
  readonly column: Column;
  readonly sorting: Sorting | undefined;
  readonly sort: (sorting: Sorting | undefined) => void;
}

/** Sorts by its column; a second click turns it around, a third one shows failures first again. */
function ColumnHead({ column, sorting, sort }: ColumnHeadProps) {
  const isSorted = sorting?.by === column;
  const next = !isSorted
    ? { by: column, isReversed: false }
    : sorting.isReversed
      ? undefined
      : { by: column, isReversed: true };
  const direction = isSorted ? (sorting.isReversed ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" class="sort" onClick={() => sort(next)}>
        {column}
        <span aria-hidden="true">{isSorted ? (sorting.isReversed ? " ▴" : " ▾") : ""}</span>
      </button>
    </th>
  );
}

interface TestRowProps {
  readonly test: TestSummary;
  readonly isBusy: boolean;
  readonly drop: (world: string) => void;
}

function TestRow({ test, isBusy, drop }: TestRowProps) {
  const { world, epoch, label, state, startedAt, requests, failures, causes } = test;
  const isThis = world === worldName && state === "current";
  return (
    <>
      <tr class={isThis ? "open" : undefined}>
        <th scope="row">
          <a href={hrefOf(test)} aria-current={isThis ? "page" : undefined}>
            <Name text={label ?? (state === "current" ? world : `${world}, before reset ${epoch}`)} />
          </a>
          {isThis && <span class="tag plain">this one</span>}
          {isBusy && state === "current" && <span class="tag">busy</span>}
        </th>
        <td data-label="World">
          {world} {state === "dropped" && <span class="tag plain">dropped</span>}
        </td>
        <td data-label="Requests" class="number">
          {requests.toLocaleString("en")}
        </td>
        <td data-label="Failures" class={failures > 0 ? "number failed" : "number"}>
          {failures.toLocaleString("en")}
        </td>
        <td data-label="Began" class="number">
          <time dateTime={startedAt}>{timeText({ at: startedAt })}</time>
        </td>
        <td class="drop">
          {!isReport && state === "current" && (
            <ConfirmButton
              label="Drop"
              question="Sure?"
              title={`Drop the world ${world} and everything in it`}
              act={() => drop(world)}
            />
          )}
        </td>
      </tr>
      {causes.length > 0 && (
        <tr class="causes">
          <td colSpan={testColumns.length + 1}>
            <ul aria-label={`Failures of ${label ?? world}`}>
              {causes.map(({ cause, count: times, last, why }) => (
                <li key={last}>
                  <a href={inspectorOf(world, { epoch, entry: last })}>
                    <code>{cause}</code>
                  </a>{" "}
                  {times > 1 && <span class="tag">{times} times</span>} {why}
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}

/** The journal of a test. A link to an earlier one names its epoch. */
function hrefOf({ world, epoch, state }: TestSummary): string {
  return journalHref(world, state === "current" ? undefined : epoch);
}

/** Tests whose name, world or causes have every word. */
function matching(tests: readonly TestSummary[], search: string): readonly TestSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tests;
  return tests.filter(({ world, label = "", causes }) => {
    const text = [world, label, ...causes.flatMap(({ cause, why }) => [cause, why])].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function sorted(tests: readonly TestSummary[], sorting: Sorting | undefined): readonly TestSummary[] {
  // As the server lists them: failures first, then the newest. A report has them world by world.
  const byDefault = (a: TestSummary, b: TestSummary) =>
    Number(b.failures > 0) - Number(a.failures > 0) || compareKeys(b.startedAt, a.startedAt);
  if (sorting === undefined) return tests.toSorted(byDefault);
  const keyOf = sortKeys[sorting.by];
  const compare = (a: TestSummary, b: TestSummary) => compareKeys(keyOf(a), keyOf(b)) || byDefault(a, b);
  return tests.toSorted((a, b) => (sorting.isReversed ? compare(b, a) : compare(a, b)));
}

/** Not by locale: that takes too long for 10,000 names. */
function compareKeys(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
