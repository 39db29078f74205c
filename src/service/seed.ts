import type { FixtureReading } from "../contract/fixtures.js";
import { type LocatedProblem, MockError } from "../contract/mock-error.js";
import type { FixtureGroup, FixtureTeam } from "../contract/types.js";
import { deriveToken } from "./tokens.js";

/** A group with all that is known of it. Never changed in place: the seed is shared by every world. */
export interface Group extends Readonly<Required<FixtureGroup>> {
  readonly rotations: number;
}

/** What the fixtures loaded. Nothing changes it while the server runs. */
export interface Seed {
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  /** Team → provided_id → group. */
  readonly groups: ReadonlyMap<number, ReadonlyMap<string, Group>>;
  readonly byToken: ReadonlyMap<string, Group>;
  readonly size: number;
}

/** Not a name that a world can have: tokens that the fixtures leave out are the same in every world. */
const seedWorld = "*seed*";

/** Puts the sources together, or refuses them with every problem of every source. */
export function plantSeed({ sources, problems }: FixtureReading, randomSeed: string): Seed {
  const found: LocatedProblem[] = [...problems];
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  const groups = new Map<number, Map<string, Group>>();
  const byToken = new Map<string, Group>();
  const places = new Map<unknown, string>();
  let size = 0;

  for (const { file, fixture } of sources) {
    for (const [i, team] of (fixture.teams ?? []).entries()) {
      const listed = teams.get(team.team_id) ?? [];
      teams.set(team.team_id, listed);
      for (const [j, apiToken] of team.api_tokens.entries()) {
        const path = `/teams/${i}/api_tokens/${j}`;
        const first = places.get(`api token ${apiToken}`);
        if (first !== undefined) {
          found.push({ file, path, message: `repeats the API token at ${first}` });
          continue;
        }
        places.set(`api token ${apiToken}`, `${file} ${path}`);
        apiTokens.set(apiToken, team.team_id);
        listed.push(apiToken);
      }
    }
  }
  for (const { file, fixture } of sources) {
    for (const [i, given] of (fixture.user_groups ?? []).entries()) {
      const path = `/user_groups/${i}`;
      if (!teams.has(given.team_id)) {
        found.push({ file, path: `${path}/team_id`, message: `no fixture lists the team ${given.team_id}` });
      }
      const ofTeam = groups.get(given.team_id) ?? new Map<string, Group>();
      groups.set(given.team_id, ofTeam);
      const same = ofTeam.get(given.provided_id);
      if (same !== undefined) {
        found.push({ file, path, message: `repeats the team and provided_id of ${places.get(same)}` });
        continue;
      }
      const group: Group = {
        team_id: given.team_id,
        provided_id: given.provided_id,
        name: given.name,
        token: given.token ?? deriveToken(randomSeed, seedWorld, given.team_id, given.provided_id, 0),
        mapping: given.mapping ?? {},
        properties: given.properties ?? {},
        rotations: 0,
      };
      const twin = byToken.get(group.token);
      if (twin !== undefined) {
        found.push({ file, path: `${path}/token`, message: `repeats the token of ${places.get(twin)}` });
      }
      ofTeam.set(group.provided_id, group);
      byToken.set(group.token, group);
      places.set(group, `${file} ${path}`);
      size++;
    }
  }
  if (found.length === 0 && apiTokens.size === 0) {
    found.push({ path: "/teams", message: "no team with an API token is listed, so that nobody could call" });
  }
  if (found.length > 0) {
    throw new MockError("invalid_fixture", "These fixtures cannot be used; mend what is listed:", found);
  }
  return {
    randomSeed,
    teams: [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens })),
    apiTokens,
    groups,
    byToken,
    size,
  };
}
