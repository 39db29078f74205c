import type { RotateRequest } from "../../generated/types.js";
import type { AssumptionValues } from "../contract/assumptions.js";
import type { FailureKind } from "../contract/failures.js";
import { showGroup } from "../contract/group-fields.js";
import type { GroupStore } from "./group-store.js";
import type { OperationContext, Performed, Rejection } from "./result.js";

/** Gives the group that `current_token` names another token. */
export function rotate(
  groups: GroupStore,
  { current_token }: RotateRequest,
  { teamId, request, decisions, lostBy, issuedEarlier }: OperationContext,
): Performed<"rotate"> | Rejection {
  const held = groups.withToken(current_token);
  if (held === undefined) {
    const team = groups.seed.apiTokens.get(current_token);
    const kind = groups.isWellFormed(current_token) ? "unknown" : "malformed";
    if (team !== undefined) return unknownToken(kind, `is the API token of team ${team}`, sendAsHeader);
    if (issuedEarlier(current_token))
      return unknownToken(kind, "was issued before the last reset", lookUpAdvice);
    return unknownToken(kind, "belongs to no group of this team", useLatest);
  }
  const { group, rotatedOutBy, isPrevious } = held;
  if (group.team_id !== teamId && decisions.decide("foreign-token") === "rejected")
    return unknownToken("foreign", "belongs to a group of another team", useLatest);
  if (rotatedOutBy !== undefined && !acceptsOld(decisions.decide("old-token"), isPrevious)) {
    const lost = lostBy(rotatedOutBy);
    const why = `was rotated out by request ${rotatedOutBy}${lost === undefined ? "" : `, whose response ${lost}`}`;
    const advice = lost === undefined ? useLatest : lookUpAdvice;
    return unknownToken("rotated", why, advice, rotatedOutBy);
  }
  const isSame = decisions.decide("rotated-token") === "same";
  const after = isSame ? group : groups.rotate(group, request);
  const body = { success: 1, user_group: showGroup(after) } as const;
  return { name: "rotated", effect: isSame ? "found" : "rotated", group: after, body };
}

function acceptsOld(value: AssumptionValues["old-token"], isPrevious: boolean): boolean {
  return value === "accepted" || (value === "previous" && isPrevious);
}

const useLatest = "Use the group's latest token.";

const lookUpAdvice = "Look the group up to get its new token.";

const sendAsHeader =
  "Send it as Authorization: Token <api token>, and the token of a user group as current_token.";

function unknownToken(
  kind: FailureKind<"unknown_token">,
  why: string,
  advice: string,
  request?: number,
): Rejection {
  return { code: "unknown_token", kind, message: `The current_token ${why}. ${advice}`, request };
}
