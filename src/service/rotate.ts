import type { failures } from "../contract/failures.js";
import { showGroup } from "../contract/group-fields.js";
import type { RotateRequest } from "../generated/types.js";
import type { GroupStore } from "./group-store.js";
import type { OperationContext, Performed } from "./operation.js";
import type { Failure } from "./respond.js";

/** Gives the group that `current_token` names another token. */
export function rotate(
  groups: GroupStore,
  { current_token }: RotateRequest,
  { teamId, request, decisions }: OperationContext,
): Performed<"rotate"> | Failure {
  const held = groups.withToken(current_token);
  if (held === undefined) return unknownToken("unknown", current_token, "belongs to no group of this team");
  const { group, rotatedOutBy } = held;
  if (group.team_id !== teamId && decisions.decide("foreign-token") === "rejected") {
    return unknownToken("foreign", current_token, "belongs to a group of another team");
  }
  if (rotatedOutBy !== undefined && decisions.decide("old-token") === "rejected") {
    const failure = unknownToken("rotated", current_token, `was rotated out by request ${rotatedOutBy}`);
    return { ...failure, request: rotatedOutBy };
  }
  const isSame = decisions.decide("rotated-token") === "same";
  const after = isSame ? group : groups.rotate(group, request);
  const body = { success: 1, user_group: showGroup(after) } as const;
  return { name: "rotated", effect: isSame ? "found" : "rotated", group: after, body };
}

function unknownToken(kind: keyof typeof failures.unknown_token.kinds, token: string, why: string): Failure {
  return {
    code: "unknown_token",
    kind,
    unknownToken: token,
    message: `The current_token ${why}. Use the group's latest token.`,
  };
}
