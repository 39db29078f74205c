import { fieldOf } from "../foundation/json.js";
import type { Cause, GroupDetail, JournalEntry } from "../generated/types.js";

/** How a request ended, from its cause. "aborted": the connection, the world or the mock ended before the response. */
export type Kind = "ok" | "rejected" | "fault" | "waiting" | "aborted";

export function kindOf({ outcome, cause }: Pick<JournalEntry, "outcome" | "cause">): Kind {
  if (outcome === "pending") return "waiting";
  return cause === null ? "ok" : kindOfCause(cause);
}

function kindOfCause({ code }: Cause): Kind {
  switch (code) {
    case "fault":
    case "injected":
      return "fault";
    case "caller-left":
    case "reset":
    case "stopped":
      return "aborted";
    default:
      return "rejected";
  }
}

/** Remarks about what the client sent. A fault that let the request through has added the last note. */
export function remarksOf({ notes, fault }: Pick<JournalEntry, "notes" | "fault">): readonly string[] {
  return fault === null ? notes : notes.slice(0, -1);
}

/** Whether the request changed something. */
export function tookEffect({ effect }: Pick<JournalEntry, "effect">): boolean {
  return effect !== "none" && effect !== "found";
}

/** Two teams can have groups with the same id. */
export interface GroupKey {
  readonly team: number | undefined;
  readonly id: string;
}

export function sameGroup(a: GroupKey | undefined, b: GroupKey | undefined): boolean {
  return a !== undefined && a.id === b?.id && a.team === b.team;
}

/** What an entry itself shows of its group. */
interface GroupFacts {
  readonly id: string | undefined;
  readonly team: number | undefined;
  readonly tokens: readonly string[];
  readonly sender: string | undefined;
}

function factsOf({ request, response }: JournalEntry): GroupFacts {
  const returned = fieldOf(response?.body, "user_group");
  const sentId = fieldOf(request.body, "user_group_id");
  const team = fieldOf(returned, "team_id");
  const tokens = [fieldOf(request.body, "current_token"), fieldOf(returned, "token")];
  return {
    id: [fieldOf(returned, "provided_id"), sentId].find((id) => typeof id === "string"),
    team: typeof team === "number" ? team : undefined,
    tokens: tokens.filter((token) => typeof token === "string"),
    sender: request.headers.authorization,
  };
}

/**
 * Token → the request that issued it.
 * @param entries oldest first
 */
export function findIssuers(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const issuers = new Map<string, number>();
  for (const entry of entries) {
    const token = returnedToken(entry);
    if (token !== undefined && tookEffect(entry) && !issuers.has(token)) issuers.set(token, entry.id);
  }
  return issuers;
}

/** The tokens that went over the wire with a request, by the name of their field. */
export function tokensOf(entry: JournalEntry): readonly (readonly [field: string, token: string])[] {
  const sent = fieldOf(entry.request.body, "current_token");
  const returned = returnedToken(entry);
  return [
    ...(typeof sent === "string" ? [["current_token", sent] as const] : []),
    ...(returned === undefined ? [] : [["token", returned] as const]),
  ];
}

function returnedToken({ response }: JournalEntry): string | undefined {
  const token = fieldOf(fieldOf(response?.body, "user_group"), "token");
  return typeof token === "string" ? token : undefined;
}

/**
 * The group of each entry, as far as it is known: a rotation that failed has only a token, and a request that a fault
 * stopped has no team.
 */
export function findGroups(
  entries: readonly JournalEntry[],
  groups: readonly GroupDetail[],
): ReadonlyMap<number, GroupKey> {
  const byToken = new Map<string, GroupKey>();
  const teamOfSender = new Map<string | undefined, number>();
  const teamsOfId = new Map<string, Set<number>>();
  const learn = (team: number, id: string, tokens: readonly string[]) => {
    for (const token of tokens) byToken.set(token, { team, id });
    teamsOfId.set(id, (teamsOfId.get(id) ?? new Set()).add(team));
  };
  for (const { team_id, provided_id, token } of groups) learn(team_id, provided_id, [token]);
  for (const entry of entries) {
    const { id, team, tokens, sender } = factsOf(entry);
    if (id === undefined || team === undefined) continue;
    learn(team, id, tokens);
    teamOfSender.set(sender, team);
  }
  const found = new Map<number, GroupKey>();
  for (const entry of entries) {
    const { id, team, tokens, sender } = factsOf(entry);
    const named = tokens.map((token) => byToken.get(token)).find((key) => key !== undefined);
    if (id === undefined) {
      // A stale token belongs to the group of the request that rotated it out.
      const group = named ?? found.get(entry.cause?.request ?? 0);
      if (group !== undefined) found.set(entry.id, group);
      continue;
    }
    const [only, ...others] = teamsOfId.get(id) ?? [];
    found.set(entry.id, {
      id,
      team: team ?? teamOfSender.get(sender) ?? (others.length === 0 ? only : undefined),
    });
  }
  return found;
}
