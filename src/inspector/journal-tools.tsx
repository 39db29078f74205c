import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { operationIds } from "../contract/operations.js";
import type { JournalEntry } from "../contract/types.js";
import { admin } from "./admin-api.js";
import { ConfirmButton } from "./buttons.js";
import { download } from "./download.js";
import { isReport } from "./embedded-report.js";
import type { Filter } from "./journal-filter.js";
import type { LiveWorld } from "./live-world.js";
import { worldName } from "./place.js";
import { go, hashOf } from "./route.js";
import { SearchField } from "./search-field.js";
import { count } from "./words.js";

interface JournalToolsProps {
  readonly live: LiveWorld;
  readonly entries: readonly JournalEntry[];
  readonly filter: Filter;
  readonly search: RefObject<HTMLInputElement | null>;
  /** The earlier epoch that is shown. */
  readonly epoch: number | undefined;
  readonly isPaused: boolean;
  /** Number of calls since the pause. */
  readonly fresh: number;
  readonly pause: () => void;
  readonly change: (changed: Partial<Filter>) => void;
}

const outcomes = ["success", "failure", "fault", "pending"] as const;

export function JournalTools(props: JournalToolsProps) {
  const { live, entries, filter, search, epoch, isPaused, fresh, pause, change } = props;
  const counts = useMemo(() => {
    const counted = { success: 0, failure: 0, fault: 0, pending: 0 };
    for (const { outcome } of entries) counted[outcome]++;
    return counted;
  }, [entries]);
  return (
    <search class="tools">
      <SearchField
        label="Filter calls"
        placeholder="Filter: id, token, message, header …"
        value={filter.text}
        field={search}
        change={(text) => change({ text })}
      />
      {live.known.history.length > 0 && (
        <select
          aria-label="Journal"
          value={epoch === undefined ? "" : String(epoch)}
          onChange={({ currentTarget: { value } }) =>
            go({ epoch: value === "" ? undefined : Number(value), filter })
          }
        >
          <option value="">since the last reset</option>
          {live.known.history.map(({ n, label, requests, failures }) => (
            <option key={n} value={n}>
              {`${n}: ${label ?? "without a label"} (${count(requests, "call")}, ${failures} failed)`}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="Operation"
        value={filter.operation}
        onChange={({ currentTarget }) => change({ operation: currentTarget.value })}
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
              onChange={() => change({ outcome })}
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
          calls of <a href={hashOf({ view: "groups", group: filter.group })}>{filter.group.groupId}</a>
          <button type="button" aria-label="Calls of all groups" onClick={() => change({ group: undefined })}>
            ✕
          </button>
        </span>
      )}
      <span class="gap" />
      {!isReport && (
        <>
          <button type="button" class="pause" aria-pressed={isPaused} onClick={pause}>
            {isPaused ? `Resume (${fresh} new)` : "Pause"}
          </button>
          <button
            type="button"
            title="Download the journal as an HTTP Archive, for browser dev tools and other programs"
            onClick={() =>
              live.act(async () => download(`usergroup-mock-${worldName}.har`, await admin("exportHar", {})))
            }
          >
            Download HAR
          </button>
          <ConfirmButton
            label="Clear"
            question="Sure?"
            title="Delete all calls from the journal; groups, faults and assumptions stay"
            act={() => live.act(() => admin("clearRequests", {}))}
          />
        </>
      )}
    </search>
  );
}
