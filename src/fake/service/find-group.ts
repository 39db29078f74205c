import type { AssumptionId, AssumptionValues } from "../contract/assumptions.js";
import type { Group } from "../contract/group-fields.js";
import type { GroupStore } from "./group-store.js";
import { comparedIds } from "./id-matching.js";

/** A group, and the assumptions on which it depends that this group was found, or none. */
interface FoundGroup {
  readonly group: Group | undefined;
  readonly dependsOn: readonly AssumptionId[];
}

/** The value of an assumption. */
export type AssumedValue = <Id extends AssumptionId>(id: Id) => AssumptionValues[Id];

/** The group that an id names for a team: the exact id first, then the oldest one that matches. */
export function findGroup(groups: GroupStore, teamId: number, id: string, assumed: AssumedValue): FoundGroup {
  const own = groups.get(teamId, id);
  if (own !== undefined) return { group: own, dependsOn: [] };
  const similar = groups.similar(id);
  if (similar.length === 0) return notFound;
  const isGlobal = assumed("group-scope") === "global";
  const dependsOn: AssumptionId[] = [];
  const foreign = similar.find(({ provided_id }) => provided_id === id);
  if (foreign !== undefined) {
    dependsOn.push("group-scope");
    if (isGlobal) return { group: foreign, dependsOn };
  }
  const compare = comparedIds[assumed("id-matching")];
  const matches = ({ provided_id }: Group) => compare(provided_id) === compare(id);
  const ofTeam = similar.filter(({ team_id }) => team_id === teamId);
  if (ofTeam.length > 0 || isGlobal) dependsOn.push("id-matching");
  const match = ofTeam.find(matches);
  if (match !== undefined) return { group: match, dependsOn };
  const ofOthers = similar.find(matches);
  if (ofOthers !== undefined && foreign === undefined) dependsOn.push("group-scope");
  return { group: isGlobal ? ofOthers : undefined, dependsOn };
}

const notFound: FoundGroup = { group: undefined, dependsOn: [] };
