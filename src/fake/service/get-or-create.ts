import { isDeepStrictEqual } from "node:util";
import type { GetOrCreateRequest } from "../../generated/types.js";
import { type Group, showGroup } from "../contract/group-fields.js";
import type { SituationId } from "../contract/situations.js";
import { invalidBody } from "./check-body.js";
import type { Decisions } from "./decisions.js";
import { findGroup } from "./find-group.js";
import type { GroupStore } from "./group-store.js";
import { type Performed, type Rejection, type RequestContext, rejectIn } from "./result.js";

/** Looks a group up by the client's own id, and creates it if it does not exist. */
export function getOrCreate(
  groups: GroupStore,
  teamId: number,
  sent: GetOrCreateRequest,
  context: RequestContext,
): Performed<"get-or-create"> | Rejection {
  const { decisions } = context;
  const { group, met } = findGroup(groups, teamId, sent.user_group_id, decisions.behaviour);
  for (const situation of met)
    if (decisions.outcome(situation) === "rejected")
      return rejectId(situation, sent.user_group_id, decisions);
  const name = readName(sent.name, decisions);
  if (typeof name === "object") return name;
  const body = name === undefined || name === sent.name ? sent : { ...sent, name };
  return group === undefined ? create(groups, teamId, body, context) : update(groups, group, body, context);
}

/** The id is that of a group of another team, or differs too little from that of another group. */
function rejectId(situation: SituationId, id: string, decisions: Decisions): Rejection {
  if (situation === "id of the other team's group")
    return rejectIn(situation, `The id ${id} belongs to a group of another team. Choose another id.`);
  const problem = { situation, path: "/user_group_id", message: "resembles the id of another group" };
  return invalidBody("get-or-create", [problem], decisions);
}

/** The name as the service reads it, or why it is rejected. */
function readName(name: string | undefined, decisions: Decisions): string | undefined | Rejection {
  if (typeof name !== "string" || name === name.trim()) return name;
  switch (decisions.outcome("name: spaces")) {
    case "kept":
      return name;
    case "trimmed":
      return name.trim();
    case "rejected": {
      const problem = { path: "/name", message: "must not have white space at its ends" };
      return invalidBody("get-or-create", [{ situation: "name: spaces", ...problem }], decisions);
    }
  }
}

function create(
  groups: GroupStore,
  teamId: number,
  body: GetOrCreateRequest,
  context: RequestContext,
): Performed<"get-or-create"> | Rejection {
  const { decisions } = context;
  const { mapping = {}, properties = {} } = body;
  const id = newId(body.user_group_id, decisions);
  if (id === "" && body.user_group_id !== "" && decisions.outcome("user_group_id: empty") === "rejected") {
    const problem = { path: "/user_group_id", message: "must not be blank" };
    return invalidBody("get-or-create", [{ situation: "user_group_id: empty", ...problem }], decisions);
  }
  const name = newName(body.name, id, decisions);
  if (typeof name === "object") return name;
  const conflict = nameConflict(groups, teamId, name, context);
  if (conflict !== undefined) return conflict;
  const group = groups.add({ team_id: teamId, provided_id: id, name, mapping, properties });
  const response = { success: 1, new_user_group: true, user_group: showGroup(group) } as const;
  return { situation: "created", effect: "created", group, body: response };
}

/** The id that a new group gets. */
function newId(sent: string, decisions: Decisions): string {
  const isTrimmed = sent !== sent.trim() && decisions.outcome("new id: spaces") === "trimmed";
  const id = isTrimmed ? sent.trim() : sent;
  const lower = id.toLowerCase();
  return id !== lower && decisions.outcome("new id: capitals") === "lower case" ? lower : id;
}

/** The name that a new group gets, or why it gets none. */
function newName(sent: string | undefined, id: string, decisions: Decisions): string | Rejection {
  if (sent !== undefined) return sent;
  switch (decisions.outcome("name: missing")) {
    case "accepted":
      return id;
    case "empty":
      return "";
    case "rejected": {
      const problem = { path: "/name", message: "is required to create a group" };
      return invalidBody("get-or-create", [{ situation: "name: missing", ...problem }], decisions);
    }
  }
}

/** The fields that get-or-create may change in a group that exists, with what happens if they differ. */
const otherValues = {
  name: "existing group: other name",
  mapping: "existing group: other mapping",
  properties: "existing group: other properties",
} as const;

