import { causesOf, codeOf } from "../contract/why.js";
import { fieldOf } from "../foundation/json.js";
import type { FixtureTeam, GroupDetail, JournalEntry, UserGroup } from "../generated/types.js";

/** Facts of an entry for the list and the filters. */
export interface EntryFacts {
  /** The id of the group in the response or the request. */
  readonly groupId: string | undefined;
  readonly teamId: number | undefined;
  /** Group tokens in the request and the response. */
  readonly tokens: readonly string[];
  /** Notes and error messages that explain the outcome. */
  readonly causes: readonly string[];
  /** The error code of a failure. */
  readonly code: string | undefined;
}

const cache = new WeakMap<JournalEntry, EntryFacts>();

export function factsOf(entry: JournalEntry): EntryFacts {
  let facts = cache.get(entry);
  if (facts === undefined) {
    facts = extractFacts(entry);
    cache.set(entry, facts);
  }
  return facts;
}

function extractFacts(entry: JournalEntry): EntryFacts {
  const { request, response } = entry;
  const answered = fieldOf(response?.body, "user_group") as Partial<UserGroup> | undefined;
  const asked = fieldOf(request.body, "user_group_id");
  const sentToken = fieldOf(request.body, "current_token");
  return {
    groupId:
      text(answered?.provided_id) ??
      (asked === undefined ? undefined : (text(asked) ?? JSON.stringify(asked))),
    teamId: answered?.team_id,
    tokens: [sentToken, answered?.token].filter((token) => typeof token === "string"),
    causes: causesOf(entry),
    code: codeOf(entry),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Two teams can have groups with the same id. */
export interface GroupKey {
  readonly teamId: number;
  readonly groupId: string;
}

/** What tells the group of a call. */
export interface Lookups {
  /** Current and earlier tokens: a failed rotate call only has a token. */
  readonly byToken: ReadonlyMap<string, GroupKey>;
  /** The team of every API token. */
  readonly teams: ReadonlyMap<string, number>;
}

export function lookupsOf(
  entries: readonly JournalEntry[],
  { groups, teams }: { readonly groups: readonly GroupDetail[]; readonly teams: readonly FixtureTeam[] },
): Lookups {
  return {
    byToken: groupsByToken(entries, groups),
    teams: new Map(
      teams.flatMap(({ team_id, api_tokens }) =>
        api_tokens.map((token): [string, number] => [token, team_id]),
      ),
    ),
  };
}

function groupsByToken(
  entries: readonly JournalEntry[],
  groups: readonly GroupDetail[],
): ReadonlyMap<string, GroupKey> {
  const byToken = new Map<string, GroupKey>();
  for (const { team_id, provided_id, token } of groups) {
    byToken.set(token, { teamId: team_id, groupId: provided_id });
  }
  for (const entry of entries) {
    const { groupId, teamId, tokens } = factsOf(entry);
    if (groupId === undefined || teamId === undefined) continue;
    for (const token of tokens) byToken.set(token, { teamId, groupId });
  }
  return byToken;
}

/** The group of a call, as far as it is known. */
export function groupOfEntry(
  entry: JournalEntry,
  { byToken, teams }: Lookups,
): { groupId: string | undefined; teamId: number | undefined } {
  const { groupId, teamId, tokens } = factsOf(entry);
  if (groupId !== undefined) return { groupId, teamId: teamId ?? callerOf(entry, teams) };
  for (const token of tokens) {
    const group = byToken.get(token);
    if (group !== undefined) return group;
  }
  return { groupId: undefined, teamId: undefined };
}

function callerOf({ request }: JournalEntry, teams: ReadonlyMap<string, number>): number | undefined {
  return teams.get((request.headers.authorization ?? "").replace(/^\S+ /, ""));
}
