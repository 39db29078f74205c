import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { FixtureGroup, GroupDetail, GroupName, UserGroup } from "../../generated/types.js";

/** A group with all its stored fields. Never changed in place: worlds share the groups of the seed. */
export interface Group extends Readonly<Required<Omit<GroupDetail, "seeded">>> {
  /** Counts the groups of a store, those of its seed first. */
  readonly number: number;
}

/** A new group, with the default of each field that is not given. */
export function newGroup(given: FixtureGroup, token: string, number: number): Group {
  const { team_id, name, provided_id, mapping = {}, properties = {} } = given;
  return { team_id, token, name, provided_id, mapping, properties, rotations: 0, number };
}

/** What the admin API shows of a group. */
export function showDetail({ number, ...shown }: Group, seeded: boolean): GroupDetail {
  return { ...shown, seeded };
}

/** A group in a fixture. */
export function exportGroup({ number, rotations, ...exported }: Group): FixtureGroup {
  return exported;
}

/** What names a group, without the rest of it: the journal keeps it. */
export function groupName({ team_id, provided_id }: Group): GroupName {
  return { team_id, provided_id };
}

/** What the service shows of a group. */
export function showGroup({ team_id, token, name, provided_id }: Group): Required<UserGroup> {
  return { team_id, token, name, provided_id };
}

/** The schemas of the fields that the service shows. */
export const shownSchemas = shippedSchemas["user-group.json"].properties;