type Changeable = keyof typeof otherValues;

const changeableFields = Object.keys(otherValues) as readonly Changeable[];

type ChangeableFields = Pick<GetOrCreateRequest, Changeable>;

function update(
  groups: GroupStore,
  group: Group,
  body: GetOrCreateRequest,
  context: RequestContext,
): Performed<"get-or-create"> | Rejection {
  const { decisions } = context;
  const differing = differingFields(group, body);
  const found = { success: 1, new_user_group: false, user_group: showGroup(group) } as const;
  const unchanged = { situation: "found", effect: "found", group, body: found } as const;
  const removed = removedFields(group, body, decisions);
  if (differing.length === 0 && removed === nothing) return unchanged;
  const outcomes = differing.map((field) => ({ field, outcome: decisions.outcome(otherValues[field]) }));
  const rejected = outcomes.filter(({ outcome }) => outcome === "rejected").map(({ field }) => field);
  const [firstRejected] = rejected;
  if (firstRejected !== undefined) return changeConflict(group, firstRejected, rejected);
  const kept = outcomes.filter(({ outcome }) => outcome === "kept").map(({ field }) => field);
  const fields: Record<string, unknown> = { ...removed };
  for (const { field, outcome } of outcomes) {
    if (outcome === "replaced") fields[field] = body[field];
    if (outcome === "merged") fields[field] = Object.assign({}, group[field], body[field]);
  }
  const changed = differingFields(group, fields);
  const [firstKept] = kept;
  if (firstKept !== undefined) {
    const what = changed.length === 0 ? "was not changed" : `keeps its ${kept.join(", ")}`;
    const assumed = decisions.explain(otherValues[firstKept]);
    context.note(`the group exists and ${what}${assumed}; this request differs in ${kept.join(", ")}`);
  }
  if (changed.length === 0) return unchanged;
  // Each value has been in a body, or in the group.
  const after = { ...group, ...(fields as ChangeableFields) };
  const conflict =
    after.name === group.name ? undefined : nameConflict(groups, group.team_id, after.name, context);
  if (conflict !== undefined) return conflict;
  const updated = groups.put(after);
  const entries = changed.map((field) => [field, { before: group[field], after: updated[field] }]);
  return {
    ...unchanged,
    effect: "updated" as const,
    group: updated,
    changes: Object.fromEntries(entries),
    body: { ...found, user_group: showGroup(updated) },
  };
}

/** What happens to a field of a group that exists if it is not sent. */
const removals = {
  mapping: "existing group: mapping missing",
  properties: "existing group: properties missing",
} as const;

/** mapping and properties that are emptied because they were not sent. */
function removedFields(group: Group, body: ChangeableFields, decisions: Decisions): ChangeableFields {
  const isRemoved = (field: keyof typeof removals) =>
    decisions.peek(removals[field]) === "removed" &&
    body[field] === undefined &&
    Object.keys(group[field]).length > 0;
  const removed = (["mapping", "properties"] as const).filter(isRemoved);
  if (removed.length === 0) return nothing;
  for (const field of removed) decisions.outcome(removals[field]);
  return Object.fromEntries(removed.map((field) => [field, {}]));
}

const nothing: ChangeableFields = {};

function differingFields(group: Group, fields: ChangeableFields): Changeable[] {
  return changeableFields.filter(
    (field) => fields[field] !== undefined && !isDeepStrictEqual(fields[field], group[field]),
  );
}

function changeConflict(
  { provided_id }: Group,
  first: Changeable,
  differing: readonly Changeable[],
): Rejection {
  const message =
    `The group ${provided_id} exists, and this request differs in ${differing.join(", ")}.` +
    " Send the values of the group, or only its user_group_id.";
  return rejectIn(otherValues[first], message);
}

/** Why a group cannot get the name. */
function nameConflict(
  groups: GroupStore,
  teamId: number,
  name: string,
  { decisions }: RequestContext,
): Rejection | undefined {
  // Several groups can be without a name.
  if (name === "") return undefined;
  const other = groups.withName(teamId, name);
  if (other === undefined || decisions.outcome("name of another group") === "accepted") return undefined;
  const message = `The name ${name} belongs to the group ${other.provided_id}. Choose another name.`;
  return rejectIn("name of another group", message);
}
