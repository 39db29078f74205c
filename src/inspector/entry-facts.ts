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
  const returned = fieldOf(response?.body, "user_group") as Partial<UserGroup> | undefined;
  const sentId = fieldOf(request.body, "user_group_id");
  const sentToken = fieldOf(request.body, "current_token");
  return {
    groupId:
      text(returned?.provided_id) ??
      (sentId === undefined ? undefined : (text(sentId) ?? JSON.stringify(sentId))),
    teamId: returned?.team_id,
    tokens: [sentToken, returned?.token].filter((token) => typeof token === "string"),
    causes: entry.cause === null ? entry.notes : [entry.cause.message, ...entry.notes],
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

/** What is needed to find the group of an entry. */
export interface Lookups {
  /** Current and earlier tokens: a failed rotate request has only a token. */
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

/** The group of an entry, as far as it is known. */
export interface GroupOfEntry {
  readonly groupId: string | undefined;
  readonly teamId: number | undefined;
}

export function groupOfEntry(entry: JournalEntry, { byToken, teams }: Lookups): GroupOfEntry {
  const { groupId, teamId, tokens } = factsOf(entry);
  if (groupId !== undefined) return { groupId, teamId: teamId ?? teamOfCaller(entry, teams) };
  for (const token of tokens) {
    const group = byToken.get(token);
    if (group !== undefined) return group;
  }
  return { groupId: undefined, teamId: undefined };
}

function teamOfCaller({ request }: JournalEntry, teams: ReadonlyMap<string, number>): number | undefined {
  return teams.get((request.headers.authorization ?? "").replace(/^\S+ /, ""));
}
