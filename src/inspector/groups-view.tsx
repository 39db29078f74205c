import { useMemo, useState } from "preact/hooks";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { CopyButton } from "./copy-button.js";
import { tookEffect } from "./request-facts.js";
import { RequestLink } from "./request-links.js";
import { SearchField } from "./search-field.js";
import { Name } from "./shown-text.js";
import type { Shown } from "./state.js";
import { useStore } from "./store.js";
import { count, hasWords } from "./words.js";

/** Rows shown at first, and added by each “Show more”. */
const pageSize = 200;
/** Changes that are listed for a group, the newest. */
const maxChanges = 3;

/** The groups of the world, those that a test has used first. */
export function GroupsView({ shown }: { readonly shown: Shown }) {
  const groups = shown.world?.groups ?? [];
  const { entries, groups: groupOfEntry } = useStore().derived;
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(pageSize);
  const rows = useMemo(() => {
    const requests = new Map<string, JournalEntry[]>();
    for (const entry of entries) {
      const key = groupOfEntry.get(entry.id);
      if (key === undefined) continue;
      const text = keyText(key.team, key.id);
      const own = requests.get(text);
      if (own === undefined) requests.set(text, [entry]);
      else own.push(entry);
    }
    return groups
      .map((group) => ({ group, own: requests.get(keyText(group.team_id, group.provided_id)) ?? [] }))
      .sort((a, b) => lastUse(b.own) - lastUse(a.own) || Number(a.group.seeded) - Number(b.group.seeded));
  }, [groups, entries, groupOfEntry]);
  const found =
    search.trim() === "" ? rows : rows.filter(({ group }) => hasWords(JSON.stringify(group), search));
  return (
    <section class="view" aria-label="Groups">
      <search>
        <SearchField label="Search groups" value={search} isMain change={setSearch} />
      </search>
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
            {found.slice(0, limit).map(({ group, own }) => (
              <GroupRow key={keyText(group.team_id, group.provided_id)} group={group} own={own} />
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p class="none">No group matches.</p>}
        {found.length > limit && (
          <button type="button" onClick={() => setLimit(limit + pageSize)}>
            Show more of {count(found.length, "group")}
          </button>
        )}
      </div>
    </section>
  );
}

function keyText(team: number | undefined, id: string): string {
  return `${team} ${id}`;
}

function lastUse(own: readonly JournalEntry[]): number {
  return own.at(-1)?.id ?? 0;
}

function GroupRow({ group, own }: { readonly group: GroupDetail; readonly own: readonly JournalEntry[] }) {
  const { team_id, provided_id, name, token, seeded, rotations, ...others } = group;
  const extra = Object.entries(others).filter(([, value]) => Object.keys(value).length > 0);
  const changes = own.filter(tookEffect);
  const origin = changes.some(({ effect }) => effect === "created")
    ? undefined
    : seeded
      ? "in the seed"
      : "added by a test";
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
            {field} <code>{JSON.stringify(value)}</code>
          </small>
        ))}
      </td>
      <td class="token">
        <code title={token}>{token.slice(0, 8)}…</code> <CopyButton text={token} what="the token" />
      </td>
      <td>
        <ul class="steps">
          {origin !== undefined && <li>{origin}</li>}
          {changes.slice(-maxChanges).map(({ id, effect }) => (
            <li key={id}>
              {effect} <RequestLink id={id} />
            </li>
          ))}
          {changes.length === 0 && rotations > 0 && <li>rotated {count(rotations, "time")}</li>}
        </ul>
      </td>
    </tr>
  );
}
