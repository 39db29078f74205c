import { isDeepStrictEqual } from "node:util";
import type { GetOrCreateRequest } from "../generated/types.js";
import type { GroupStore } from "../store/group-store.js";
import type { Group } from "../store/seed.js";
import { invalidBody } from "./check-body.js";
import type { Failure } from "./failures.js";
import { type Caller, type GroupChanges, type Performed, showGroup } from "./operation.js";

/** The fields of a group that a request can change. */
const changeable = ["name", "mapping", "properties"] as const;

/** Looks a group up by the caller's own id, and creates it if it does not exist. */
export function getOrCreate(
  groups: GroupStore,
  body: GetOrCreateRequest,
  caller: Caller,
): Performed<"get-or-create"> | Failure {
  const found = findGroup(groups, body.user_group_id, caller);
  if (found !== undefined) {
    const group = updated(groups, found, body, caller);
    const answer = { success: 1, new_user_group: false, user_group: showGroup(group) } as const;
    if (group === found) return { effect: "found", body: answer };
    return { effect: "updated", changes: changesOf(found, group), body: answer };
  }
  const name = body.name ?? defaultName(body.user_group_id, caller);
  if (name === undefined) {
    return invalidBody("get-or-create", [{ path: "/name", message: "is required to create a group" }]);
  }
  const { user_group_id: provided_id, mapping = {}, properties = {} } = body;
  const group = groups.add({ team_id: caller.teamId, provided_id, name, mapping, properties });
  return { effect: "created", body: { success: 1, new_user_group: true, user_group: showGroup(group) } };
}

function changesOf(before: Group, after: Group): GroupChanges {
  const changed = changeable.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, { before: before[field], after: after[field] }]));
}

function findGroup(groups: GroupStore, id: string, { teamId, decisions }: Caller): Group | undefined {
  const own = groups.get(teamId, id);
  if (own !== undefined) return own;
  for (const { team_id } of groups.teams) {
    const foreign = groups.get(team_id, id);
    if (foreign !== undefined) return decisions.decide("group-scope") === "global" ? foreign : undefined;
  }
  return undefined;
}

function defaultName(id: string, { decisions }: Caller): string | undefined {
  return decisions.decide("name-on-create") === "defaults-to-id" ? id : undefined;
}

/** The group that exists, with what was sent for it if the assumption says so. */
function updated(
  groups: GroupStore,
  group: Group,
  body: GetOrCreateRequest,
  { decisions, note }: Caller,
): Group {
  const { name = group.name, mapping = group.mapping, properties = group.properties } = body;
  const sent = { name, mapping, properties };
  const differing = changeable.filter(
    (field) => sent[field] !== group[field] && !isDeepStrictEqual(sent[field], group[field]),
  );
  if (differing.length === 0) return group;
  // Only the name shows in the response, so only a different name makes the assumption decide it.
  const decides = differing.includes("name");
  if ((decides ? decisions.decide("existing-group") : decisions.peek("existing-group")) === "unchanged") {
    note(`the group exists and was left unchanged; this call differs from it in ${differing.join(", ")}`);
    return group;
  }
  return groups.update(group, sent);
}
