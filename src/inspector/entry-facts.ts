import type { GroupDetail, JournalEntry, UserGroup } from "../contract/types.js";
import { fieldOf } from "../foundation/json.js";

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
  readonly created: boolean;
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

function extractFacts({ request, response, notes }: JournalEntry): EntryFacts {
  const answered = fieldOf(response?.body, "user_group") as Partial<UserGroup> | undefined;
  const asked = fieldOf(request.body, "user_group_id");
  const sentToken = fieldOf(request.body, "current_token");
  const error = fieldOf(response?.body, "error");
  const message = fieldOf(error, "message") ?? fieldOf(response?.body, "message");
  const causes = [...notes];
  if (typeof message === "string" && !notes.some((note) => message.includes(note))) causes.push(message);
  return {
    groupId:
      text(answered?.provided_id) ??
      (asked === undefined ? undefined : (text(asked) ?? JSON.stringify(asked))),
    teamId: answered?.team_id,
    tokens: [sentToken, answered?.token].filter((token) => typeof token === "string"),
    causes,
    code: text(fieldOf(error, "code")),
    created: fieldOf(response?.body, "new_user_group") === true,
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

/** Maps current and earlier tokens to their groups: a failed rotate call only has a token. */
export function groupsByToken(
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
  byToken: ReadonlyMap<string, GroupKey>,
  teams: ReadonlyMap<string, number>,
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
