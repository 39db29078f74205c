import type { FixtureReading, FixtureSource } from "../contract/fixtures.js";
import { type LocatedProblem, MockError, maxProblems } from "../foundation/mock-error.js";
import type { Fixture, NewGroup, Problem } from "../generated/types.js";
import { type AssumptionValues, defaultAssumptions } from "../service/assumptions.js";
import { Seed, type SeedGroup } from "../store/seed.js";

/** Merges the sources, or throws the problems of all of them. */
export function buildSeed(
  { sources, problems }: FixtureReading,
  randomSeed: string,
  assumptions: AssumptionValues = defaultAssumptions,
): Seed {
  const found: LocatedProblem[] = [...problems];
  const refuse = () => {
    const message =
      "These fixtures cannot be used (node_modules/usergroup-mock/docs/fixtures-and-schemas.md shows one). Fix what is listed:";
    throw new MockError("invalid_fixture", message, found);
  };
  const report = (problem: LocatedProblem) => {
    found.push(problem);
    if (found.length > maxProblems) refuse();
  };
  const { teams, apiTokens } = mergeTeams(sources, report);
  const groups = mergeGroups(sources, teams, assumptions, report);
  if (found.length === 0 && apiTokens.size === 0) {
    report({ path: "/teams", message: "no team has an API token, so nobody could call" });
  }
  if (found.length > 0) refuse();
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

/** What the mapping of a group may not have, because requests may not have it either. */
export function mappingProblems(mapping: object | undefined, assumptions: AssumptionValues): Problem[] {
  if (mapping === undefined || assumptions["mapping-values"] === "accepted") return [];
  const message = "must be string, unless you assume mapping-values=accepted";
  return Object.entries(mapping)
    .filter(([, value]) => typeof value !== "string")
    .map(([key]) => ({ path: `/mapping/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message }));
}

type ReportProblem = (problem: LocatedProblem) => void;

function mergeTeams(sources: readonly FixtureSource[], report: ReportProblem) {
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  const isNewToken = uniqueValues(sources, "teams", "an API token", report);
  for (const [at, team] of each(sources, "teams")) {
    const listed = teams.get(team.team_id) ?? [];
    teams.set(team.team_id, listed);
    for (const [index, apiToken] of team.api_tokens.entries()) {
      if (!isNewToken(apiToken, team, () => at(`/api_tokens/${index}`))) continue;
      apiTokens.set(apiToken, team.team_id);
      listed.push(apiToken);
    }
  }
  return { teams, apiTokens };
}

function mergeGroups(
  sources: readonly FixtureSource[],
  teams: ReadonlyMap<number, unknown>,
  assumptions: AssumptionValues,
  report: ReportProblem,
): SeedGroup[] {
  const groups: SeedGroup[] = [];
  const isNewGroup = uniqueValues(sources, "user_groups", "the team and provided_id", report);
  const isNewToken = uniqueValues(sources, "user_groups", "the token", report);
  for (const [at, given] of each(sources, "user_groups")) {
    const { team_id, provided_id, name, token, mapping = {}, properties = {} } = given;
    if (!teams.has(team_id)) report({ ...at("/team_id"), message: `no fixture lists the team ${team_id}` });
    for (const { path, message } of mappingProblems(mapping, assumptions)) report({ ...at(path), message });
    if (!isNewGroup(`${team_id} ${provided_id}`, given, () => at(""))) continue;
    if (token !== undefined) isNewToken(token, given, () => at("/token"));
    groups.push({ team_id, provided_id, name, token, mapping, properties, rotations: 0 });
  }
  return groups;
}

type Part = "teams" | "user_groups";

/** Returns a function that tells whether an item has a new value, and reports the item if not. */
function uniqueValues(sources: readonly FixtureSource[], part: Part, what: string, report: ReportProblem) {
  const items = new Map<string, object>();
  return (value: string, item: object, place: () => Omit<LocatedProblem, "message">): boolean => {
    const first = items.get(value);
    if (first === undefined) items.set(value, item);
    else report({ ...place(), message: `repeats ${what} of ${placeOf(first, sources, part)}` });
    return first === undefined;
  };
}

function placeOf(item: object, sources: readonly FixtureSource[], part: Part): string {
  for (const { file, fixture } of sources) {
    const items: readonly object[] = fixture[part] ?? [];
    if (items.includes(item)) return `${file} /${part}/${items.indexOf(item)}`;
  }
  throw new Error("the item is in none of the sources");
}

/** Every item of one part of every source, with a function that gives its place. */
function* each<P extends Part>(sources: readonly FixtureSource[], part: P) {
  for (const { file, fixture } of sources) {
    const items = (fixture[part] ?? []) as NonNullable<Fixture[P]>[number][];
    for (let i = 0; i < items.length; i++) {
      const at = (rest: string) => ({ file, path: `/${part}/${i}${rest}` });
      yield [at, items[i] as NonNullable<Fixture[P]>[number]] as const;
    }
  }
}
