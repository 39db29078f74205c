import type { RefObject } from "preact";
import { operationIds } from "../contract/operations.js";
import type { JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { isReport } from "./embedded-report.js";
import { type Filter, filterError, filterHelp, outcomes } from "./journal-filter.js";
import { hashOf, type Route } from "./route.js";
import { SearchField } from "./search-field.js";
import { Name } from "./shown-text.js";
import type { WorldStore } from "./world-store.js";

interface JournalToolsProps {
  readonly store: WorldStore;
  /** The entries that match the filter, with any outcome. */
  readonly matching: readonly JournalEntry[];
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Number of requests since the pause. */
  readonly newCount: number;
  readonly change: (changed: Partial<Route>) => void;
}

export function JournalTools({ store, matching, route, search, newCount, change }: JournalToolsProps) {
  const { filter, timeline } = route;
  const { paused } = store.known;
  const narrow = (changed: Partial<Filter>) => change({ filter: { ...filter, ...changed } });
  const error = filterError(filter.text);
  const countOf = (outcome: string) =>
    matching.filter((entry) => outcome === "" || entry.outcome === outcome).length;
  return (
    <search class="tools">
      <SearchField
        label="Filter requests"
        placeholder="Filter: acme status:404 -outcome:success"
        error={error}
        value={filter.text}
        field={search}
        change={(text) => narrow({ text })}
      />
      <FilterHelp />
      <select
        aria-label="Operation"
        value={filter.operation}
        onChange={({ currentTarget }) => narrow({ operation: currentTarget.value })}
      >
        <option value="">all operations</option>
        {operationIds.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
      <fieldset class="choices">
        <legend class="off-screen">Outcome</legend>
        {(["", ...outcomes] as const).map((outcome) => (
          <label key={outcome} class={outcome}>
            <input
              type="radio"
              name="outcome"
              checked={filter.outcome === outcome}
              onChange={() => narrow({ outcome })}
            />
            <span>
              {outcome || "all"} <b>{countOf(outcome)}</b>
            </span>
          </label>
        ))}
      </fieldset>
      {filter.group !== undefined && (
        <span class="of-group">
          requests of{" "}
          <a href={hashOf({ view: "groups", group: filter.group })}>
            <Name text={filter.group.groupId} />
          </a>
          <button
            type="button"
            aria-label="Requests of all groups"
            onClick={() => narrow({ group: undefined })}
          >
            ✕
          </button>
        </span>
      )}
      <span class="gap" />
      <button
        type="button"
        aria-pressed={timeline}
        title="When each request began and ended"
        onClick={() => change({ timeline: !timeline })}
      >
        Timeline
      </button>
      {!isReport && (
        <>
          <a class="button" href={hashOf({ filter, timeline, sends: true })}>
            Send
          </a>
          <button
            type="button"
            class="pause"
            aria-pressed={paused !== undefined}
            onClick={() => store.pause(paused === undefined ? store.known.entries : undefined)}
          >
            {paused !== undefined ? `Resume (${newCount} new)` : "Pause"}
          </button>
          <ConfirmButton
            label="Clear"
            question="Sure?"
            title="Delete all requests from the journal; groups, faults and assumptions stay"
            act={() => store.act(() => admin("clearRequests", {}))}
          />
        </>
      )}
      {error !== undefined && (
        <p class="error" role="status">
          {error}
        </p>
      )}
    </search>
  );
}

function FilterHelp() {
  return (
    <>
      <button type="button" class="help" popovertarget="filter-help" aria-label="Help for the filter">
        ?
      </button>
      <div id="filter-help" class="help-text" popover="auto">
        <h2>Filter</h2>
        <dl>
          {filterHelp.map(([example, meaning]) => (
            <div key={example}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
