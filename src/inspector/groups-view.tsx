import { useMemo } from "preact/hooks";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { groupKey, tookEffect } from "./request-facts.js";
import type { Shown } from "./shown-test.js";
import { LongText, Name, RequestLink } from "./shown-text.js";
import { shorten } from "./words.js";

/** More rows would make the page slow. */
const maxRows = 500;
/** Changes that are listed for a group, the newest. */
const maxChanges = 3;

/** The groups of the world, those that a test has changed first. */
export function GroupsView({ shown }: { readonly shown: Shown }) {
  const { groups } = shown.world ?? {};
  const { entries } = shown;
  const rows = useMemo(() => {
    const changes = new Map<string, JournalEntry[]>();
    for (const entry of entries) {
      if (entry.group === undefined || !tookEffect(entry)) continue;
      const key = groupKey(entry.group);
      changes.set(key, [...(changes.get(key) ?? []), entry]);
    }
    return (groups ?? [])
      .map((group) => ({ group, changes: changes.get(groupKey(group)) ?? [] }))
      .sort((a, b) => (b.changes[0]?.id ?? 0) - (a.changes[0]?.id ?? 0));
  }, [groups, entries]);
  if (groups === undefined) return null;
  return (
    <section class="view" aria-label="Groups">
      <div class="scroll">
        <table class="groups">
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col">Name</th>
              <th scope="col">Token</th>
              <th scope="col">What changed</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map((row) => (
              <GroupRow key={groupKey(row.group)} {...row} />
            ))}
          </tbody>
        </table>
        {rows.length > maxRows && (
          <p class="none">
            {maxRows} of {rows.length.toLocaleString("en")} groups. GET /__admin/groups lists all.
          </p>
        )}
      </div>
    </section>
  );
}

interface GroupRowProps {
  readonly group: GroupDetail;
  /** Newest first. */
  readonly changes: readonly JournalEntry[];
}

function GroupRow({ group, changes }: GroupRowProps) {
  const { team_id, provided_id, name, token, seeded, rotations, ...others } = group;
  const extra = Object.entries(others).filter(([, value]) => !["{}", '""'].includes(JSON.stringify(value)));
  const isCreated = changes.some(({ effect }) => effect === "created");
  return (
    <tr>
      <th scope="row">
        <Name text={provided_id} />
        <small>team {team_id}</small>
      </th>
      <td>
        <Name text={name} />
        {extra.map(([field, value]) => (
          <small key={field}>
            {field}{" "}
            <code>
              <LongText text={JSON.stringify(value)} />
            </code>
          </small>
        ))}
      </td>
      <td class="token">
        <code title={token}>{shorten(token)}</code> <CopyButton text={token} what="the token" />
      </td>
      <td>
        <ul class="steps">
          {!isCreated && <li>{seeded ? "in the seed" : "added by a test"}</li>}
          {changes
            .slice(0, maxChanges)
            .reverse()
            .map(({ id, effect }) => (
              <li key={id}>
                {effect} <RequestLink id={id} />
              </li>
            ))}
        </ul>
      </td>
    </tr>
  );
}
