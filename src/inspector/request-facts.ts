import { fieldOf } from "../foundation/json.js";
import type { GroupName, JournalEntry } from "../generated/types.js";

/** Two teams can have groups with the same id. */
export function groupKey({ team_id, provided_id }: GroupName): string {
  return `${team_id} ${provided_id}`;
}

/**
 * Token → the request that issued it.
 * @param entries newest first
 */
export function findIssuers(entries: readonly JournalEntry[]): ReadonlyMap<string, number> {
  const issuers = new Map<string, number>();
  for (const entry of entries) {
    const { token } = tokensOf(entry);
    const isNew = entry.effect !== "none" && entry.effect !== "found";
    if (token !== undefined && isNew) issuers.set(token, entry.id);
  }
  return issuers;
}

/** The tokens that went over the wire with a request, by the name of their field. */
export function tokensOf({
  request,
  response,
}: JournalEntry): Partial<Record<"current_token" | "token", string>> {
  const sent = fieldOf(request.body, "current_token");
  const returned = fieldOf(fieldOf(response?.body, "user_group"), "token");
  return {
    ...(typeof sent === "string" && { current_token: sent }),
    ...(typeof returned === "string" && { token: returned }),
  };
}
