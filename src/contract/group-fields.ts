import userGroup from "../../schemas/user-group.json" with { type: "json" };
import type { FixtureGroup, GetOrCreateRequest, GroupDetail, UserGroup } from "../generated/types.js";

/** A group with all its stored fields. Never changed in place: worlds share the groups of the seed. */
export type Group = Readonly<Required<Omit<GroupDetail, "seeded">>>;

interface GroupField {
  /** Whether the service shows it. */
  readonly isShown?: true;
  /** Its name in the body of get-or-create, if a request can send it. */
  readonly sentAs?: keyof GetOrCreateRequest;
  /** Whether get-or-create changes it in a group that exists, with existing-group=updated. */
  readonly isChangeable?: true;
  /** Its value in a new group, if none is given. */
  readonly default?: object | string;
}

type FieldName = Exclude<keyof Group, "rotations">;

/** The fields of a group that are sent, stored, shown and exported. A test compares them with every schema. */
export const groupFields: Readonly<Record<FieldName, GroupField>> = {
  team_id: { isShown: true },
  token: { isShown: true },
  name: { isShown: true, sentAs: "name", isChangeable: true },
  provided_id: { isShown: true, sentAs: "user_group_id" },
  mapping: { sentAs: "mapping", isChangeable: true, default: {} },
  properties: { sentAs: "properties", isChangeable: true, default: {} },
};

const fieldNames = Object.keys(groupFields) as readonly FieldName[];

export const changeableFields = fieldNames.filter((name) => groupFields[name].isChangeable);

/** A new group, with the default of each field that is not given. */
export function newGroup(given: FixtureGroup, token: string): Group {
  const group: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) group[name] = given[name] ?? groupFields[name].default;
  return Object.assign(group as Group, { token, rotations: 0 });
}

/** The fields of a group that a body of get-or-create has, by their names in the group. */
export function readSentFields(body: GetOrCreateRequest, fields = fieldNames): Partial<Group> {
  const sent: Partial<Record<FieldName, unknown>> = {};
  for (const name of fields) {
    const { sentAs } = groupFields[name];
    const value = sentAs && body[sentAs];
    if (value !== undefined) sent[name] = value;
  }
  return sent as Partial<Group>;
}

/** What the service shows of a group. */
export function showGroup({ team_id, token, name, provided_id }: Group): Required<UserGroup> {
  return { team_id, token, name, provided_id };
}

/** The schemas of the fields that the service shows. */
export const shownSchemas = userGroup.properties;
