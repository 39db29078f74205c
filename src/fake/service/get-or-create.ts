import { isDeepStrictEqual } from "node:util";
import type { GetOrCreateRequest } from "../../generated/types.js";
import { type Group, showGroup } from "../contract/group-fields.js";
import { invalidBody } from "./check-body.js";
import { findGroup } from "./find-group.js";
import type { GroupStore } from "./group-store.js";
import type { OperationContext, Performed, Rejection } from "./result.js";

/** Looks a group up by the client's own id, and creates it if it does not exist. */
export function getOrCreate(
  groups: GroupStore,
  body: GetOrCreateRequest,
  context: OperationContext,
): Performed<"get-or-create"> | Rejection {
  const { teamId, decisions } = context;
  const { user_group_id: id, mapping = {}, properties = {} } = body;
  const { group: found, dependsOn } = findGroup(groups, teamId, id, (one) => decisions.peek(one));
  for (const one of dependsOn) decisions.decide(one);
  if (found !== undefined) return updateGroup(groups, found, body, context);
  const usesId = body.name === undefined && decisions.decide("name-on-create") === "defaults-to-id";
  const name = usesId ? id : body.name;
  if (name === undefined) {
    const problem = { path: "/name", message: "is required to create a group" };
    return invalidBody("get-or-create", [problem], { kind: "name.missing", path: problem.path });
  }
  const conflict = nameConflict(groups, teamId, name, context);
  if (conflict !== undefined) return conflict;
  const group = groups.add({ team_id: teamId, provided_id: id, name, mapping, properties });
  const response = { success: 1, new_user_group: true, user_group: showGroup(group) } as const;
  return { name: "created", effect: "created", group, body: response };
}

/** The fields that get-or-create may change in a group that exists. */
const changeableFields = ["name", "mapping", "properties"] as const;

type Changes = Pick<GetOrCreateRequest, (typeof changeableFields)[number]>;

function updateGroup(
  groups: GroupStore,
  group: Group,
  body: GetOrCreateRequest,
  context: OperationContext,
): Performed<"get-or-create"> | Rejection {
  const { decisions, note } = context;
  const found = { success: 1, new_user_group: false, user_group: showGroup(group) } as const;
  const unchanged = { name: "found", effect: "found", group, body: found } as const;
  const differing = differingFields(group, body);
  if (differing.length === 0) return unchanged;
  const sent: Changes = Object.fromEntries(differing.map((field) => [field, body[field]]));
  switch (decisions.decide("existing-group")) {
    case "unchanged":
      return keep();
    case "rejected":
      return changeConflict(group, differing);
    case "name-rejected":
      return differing.includes("name") ? changeConflict(group, ["name"]) : keep();
    case "updated":
      return change(sent);
    case "merged":
      return change(mergeObjects(group, sent));
  }

  function keep(): Performed<"get-or-create"> {
    const assumed = decisions.explain("existing-group");
    note(`the group exists and was not changed${assumed}; this request differs in ${differing.join(", ")}`);
    return unchanged;
  }

  function change(fields: Changes): Performed<"get-or-create"> | Rejection {
    const changed = differingFields(group, fields);
    if (changed.length === 0) return unchanged;
    const { name = group.name } = fields;
    const conflict = name === group.name ? undefined : nameConflict(groups, group.team_id, name, context);
    if (conflict !== undefined) return conflict;
    const updated = groups.put({ ...group, ...fields });
    const entries = changed.map((field) => [field, { before: group[field], after: updated[field] }]);
    const shown = { ...found, user_group: showGroup(updated) };
    return {
      ...unchanged,
      effect: "updated",
      group: updated,
      changes: Object.fromEntries(entries),
      body: shown,
    };
  }
}

function differingFields(group: Group, fields: Changes) {
  return changeableFields.filter(
    (field) => fields[field] !== undefined && !isDeepStrictEqual(fields[field], group[field]),
  );
}

/** The fields that are sent, with the keys of mapping and properties added to those of the group. */
function mergeObjects(group: Group, { name, mapping, properties }: Changes): Changes {
  return {
    ...(name !== undefined && { name }),
    ...(mapping !== undefined && { mapping: { ...group.mapping, ...mapping } as typeof mapping }),
    ...(properties !== undefined && { properties: { ...group.properties, ...properties } }),
  };
}

function changeConflict({ provided_id }: Group, differing: readonly string[]): Rejection {
  const message =
    `The group ${provided_id} exists, and this request differs in ${differing.join(", ")}.` +
    " Send the values of the group, or only its user_group_id.";
  return { code: "conflict", kind: "changed", message };
}

/** Why a group cannot get the name. */
function nameConflict(
  groups: GroupStore,
  teamId: number,
  name: string,
  { decisions }: OperationContext,
): Rejection | undefined {
  const other = groups.withName(teamId, name);
  if (other === undefined || decisions.decide("unique-names") === "allowed") return undefined;
  const message = `The name ${name} belongs to the group ${other.provided_id}. Choose another name.`;
  return { code: "conflict", kind: "name", message };
}
