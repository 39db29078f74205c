import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isObject } from "../foundation/json.js";
import type { GroupDetail } from "../generated/types.js";
import { CopyButton } from "./buttons.js";
import type { Lookups } from "./entry-facts.js";
import { columnTitle, type GroupField, groupColumns } from "./group-columns.js";
import { lifecycleOf } from "./group-lifecycle.js";
import { JsonText } from "./json-text.js";
import { LifecycleSteps } from "./lifecycle-steps.js";
import { hashOf, noFilter } from "./route.js";
import { Name } from "./shown-text.js";
import { count } from "./texts.js";
import type { WorldStore } from "./world-store.js";

export function keyOf(teamId: number, groupId: string): string {
  return `${teamId} ${groupId}`;
}

interface GroupRowProps {
  readonly store: WorldStore;
  readonly group: GroupDetail;
  readonly requestCount: number;
  readonly isOpen: boolean;
  readonly search: string;
  readonly lookups: Lookups;
}

export function GroupRow({ store, group, requestCount, isOpen, search, lookups }: GroupRowProps) {
  const { team_id, provided_id, seeded } = group;
  const key = { teamId: team_id, groupId: provided_id };
  /** Cells that are not plain values. */
  const special: Partial<Record<GroupField, ComponentChildren>> = {
    token: <Token store={store} group={group} />,
    seeded: <span class={seeded ? "tag plain" : "tag"}>{seeded ? "seeded" : "created"}</span>,
  };
  return (
    <>
      <tr class={isOpen ? "open" : undefined}>
        <th scope="row">
          <a
            href={hashOf({ view: "groups", search, group: isOpen ? undefined : key })}
            aria-expanded={isOpen}
          >
            {provided_id === "" ? "(empty)" : <Name text={provided_id} />}
          </a>
        </th>
        {groupColumns.slice(1).map((field) => (
          <td key={field} data-label={columnTitle(field)} class={cellClass(field, group[field])}>
            {special[field] ?? <Value value={group[field]} />}
          </td>
        ))}
        <td data-label="Requests">
          {requestCount === 0 ? (
            <span class="none">none</span>
          ) : (
            <a href={hashOf({ filter: { ...noFilter, group: key } })}>{count(requestCount, "request")}</a>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="more">
          <td colSpan={groupColumns.length + 1}>
            <h2>Lifecycle</h2>
            <LifecycleSteps
              steps={lifecycleOf(key, store.known.groups, store.known.entries, lookups)}
              epoch={store.known.epoch}
            />
            <div class="sides">
              {groupColumns
                .filter((field) => isObject(group[field]))
                .map((field) => (
                  <section key={field}>
                    <h2>{columnTitle(field)}</h2>
                    <JsonText
                      sent={JSON.stringify(group[field])}
                      label={`${columnTitle(field)} of ${provided_id}`}
                    />
                  </section>
                ))}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

function cellClass(field: GroupField, value: unknown): string | undefined {
  if (field === "token") return "token";
  if (typeof value === "number") return "number";
  return isObject(value) ? "brief" : undefined;
}

function Token({ store, group }: { readonly store: WorldStore; readonly group: GroupDetail }) {
  const { token, provided_id } = group;
  const [isShown, setShown] = useState(false);
  return (
    <>
      <code class={isShown ? "shown" : undefined}>{isShown ? token : "••••••••"}</code>
      <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? "Hide" : "Show"}
        <span class="off-screen"> the token of {provided_id}</span>
      </button>
      <CopyButton store={store} text={token} what={`the token of ${provided_id}`} />
    </>
  );
}

/** A value on one line. `Name` truncates long ones. */
function Value({ value }: { readonly value: unknown }) {
  if (!isObject(value)) return <Name text={String(value)} />;
  const all = Object.entries(value);
  if (all.length === 0) return <span class="none">none</span>;
  const parts = all.map(([key, item]) => `${key}: ${typeof item === "string" ? item : JSON.stringify(item)}`);
  return <Name text={parts.join(", ")} />;
}
