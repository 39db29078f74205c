import { type Schemas, validOr } from "../contract/schemas.js";
import { MockError, type MockErrorCode } from "../foundation/mock-error.js";
import type { FixtureGroup } from "../generated/types.js";
import type { GroupStore } from "../store/group-store.js";

const refused = "This group cannot be added:";

/** The group that a test wants to add, or throws why it cannot be added. */
export function checkNewGroup(request: unknown, groups: GroupStore, schemas: Schemas): FixtureGroup {
  const given = validOr(schemas.parse("group.request.json", request), "invalid_group", refused);
  const { team_id = groups.firstTeam, provided_id, token } = given;
  const fail = (code: MockErrorCode, path: string, message: string) => {
    throw new MockError(code, refused, [{ path, message }]);
  };
  if (!groups.teams.some((team) => team.team_id === team_id))
    fail("invalid_group", "/team_id", `there is no team ${team_id} in this world`);
  if (groups.get(team_id, provided_id) !== undefined)
    fail("group_exists", "/provided_id", `team ${team_id} has this group already`);
  if (token !== undefined && groups.withToken(token) !== undefined)
    fail("group_exists", "/token", "is the token of another group, or was");
  return { ...given, team_id };
}
