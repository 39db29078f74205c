import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { FixtureGroup, GroupDetail, UserGroup } from "../../generated/types.js";

/** A group with all its stored fields. Never changed in place: worlds share the groups of the seed. */
export type Group = Readonly<Required<Omit<GroupDetail, "seeded">>>;

/** A new group, with the default of each field that is not given. */
export function newGroup(given: FixtureGroup, token: string): Group {
  const { team_id, name, provided_id, mapping = {}, properties = {} } = given;
  return { team_id, token, name, provided_id, mapping, properties, rotations: 0 };
}

/** What the service shows of a group. */
export function showGroup({ team_id, token, name, provided_id }: Group): Required<UserGroup> {
  return { team_id, token, name, provided_id };
}

/** The schemas of the fields that the service shows. */
export const shownSchemas = shippedSchemas["user-group.json"].properties;
