import { fieldOf } from "../../foundation/json.js";
import type { GroupName } from "../../generated/types.js";
import { type Group, groupName } from "../contract/group-fields.js";
import type { NamingField } from "../contract/operations.js";
import type { SituationId } from "../contract/situations.js";
import type { Behaviour } from "./behaviour.js";
import type { GroupStore } from "./group-store.js";

/** A group, and the situations on which it depends that this group was found, or none. */
interface FoundGroup {
  readonly group: Group | undefined;
  readonly met: readonly SituationId[];
}

/** The group that an id names for a team: the exact id first, then the oldest one that the service takes for the same. */
export function findGroup(groups: GroupStore, teamId: number, id: string, behaviour: Behaviour): FoundGroup {
  const own = groups.get(teamId, id);
  if (own !== undefined) return { group: own, met: [] };
  const similar = groups.similar(id);
  if (similar.length === 0) return notFound;
  const isGlobal = behaviour.outcome(otherTeam) === "same group";
  const foreign = similar.find(({ provided_id }) => provided_id === id);
  const met = new Set<SituationId>(foreign === undefined ? [] : [otherTeam]);
  if (foreign !== undefined && isGlobal) return { group: foreign, met: [...met] };
  const isSame = ({ provided_id }: Group) =>
    differingSituations(provided_id, id).every((situation) => behaviour.outcome(situation) === "same group");
  const ofTeam = similar.filter(({ team_id }) => team_id === teamId);
  for (const { provided_id } of isGlobal ? similar : ofTeam)
    for (const situation of differingSituations(provided_id, id)) met.add(situation);
  const match = ofTeam.find(isSame);
  if (match !== undefined) return { group: match, met: [...met] };
  const ofOthers = similar.find(isSame);
  if (ofOthers !== undefined) met.add(otherTeam);
  return { group: isGlobal ? ofOthers : undefined, met: [...met] };
}

const otherTeam = "id of the other team's group";

const notFound: FoundGroup = { group: undefined, met: [] };

/** In what two ids differ that are similar. */
function differingSituations(one: string, other: string): SituationId[] {
  const differ: SituationId[] = [];
  if (one.trim() !== other.trim()) differ.push("user_group_id: capitals");
  if (one.toLowerCase() !== other.toLowerCase()) differ.push("user_group_id: spaces");
  return differ;
}

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
