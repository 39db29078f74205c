import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { operationIds } from "../contract/operations.js";
import type { JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { download } from "./download.js";
import { isReport } from "./embedded-report.js";
import { type Filter, filterFields } from "./journal-filter.js";
import { worldName } from "./place.js";
import { hashOf, type Route } from "./route.js";
import { SearchField } from "./search-field.js";
import { Name } from "./visible-text.js";
import type { WorldStore } from "./world-store.js";

interface JournalToolsProps {
  readonly store: WorldStore;
  readonly entries: readonly JournalEntry[];
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Number of calls since the pause. */
  readonly fresh: number;
  readonly change: (changed: Partial<Route>) => void;
}

const outcomes = ["success", "failure", "fault", "pending"] as const;

export function JournalTools({ store, entries, route, search, fresh, change }: JournalToolsProps) {
  const { filter, timeline } = route;
  const { paused } = store.known;
  const narrow = (changed: Partial<Filter>) => change({ filter: { ...filter, ...changed } });
  const counts = useMemo(() => {
    const counted = { success: 0, failure: 0, fault: 0, pending: 0 };
    for (const { outcome } of entries) counted[outcome]++;
    return counted;
  }, [entries]);
  return (
    <search class="tools">
      <SearchField
        label="Filter requests"
        placeholder="Filter: acme status:404 -outcome:success"
        help={`Words that a request must have. Fields: ${filterFields.join(", ")}. A minus before a word or a field means: without.`}
        value={filter.text}
        field={search}
        change={(text) => narrow({ text })}
      />
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
        {["", ...outcomes].map((outcome) => (
          <label key={outcome} class={outcome}>
            <input
              type="radio"
              name="outcome"
              checked={filter.outcome === outcome}
              onChange={() => narrow({ outcome })}
            />
            <span>
              {outcome || "all"}{" "}
              <b>{outcome === "" ? entries.length : counts[outcome as (typeof outcomes)[number]]}</b>
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
            {paused !== undefined ? `Resume (${fresh} new)` : "Pause"}
          </button>
          <button
            type="button"
            title="Download the journal as an HTTP Archive, for browser dev tools and other programs"
            onClick={() =>
              store.act(async () => download(`usergroup-mock-${worldName}.har`, await admin("exportHar", {})))
            }
          >
            Download HAR
          </button>
          <ConfirmButton
            label="Clear"
            question="Sure?"
            title="Delete all requests from the journal; groups, faults and assumptions stay"
            act={() => store.act(() => admin("clearRequests", {}))}
          />
        </>
      )}
    </search>
  );
}
