import { type AssumptionValues, defaultAssumptions } from "../contract/assumptions.js";
import type { FixtureReading, FixtureSource } from "../contract/fixtures.js";
import { newGroup } from "../contract/group-fields.js";
import { MockError } from "../contract/mock-error.js";
import type { LocatedProblem } from "../foundation/coded-error.js";
import type { Fixture, Problem } from "../generated/types.js";
import { Seed, type SeedGroup } from "./seed.js";

/** Merges the sources, or throws all their problems. */
export function buildSeed(
  { sources, problems }: FixtureReading,
  randomSeed: string,
  assumptions: AssumptionValues = defaultAssumptions,
): Seed {
  const found = [...problems];
  const { teams, apiTokens } = mergeTeams(sources, found);
  const groups = mergeGroups(sources, teams, assumptions, found);
  if (found.length === 0 && apiTokens.size === 0)
    found.push({ path: "/teams", message: "at least one team must have an API token" });
  if (found.length > 0) {
    const example = "node_modules/usergroup-mock/docs/options.md has an example";
    throw new MockError("invalid_fixture", `Invalid fixtures (${example}):`, found);
  }
  const listed = [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
  return new Seed({ randomSeed, teams: listed, apiTokens, groups });
}

/** Mapping values of a group that requests cannot have either. */
export function mappingProblems(mapping: object | undefined, assumptions: AssumptionValues): Problem[] {
  if (mapping === undefined || assumptions["mapping-values"] === "accepted") return [];
  const message = "must be string, unless you assume mapping-values=accepted";
  return Object.entries(mapping)
    .filter(([, value]) => typeof value !== "string")
    .map(([key]) => ({ path: `/mapping/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message }));
}

function mergeTeams(sources: readonly FixtureSource[], found: LocatedProblem[]) {
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  const isNewToken = uniqueValues("an API token", found);
  for (const [team, at] of each(sources, "teams")) {
    const listed = teams.get(team.team_id) ?? [];
    teams.set(team.team_id, listed);
    for (const [index, apiToken] of team.api_tokens.entries()) {
      if (!isNewToken(apiToken, at, `/api_tokens/${index}`)) continue;
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
  found: LocatedProblem[],
): SeedGroup[] {
  const groups: SeedGroup[] = [];
  const isNewGroup = uniqueValues("the team and provided_id", found);
  const isNewToken = uniqueValues("the token", found);
  for (const [given, at] of each(sources, "user_groups")) {
    const { team_id, provided_id, token, mapping } = given;
    if (!teams.has(team_id)) found.push({ ...at("/team_id"), message: `no fixture lists team ${team_id}` });
    for (const { path, message } of mappingProblems(mapping, assumptions))
      found.push({ ...at(path), message });
    if (!isNewGroup(`${team_id} ${provided_id}`, at)) continue;
    if (token !== undefined) isNewToken(token, at, "/token");
    groups.push(newGroup(given, token));
  }
  return groups;
}

/** Returns the place of a field of an item. */
type PlaceOf = (field: string) => Required<Omit<LocatedProblem, "message">>;

/** Returns a function that checks whether a value is new, and reports it if not. */
function uniqueValues(what: string, found: LocatedProblem[]) {
  const places = new Map<string, PlaceOf>();
  return (value: string, at: PlaceOf, field = ""): boolean => {
    const first = places.get(value)?.("");
    if (first === undefined) places.set(value, at);
    else found.push({ ...at(field), message: `repeats ${what} of ${first.file} ${first.path}` });
    return first === undefined;
  };
}

/** Every item of one part of every source, with its place. */
function* each<Part extends "teams" | "user_groups">(sources: readonly FixtureSource[], part: Part) {
  for (const { file, fixture } of sources) {
    const items = (fixture[part] ?? []) as NonNullable<Fixture[Part]>[number][];
    for (const [index, item] of items.entries()) {
      const at: PlaceOf = (field) => ({ file, path: `/${part}/${index}${field}` });
      yield [item, at] as const;
    }
  }
}
