import { fieldOf } from "../../foundation/json.js";
import type { GroupName } from "../../generated/types.js";
import { groupName } from "../contract/group-fields.js";
import type { NamingField } from "../contract/operations.js";
import type { Behaviour } from "./behaviour.js";
import { findGroup } from "./find-group.js";
import type { GroupStore } from "./group-store.js";

type NameGroup = (
  groups: GroupStore,
  body: unknown,
  teamId: number | undefined,
  behaviour: Behaviour,
) => GroupName | undefined;

/** The group that a body names, by the field that names it. */
export const nameGroup: Readonly<Record<NamingField, NameGroup>> = {
  user_group_id: (groups, body, teamId, behaviour) => {
    const id = fieldOf(body, "user_group_id");
    if (typeof id !== "string") return undefined;
    if (teamId === undefined) return { provided_id: id };
    const { group } = findGroup(groups, teamId, id, behaviour);
    return group === undefined ? { team_id: teamId, provided_id: id } : groupName(group);
  },
  current_token: (groups, body) => {
    const token = fieldOf(body, "current_token");
    const held = typeof token === "string" ? groups.withToken(token) : undefined;
    return held && groupName(held.group);
  },
};
