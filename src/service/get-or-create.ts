import { isDeepStrictEqual } from "node:util";
import type { GetOrCreateRequest } from "../generated/types.js";
import type { GroupStore } from "../store/group-store.js";
import type { Group } from "../store/seed.js";
import { invalidBody } from "./check-body.js";
import type { Failure } from "./failures.js";
import { type Caller, type Performed, showGroup } from "./operation.js";

/** The fields of a group that a request can change. */
const changeable = ["name", "mapping", "properties"] as const;

/** Looks a group up by the caller's own id, and creates it if it does not exist. */
export function getOrCreate(
  groups: GroupStore,
  body: GetOrCreateRequest,
  caller: Caller,
): Performed<"get-or-create"> | Failure {
  const { user_group_id: id, mapping = {}, properties = {} } = body;
  const found = findGroup(groups, id, caller);
  if (found !== undefined) return updateGroup(groups, found, body, caller);
  const usesId = body.name === undefined && caller.decisions.decide("name-on-create") === "defaults-to-id";
  const name = usesId ? id : body.name;
  if (name === undefined) {
    return invalidBody("get-or-create", [{ path: "/name", message: "is required to create a group" }]);
  }
  const group = groups.add({ team_id: caller.teamId, provided_id: id, name, mapping, properties });
  return { effect: "created", body: { success: 1, new_user_group: true, user_group: showGroup(group) } };
}

function findGroup(groups: GroupStore, id: string, { teamId, decisions }: Caller): Group | undefined {
  const own = groups.get(teamId, id);
  if (own !== undefined) return own;
  for (const { team_id } of groups.seed.teams) {
    const foreign = groups.get(team_id, id);
    if (foreign !== undefined) return decisions.decide("group-scope") === "global" ? foreign : undefined;
  }
  return undefined;
}

function updateGroup(
  groups: GroupStore,
  group: Group,
  body: GetOrCreateRequest,
  { decisions, note }: Caller,
): Performed<"get-or-create"> {
  const { name = group.name, mapping = group.mapping, properties = group.properties } = body;
  const sent = { name, mapping, properties };
  const differing = changeable.filter(
    (field) => sent[field] !== group[field] && !isDeepStrictEqual(sent[field], group[field]),
  );
  const found = { success: 1, new_user_group: false, user_group: showGroup(group) } as const;
  if (differing.length === 0) return { effect: "found", body: found };
  // The response shows only the name, so only a different name makes the assumption decide it.
  const decides = differing.includes("name");
  if ((decides ? decisions.decide("existing-group") : decisions.peek("existing-group")) === "unchanged") {
    note(`the group exists and was not changed; this request differs in ${differing.join(", ")}`);
    return { effect: "found", body: found };
  }
  const changes = differing.map((field) => [field, { before: group[field], after: sent[field] }]);
  return {
    effect: "updated",
    changes: Object.fromEntries(changes),
    body: { ...found, user_group: showGroup(groups.update(group, sent)) },
  };
}
