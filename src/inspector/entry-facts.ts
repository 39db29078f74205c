import type { GroupDetail, JournalEntry, UserGroup } from "../contract/types.js";

/** What a list shows of an entry, and what the filters look at. */
export interface EntryFacts {
  /** The id of the group that was asked for or answered. */
  readonly groupId: string | undefined;
  readonly teamId: number | undefined;
  /** Tokens of groups that were sent or answered. */
  readonly tokens: readonly string[];
  /** Why it went as it went, in words. */
  readonly causes: readonly string[];
  /** The code of a failure. */
  readonly code: string | undefined;
  /** Whether the call created the group. */
  readonly created: boolean;
}

const known = new WeakMap<JournalEntry, EntryFacts>();

export function factsOf(entry: JournalEntry): EntryFacts {
  let facts = known.get(entry);
  if (facts === undefined) {
    facts = find(entry);
    known.set(entry, facts);
  }
  return facts;
}

function find({ request, response, notes }: JournalEntry): EntryFacts {
  const answered = field(response?.body, "user_group") as Partial<UserGroup> | undefined;
  const asked = field(request.body, "user_group_id");
  const sentToken = field(request.body, "current_token");
  const error = field(response?.body, "error");
  const message = field(error, "message") ?? field(response?.body, "message");
  const causes = [...notes];
  if (typeof message === "string" && !notes.some((note) => message.includes(note))) causes.push(message);
  return {
    groupId: text(answered?.provided_id) ?? (asked === undefined ? undefined : String(asked)),
    teamId: answered?.team_id,
    tokens: [sentToken, answered?.token].filter((token) => typeof token === "string"),
    causes,
    code: text(field(error, "code")),
    created: field(response?.body, "new_user_group") === true,
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** One of possibly several groups of the same id. */
export interface GroupKey {
  readonly teamId: number;
  readonly groupId: string;
}

/** Which group every token names that is or was one: a call that failed says only the token. */
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

/** The group of a call, as far as anything tells. */
export function groupOf(
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
