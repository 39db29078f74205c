import type { FixtureReading, FixtureSource } from "../contract/fixtures.js";
import { type LocatedProblem, MockError, maxProblems } from "../foundation/mock-error.js";
import type { Fixture, NewGroup } from "../generated/types.js";
import { Seed, type SeedGroup } from "../store/seed.js";

/** Merges the sources, or throws the problems of all of them. */
export function buildSeed({ sources, problems }: FixtureReading, randomSeed: string): Seed {
  const found: LocatedProblem[] = [...problems];
  const report = (problem: LocatedProblem) => {
    if (found.length <= maxProblems) found.push(problem);
  };
  const { teams, apiTokens } = mergeTeams(sources, report);
  const groups = mergeGroups(sources, teams, report);
  if (found.length === 0 && apiTokens.size === 0) {
    report({ path: "/teams", message: "no team has an API token, so nobody could call" });
  }
  if (found.length > 0) {
    throw new MockError(
      "invalid_fixture",
      "These fixtures cannot be used (node_modules/usergroup-mock/docs/fixtures-and-schemas.md shows one). Fix what is listed:",
      found,
    );
  }
  const listed = [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
  return new Seed({ randomSeed, teams: listed, apiTokens, groups });
}

/** About what loaded groups take, in bytes. */
export function sizeOfGroups({ sources }: FixtureReading): number {
  let bytes = 0;
  for (const [, group] of each(sources, "user_groups")) bytes += sizeOfGroup(group);
  return bytes;
}

/** The same for one of them. A character of JSON takes 4 bytes once it is parsed. */
export function sizeOfGroup(group: NewGroup): number {
  return 400 + 4 * JSON.stringify(group).length;
}

type ReportProblem = (problem: LocatedProblem) => void;

function mergeTeams(sources: readonly FixtureSource[], report: ReportProblem) {
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  const firstTeam = placesOf(sources, "teams", ({ api_tokens }) => api_tokens);
  for (const [at, team] of each(sources, "teams")) {
    const listed = teams.get(team.team_id) ?? [];
    teams.set(team.team_id, listed);
    for (const [index, apiToken] of team.api_tokens.entries()) {
      if (apiTokens.has(apiToken)) {
        const message = `repeats an API token of ${firstTeam(apiToken)}`;
        report({ ...at(`/api_tokens/${index}`), message });
        continue;
      }
      apiTokens.set(apiToken, team.team_id);
      listed.push(apiToken);
    }
  }
  return { teams, apiTokens };
}

function mergeGroups(
  sources: readonly FixtureSource[],
  teams: ReadonlyMap<number, unknown>,
  report: ReportProblem,
): SeedGroup[] {
  const groups: SeedGroup[] = [];
  const [keys, tokens] = [new Set<string>(), new Set<string>()];
  const firstGroup = placesOf(sources, "user_groups", ({ team_id, provided_id }) => [
    `${team_id} ${provided_id}`,
  ]);
  const firstToken = placesOf(sources, "user_groups", ({ token }) => (token === undefined ? [] : [token]));
  for (const [at, given] of each(sources, "user_groups")) {
    const { team_id, provided_id, name, token, mapping = {}, properties = {} } = given;
    if (!teams.has(team_id)) report({ ...at("/team_id"), message: `no fixture lists the team ${team_id}` });
    const key = `${team_id} ${provided_id}`;
    if (keys.has(key)) {
      report({ ...at(""), message: `repeats the team and provided_id of ${firstGroup(key)}` });
      continue;
    }
    if (token !== undefined && tokens.has(token)) {
      report({ ...at("/token"), message: `repeats the token of ${firstToken(token)}` });
    }
    keys.add(key);
    if (token !== undefined) tokens.add(token);
    groups.push({ team_id, provided_id, name, token, mapping, properties, rotations: 0 });
  }
  return groups;
}

type Part = "teams" | "user_groups";
type Item<P extends Part> = NonNullable<Fixture[P]>[number];

/** Every item of one part of every source, with a function that gives its place. */
function* each<P extends Part>(sources: readonly FixtureSource[], part: P) {
  for (const { file, fixture } of sources) {
    const items = (fixture[part] ?? []) as Item<P>[];
    for (let i = 0; i < items.length; i++) {
      const at = (rest: string) => ({ file, path: `/${part}/${i}${rest}` });
      yield [at, items[i] as Item<P>] as const;
    }
  }
}

/** Finds the first item that has a key. Built on first use, so valid fixtures pay nothing for it. */
function placesOf<P extends Part>(
  sources: readonly FixtureSource[],
  part: P,
  keysOf: (item: Item<P>) => readonly string[],
): (key: string) => string | undefined {
  let places: Map<string, string> | undefined;
  return (key) => {
    if (places === undefined) {
      places = new Map();
      for (const [at, item] of each(sources, part)) {
        const { file, path } = at("");
        for (const one of keysOf(item)) if (!places.has(one)) places.set(one, `${file} ${path}`);
      }
    }
    return places.get(key);
  };
}
