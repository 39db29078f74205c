import type { RotateRequest } from "../../generated/types.js";
import { type Group, showGroup } from "../contract/group-fields.js";
import type { SituationId } from "../contract/situations.js";
import type { GroupStore } from "./group-store.js";
import { isRejection, type Performed, type Rejection, type RequestContext, rejectIn } from "./result.js";

/** Gives the group that `current_token` names another token. */
export function rotate(
  groups: GroupStore,
  teamId: number,
  { current_token }: RotateRequest,
  context: RequestContext,
): Performed<"rotate"> | Rejection {
  const group = groupOfToken(groups, teamId, current_token, context);
  if (isRejection(group)) return group;
  const isSame = context.decisions.outcome("rotated token") === "same";
  const after = isSame ? group : groups.rotate(group, context.id);
  const body = { success: 1, user_group: showGroup(after) } as const;
  return { situation: "rotated", effect: isSame ? "found" : "rotated", group: after, body };
}

/** The group that a token names, or why the token is rejected. */
function groupOfToken(
  groups: GroupStore,
  teamId: number,
  token: string,
  context: RequestContext,
): Group | Rejection {
  const { decisions } = context;
  const held = groups.withToken(token);
  if (held === undefined) return unknownToken(groups, token, context);
  const { group, rotatedOutBy, isPrevious } = held;
  if (group.team_id !== teamId && decisions.outcome("current_token: of the other team") === "rejected")
    return rejectToken("current_token: of the other team", "belongs to a group of another team", useItsTeam);
  if (rotatedOutBy !== undefined) {
    const situation = isPrevious ? "current_token: previous" : "current_token: older";
    if (decisions.outcome(situation) === "rejected") return staleToken(situation, rotatedOutBy, context);
  }
  return group;
}

/** No group has or had the token. */
function unknownToken(groups: GroupStore, token: string, context: RequestContext): Rejection {
  const { decisions } = context;
  const hasOtherForm =
    !groups.isWellFormed(token) && decisions.outcome("current_token: other form") === "rejected";
  const situation = hasOtherForm ? "current_token: other form" : "current_token: unknown";
  decisions.outcome(situation);
  const team = groups.seed.apiTokens.get(token);
  if (team !== undefined) return rejectToken(situation, `is the API token of team ${team}`, sendAsHeader);
  if (context.issuedEarlier(token))
    return rejectToken(situation, "was issued before the last reset", lookUpAdvice);
  return rejectToken(situation, "belongs to no group of this team", useLatest);
}

/** The token was rotated out. */
function staleToken(situation: SituationId, rotatedOutBy: number, context: RequestContext): Rejection {
  const lost = context.lostBy(rotatedOutBy);
  const why = `was rotated out by request ${rotatedOutBy}${lost === undefined ? "" : `, whose response ${lost}`}`;
  return rejectToken(situation, why, lost === undefined ? useLatest : lookUpAdvice, rotatedOutBy);
}

const useLatest = "Use the group's latest token.";

const useItsTeam = "Use an API token of that team.";

const lookUpAdvice = "Look the group up to get its new token.";

const sendAsHeader =
  "Send it as Authorization: Token <api token>, and the token of a user group as current_token.";

function rejectToken(situation: SituationId, why: string, advice: string, request?: number): Rejection {
  return rejectIn(situation, `The current_token ${why}. ${advice}`, { request });
}
