import { useMemo } from "preact/hooks";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { shortValue } from "../report/fault-name.js";
import { CopyButton } from "./copy-button.js";
import { type LifeStep, lifeOf } from "./group-life.js";
import { Life } from "./life.js";
import { groupKey } from "./request-facts.js";
import type { Shown } from "./shown-test.js";
import { LongText, useFirst } from "./shown-text.js";

interface ShownGroup {
  readonly group: GroupDetail;
  readonly steps: readonly LifeStep[];
}

/** The groups of the world, those of the latest requests first. */
export function GroupsView({ shown }: { readonly shown: Shown }) {
  const { groups } = shown.world ?? {};
  const { entries, dropped } = shown;
  const rows = useMemo(() => {
    const byGroup = new Map<string, JournalEntry[]>();
    for (const entry of entries) {
      if (entry.group === undefined) continue;
      const key = groupKey(entry.group);
      const ofGroup = byGroup.get(key) ?? [];
      ofGroup.push(entry);
      byGroup.set(key, ofGroup);
    }
    const found = (groups ?? []).map((group): ShownGroup => {
      return { group, steps: lifeOf(group, byGroup.get(groupKey(group)) ?? []) };
    });
    return found.sort((a, b) => lastId(b) - lastId(a));
  }, [groups, entries]);
  const { first, others } = useFirst(rows, "group");
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
              <th scope="col">Life</th>
            </tr>
          </thead>
          <tbody>
            {first.map((row) => (
              <GroupRow key={groupKey(row.group)} {...row} isWholeLife={dropped === 0} />
            ))}
          </tbody>
        </table>
        {others}
      </div>
    </section>
  );
}

function lastId({ steps }: ShownGroup): number {
  return steps.at(-1)?.entry.id ?? 0;
}

interface GroupRowProps extends ShownGroup {
  /** Whether the journal has all requests. */
  readonly isWholeLife: boolean;
}

function GroupRow({ group, steps, isWholeLife }: GroupRowProps) {
  const { team_id, provided_id, name, token, seeded, rotations, ...others } = group;
  const extra = Object.entries(others).filter(([, value]) => !["{}", '""'].includes(JSON.stringify(value)));
  const isCreated = steps.some(({ entry }) => entry.effect === "created");
  const origin = seeded ? "in the seed" : "added by a test";
  return (
    <tr>
      <th scope="row">
        <LongText text={provided_id || '""'} />
        <small>team {team_id}</small>
      </th>
      <td>
        <LongText text={name} />
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
        <code title={token}>{shortValue(token)}</code> <CopyButton text={token} what="the token" />
      </td>
      <td>
        <Life steps={steps} origin={isCreated || !(seeded || isWholeLife) ? undefined : origin} />
      </td>
    </tr>
  );
}
