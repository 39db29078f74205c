import type { RefObject } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GroupDetail, JournalEntry } from "../generated/types.js";
import { admin } from "./admin-api.js";
import { download } from "./download.js";
import { groupOfEntry, type Lookups, lookupsOf } from "./entry-facts.js";
import { columnTitle, groupColumns } from "./group-columns.js";
import { GroupRow, keyOf } from "./group-row.js";
import { go, hashOf, type Route } from "./route.js";
import { hasWords, SearchField } from "./search-field.js";
import { Name } from "./shown-text.js";
import { count } from "./texts.js";
import { worldName } from "./urls.js";
import type { WorldStore } from "./world-store.js";

interface GroupsViewProps {
  readonly store: WorldStore;
  readonly route: Route;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** Rows shown at first, and rows added by each “Show more”. */
const pageSize = 200;

export function GroupsView({ store, route, search }: GroupsViewProps) {
  const { groups, teams, entries, loaded } = store.known;
  const [limit, setLimit] = useState(pageSize);
  const shown = useMemo(() => filterGroups(groups, route.search), [groups, route.search]);
  const lookups = useMemo(() => lookupsOf(entries, { groups, teams }), [groups, teams, entries]);
  const counts = useMemo(() => requestCounts(entries, lookups), [entries, lookups]);
  useEffect(() => store.watchGroups(), [store]);
  const { group } = route;
  const openKey = group && keyOf(group.teamId, group.groupId);
  const index = shown.findIndex(({ team_id, provided_id }) => keyOf(team_id, provided_id) === openKey);
  const isShown = index >= 0;
  useEffect(() => {
    if (isShown) document.querySelector("tr.open")?.scrollIntoView({ block: "center" });
  }, [openKey, isShown]);
  return (
    <div class="view">
      <search class="tools">
        <SearchField
          label="Search groups"
          placeholder="Search: id, name, token, mapping …"
          value={route.search}
          field={search}
          change={(text) => go({ view: "groups", group, search: text }, true)}
        />
        <span class="found" role="status">
          {route.search === "" ? count(groups.length, "group") : `${shown.length} of ${groups.length}`}
        </span>
        <span class="gap" />
        <button
          type="button"
          title="Download the teams and groups of this world as a file for --fixtures"
          onClick={() => store.act(exportFixture)}
        >
          Export as fixture
        </button>
      </search>
      <div class="scroll">
        {loaded && group !== undefined && !isShown && (
          <p class="missing" role="status">
            {groups.some((one) => keyOf(one.team_id, one.provided_id) === openKey) ? (
              <>
                The group <Name text={group.groupId} /> of team {group.teamId} does not match the search.
              </>
            ) : (
              <>
                Team {group.teamId} has no group <Name text={group.groupId} /> in this world.
              </>
            )}{" "}
            <a href={hashOf({ view: "groups" })}>Show all groups</a>
          </p>
        )}
        {shown.length > 0 ? (
          <table class="groups">
            <thead>
              <tr>
                {groupColumns.map((field) => (
                  <th key={field} scope="col">
                    {columnTitle(field)}
                  </th>
                ))}
                <th scope="col">Requests</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, Math.max(limit, index + 1)).map((shownGroup) => {
                const key = keyOf(shownGroup.team_id, shownGroup.provided_id);
                return (
                  <GroupRow
                    key={key}
                    store={store}
                    group={shownGroup}
                    requestCount={counts.get(key) ?? 0}
                    isOpen={key === openKey}
                    search={route.search}
                    lookups={lookups}
                  />
                );
              })}
            </tbody>
          </table>
        ) : (
          loaded && (
            <div class="empty">
              <h2>{groups.length === 0 ? "This world has no groups" : "No group matches"}</h2>
            </div>
          )
        )}
        {shown.length > limit && (
          <button type="button" class="more" onClick={() => setLimit(limit + pageSize)}>
            Show more of {count(shown.length, "group")}
          </button>
        )}
      </div>
    </div>
  );
}

async function exportFixture(): Promise<void> {
  const $schema = "./node_modules/usergroup-mock/schemas/fixture.json";
  download(`${worldName}-groups.json`, { $schema, ...(await admin("exportState", {})) });
}

function filterGroups(groups: readonly GroupDetail[], search: string): readonly GroupDetail[] {
  return search.trim() === ""
    ? groups
    : groups.filter((group) => hasWords(JSON.stringify(Object.values(group)), search));
}

function requestCounts(entries: readonly JournalEntry[], lookups: Lookups): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const { groupId, teamId } = groupOfEntry(entry, lookups);
    if (groupId === undefined || teamId === undefined) continue;
    const key = keyOf(teamId, groupId);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
