import { useState } from "preact/hooks";
import type { GroupDetail } from "../contract/types.js";
import { CopyButton } from "./buttons.js";
import { JsonText } from "./json-text.js";
import type { LiveWorld } from "./live-world.js";
import { hashOf, noFilter } from "./route.js";
import { count } from "./words.js";

export function keyOf(teamId: number, groupId: string): string {
  return `${teamId} ${groupId}`;
}

interface GroupRowProps {
  readonly live: LiveWorld;
  readonly group: GroupDetail;
  readonly calls: number;
  readonly isOpen: boolean;
  readonly search: string;
}

export function GroupRow({ live, group, calls, isOpen, search }: GroupRowProps) {
  const { team_id, provided_id, name, token, mapping, properties, seeded, rotations } = group;
  const [isShown, setShown] = useState(false);
  const key = { teamId: team_id, groupId: provided_id };
  const link = hashOf({ view: "groups", search, group: isOpen ? undefined : key });
  return (
    <>
      <tr class={isOpen ? "open" : undefined}>
        <th scope="row">
          <a href={link} aria-expanded={isOpen}>
            {provided_id || "(empty)"}
          </a>
        </th>
        <td data-label="Name">{name}</td>
        <td data-label="Team" class="number">
          {team_id}
        </td>
        <td data-label="Token" class="token">
          <code class={isShown ? "asked" : undefined}>{isShown ? token : "••••••••"}</code>
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide" : "Show"}
            <span class="off-screen"> the token of {provided_id}</span>
          </button>
          <CopyButton live={live} text={token} what={`the token of ${provided_id}`}>
            Copy<span class="off-screen"> the token of {provided_id}</span>
          </CopyButton>
        </td>
        <td data-label="Mapping" class="brief">
          <Brief value={mapping} />
        </td>
        <td data-label="Properties" class="brief">
          <Brief value={properties} />
        </td>
        <td data-label="Origin">
          <span class={seeded ? "tag plain" : "tag"}>{seeded ? "seeded" : "created"}</span>
        </td>
        <td data-label="Rotations" class="number">
          {rotations}
        </td>
        <td data-label="Calls">
          {calls === 0 ? (
            <span class="none">none</span>
          ) : (
            <a href={hashOf({ filter: { ...noFilter, group: key } })}>{count(calls, "call")}</a>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr class="more">
          <td colSpan={9}>
            <div class="sides">
              <section>
                <h2>Mapping</h2>
                <JsonText value={mapping} label={`Mapping of ${provided_id}`} />
              </section>
              <section>
                <h2>Properties</h2>
                <JsonText value={properties} label={`Properties of ${provided_id}`} />
              </section>
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** An object as a single line, cut off at 200 characters. */
function Brief({ value }: { readonly value: Readonly<Record<string, unknown>> }) {
  const all = Object.entries(value);
  if (all.length === 0) return <span class="none">none</span>;
  const parts = all.map(([key, item]) => `${key}: ${typeof item === "string" ? item : JSON.stringify(item)}`);
  return <span>{parts.join(", ").slice(0, 200)}</span>;
}
