import { isDeepStrictEqual } from "node:util";
import type { GetOrCreateRequest } from "../../generated/types.js";
import { type Group, showGroup } from "../contract/group-fields.js";
import { invalidBody } from "./check-body.js";
import type { GroupStore } from "./group-store.js";
import type { OperationContext, Performed, Rejection } from "./result.js";

/** Looks a group up by the context's own id, and creates it if it does not exist. */
export function getOrCreate(
  groups: GroupStore,
  body: GetOrCreateRequest,
  context: OperationContext,
): Performed<"get-or-create"> | Rejection {
  const { user_group_id: id, mapping = {}, properties = {} } = body;
  const found = findGroup(groups, id, context);
  if (found !== undefined) return updateGroup(groups, found, body, context);
  const usesId = body.name === undefined && context.decisions.decide("name-on-create") === "defaults-to-id";
  const name = usesId ? id : body.name;
  if (name === undefined) {
    const problem = { path: "/name", message: "is required to create a group" };
    return invalidBody("get-or-create", [problem], "name.missing");
  }
  const group = groups.add({ team_id: context.teamId, provided_id: id, name, mapping, properties });
  const response = { success: 1, new_user_group: true, user_group: showGroup(group) } as const;
  return { name: "created", effect: "created", group, body: response };
}

function findGroup(
  groups: GroupStore,
  id: string,
  { teamId, decisions }: OperationContext,
): Group | undefined {
  const own = groups.get(teamId, id);
  if (own !== undefined) return own;
  for (const { team_id } of groups.seed.teams) {
    const foreign = groups.get(team_id, id);
    if (foreign !== undefined) return decisions.decide("group-scope") === "global" ? foreign : undefined;
  }
  return undefined;
}

/** The fields that get-or-create changes in a group that exists, with existing-group=updated. */
const changeableFields = ["name", "mapping", "properties"] as const;

function updateGroup(
  groups: GroupStore,
  group: Group,
  body: GetOrCreateRequest,
  { decisions, note }: OperationContext,
): Performed<"get-or-create"> {
  const differing = changeableFields.filter(
    (field) => body[field] !== undefined && !isDeepStrictEqual(body[field], group[field]),
  );
  const found = { success: 1, new_user_group: false, user_group: showGroup(group) } as const;
  const unchanged = { name: "found", effect: "found", group, body: found } as const;
  if (differing.length === 0) return unchanged;
  // The assumption decides the response only if a field differs that the response shows.
  const decides = differing.some((field) => field in found.user_group);
  if ((decides ? decisions.decide("existing-group") : decisions.peek("existing-group")) === "unchanged") {
    note(`the group exists and was not changed; this request differs in ${differing.join(", ")}`);
    return unchanged;
  }
  const sent = Object.fromEntries(differing.map((field) => [field, body[field]]));
  const updated = groups.put({ ...group, ...sent });
  const entries = differing.map((field) => [field, { before: group[field], after: updated[field] }]);
  const changes = Object.fromEntries(entries);
  const shown = { ...found, user_group: showGroup(updated) };
  return { ...unchanged, effect: "updated", group: updated, changes, body: shown };
}
