import type { RefObject } from "preact";
import { useMemo, useState } from "preact/hooks";
import { defaultWorld } from "../contract/world-name.js";
import type { TestSummary } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport, report } from "./embedded-report.js";
import { go, type Route } from "./route.js";
import { hasWords, SearchField } from "./search-field.js";
import { Name } from "./shown-text.js";
import { useTests } from "./tests.js";
import { count, timeText } from "./texts.js";
import { journalUrl, worldName } from "./urls.js";
import type { WorldStore } from "./world-store.js";

/** Rows shown at first, and rows added by each “Show more”. */
const testsAtOnce = 200;

const testColumns = ["Test", "World", "Requests", "Failures", "Began"] as const;
type Column = (typeof testColumns)[number];

/** The sort key of each column. Numbers and times are sorted with the largest first. */
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

/** The tests of all worlds. */
export function TestsView({ store, route, search }: TestsViewProps) {
  const { tests, leftOff, refresh } = useTests();
  const [sorting, setSorting] = useState<Sorting>();
  const [limit, setLimit] = useState(testsAtOnce);
  const wanted = route.search.trim();
  const found = useMemo(() => sorted(matching(tests ?? [], wanted), sorting), [tests, wanted, sorting]);
  const [first] = found;
  const drop = (name: string) =>
    store.act(async () => {
      await admin("dropWorld", { name });
      if (name === worldName && name !== defaultWorld) location.assign(journalUrl(defaultWorld));
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
          placeholder="Search: name, world …"
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
                <TestRow key={`${test.world} ${test.epoch}`} test={test} drop={drop} />
              ))}
            </tbody>
          </table>
        )}
        {found.length > limit && (
          <button type="button" class="more" onClick={() => setLimit(limit + testsAtOnce)}>
            Show more of {count(found.length, "test")}
          </button>
        )}
        {leftOff > 0 && <p class="none">Not listed: {count(leftOff, "more test")}.</p>}
      </div>
    </div>
  );
}

interface ColumnHeadProps {
  readonly column: Column;
  readonly sorting: Sorting | undefined;
  readonly sort: (sorting: Sorting | undefined) => void;
}

/** Sorts by its column. A second click reverses the order, a third one restores the default order. */
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
  readonly drop: (world: string) => void;
}

function TestRow({ test, drop }: TestRowProps) {
  const { world, epoch, label, state, startedAt, requests, failures } = test;
  const isThis = world === worldName && state === "current";
  return (
    <tr class={isThis ? "open" : undefined}>
      <th scope="row">
        <a href={hrefOf(test)} aria-current={isThis ? "page" : undefined}>
          <Name text={label ?? (state === "current" ? world : `${world}, before reset ${epoch}`)} />
        </a>
        {isThis && <span class="tag plain">this one</span>}
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
  );
}

/** The journal of a test. The URL of an earlier test names its epoch. */
function hrefOf({ world, epoch, state }: TestSummary): string {
  return journalUrl(world, state === "current" ? {} : { epoch });
}

/** Tests whose name or world contains every word. */
function matching(tests: readonly TestSummary[], search: string): readonly TestSummary[] {
  if (search === "") return tests;
  return tests.filter(({ world, label = "" }) => hasWords(`${world}\n${label}`, search));
}

function sorted(tests: readonly TestSummary[], sorting: Sorting | undefined): readonly TestSummary[] {
  // Failures first, then the newest.
  const byDefault = (a: TestSummary, b: TestSummary) =>
    Number(b.failures > 0) - Number(a.failures > 0) || compareKeys(b.startedAt, a.startedAt);
  if (sorting === undefined) return tests.toSorted(byDefault);
  const keyOf = sortKeys[sorting.by];
  const compare = (a: TestSummary, b: TestSummary) => compareKeys(keyOf(a), keyOf(b)) || byDefault(a, b);
  return tests.toSorted((a, b) => (sorting.isReversed ? compare(b, a) : compare(a, b)));
}

/** Does not compare by locale, which is too slow for 10,000 names. */
function compareKeys(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
