import { hash } from "node:crypto";
import type { LocatedProblem } from "../../foundation/located-problem.js";
import type { Fixture, FixtureGroup, FixtureTeam, Problem } from "../../generated/types.js";
import type { Assumed } from "../contract/assumptions.js";
import { type Group, newGroup } from "../contract/group-fields.js";
import { MockError } from "../contract/mock-error.js";
import type { Schemas } from "../contract/schemas.js";

/** The groups of the fixtures, with all tokens. Never changes while the server runs. */
export interface Seed {
  /** Tokens are derived from it. */
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  readonly firstApiToken: string;
  /** The team of unknown API tokens, if these are accepted. */
  readonly firstTeam: number;
  /** By `groupKey`. */
  readonly groups: ReadonlyMap<string, Group>;
  readonly byToken: ReadonlyMap<string, Group>;
}

/** Names a group among those of all teams. */
export function groupKey(teamId: number, providedId: string): string {
  return `${teamId} ${providedId}`;
}

/**
 * 64 lower-case hex characters. Derived from these values only: the same requests give the same tokens in every run,
 * whatever the order of parallel tests. The epoch is one of them, so that a token which a program kept from an earlier
 * test is not accepted. A token that is taken is skipped: a fixture may have it.
 */
export function newToken(
  parts: readonly [randomSeed: string, world: string, epoch: number, teamId: number, providedId: string],
  rotations: number,
  isTaken: (token: string) => boolean,
): string {
  for (let number = rotations; ; number++) {
    const token = hash("sha256", JSON.stringify([...parts, number]), "hex");
    if (!isTaken(token)) return token;
  }
}

/** A fixture, and where it came from. It is empty if it has problems: one start reports those of all sources. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
  readonly problems: readonly LocatedProblem[];
}

/** Checks a fixture against the schemas. A string is rejected, and never read as a path. */
export function checkFixture(value: unknown, schemas: Schemas, file = "the given fixture"): FixtureSource {
  // Mapping values are checked when the seed is built: an assumption may accept them.
  const shipped = schemas
    .shippedProblems("fixture.json", value)
    .filter(({ path }) => !/^\/user_groups\/\d+\/mapping\//.test(path));
  const found = [...shipped, ...schemas.overlayProblems("fixture.json", value)];
  const problems = found.map(({ path, message }) => ({ file, path, message }));
  // The type is generated from the schema.
  return { file, fixture: problems.length > 0 ? {} : (value as Fixture), problems };
}

/** Not a valid world name. Tokens that a fixture leaves out are derived from it, and so are the same in every epoch. */
const seedWorld = "*seed*";

/** Merges the sources, or throws all their problems. */
export function buildSeed(sources: readonly FixtureSource[], randomSeed: string, assumed: Assumed): Seed {
  const found = sources.flatMap(({ problems }) => problems);
  const places = new Map<string, string>();
  /** Whether no item had the value before. If one had, that is a problem. @param at the item */
  const isNew = (what: string, value: string, at: Place, field = "") => {
    const first = places.get(`${what} ${value}`);
    if (first === undefined) places.set(`${what} ${value}`, `${at.file} ${at.path}`);
    else found.push({ ...at, path: at.path + field, message: `repeats ${what} of ${first}` });
    return first === undefined;
  };
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  for (const [{ team_id, api_tokens }, at] of each(sources, "teams")) {
    const listed = teams.get(team_id) ?? [];
    teams.set(team_id, listed);
    for (const [index, apiToken] of api_tokens.entries()) {
      if (!isNew("an API token", apiToken, at, `/api_tokens/${index}`)) continue;
      apiTokens.set(apiToken, team_id);
      listed.push(apiToken);
    }
  }
  const given = new Map<string, FixtureGroup>();
  const tokens = new Set<string>();
  for (const [group, at] of each(sources, "user_groups")) {
    const { team_id, provided_id, token, mapping } = group;
    const key = groupKey(team_id, provided_id);
    const problems = mappingProblems(mapping, assumed);
    if (!teams.has(team_id)) problems.push({ path: "/team_id", message: `no fixture lists team ${team_id}` });
    for (const { path, message } of problems) found.push({ ...at, path: at.path + path, message });
    if (!isNew("the team and provided_id", key, at)) continue;
    if (token !== undefined && isNew("the token", token, at, "/token")) tokens.add(token);
    given.set(key, group);
  }
  const [first] = apiTokens;
  if (found.length === 0 && first === undefined)
    found.push({ path: "/teams", message: "at least one team must have an API token" });
  if (found.length > 0 || first === undefined) {
    const example = "node_modules/usergroup-mock/docs/options.md has an example";
    throw new MockError("invalid_fixture", `Invalid fixtures (${example}):`, found);
  }
  const [firstApiToken, firstTeam] = first;
  const groups = new Map<string, Group>();
  const byToken = new Map<string, Group>();
  for (const [key, one] of given) {
    const parts = [randomSeed, seedWorld, 0, one.team_id, one.provided_id] as const;
    const group = newGroup(one, one.token ?? newToken(parts, 0, (token) => tokens.has(token)));
    groups.set(key, group);
    byToken.set(group.token, group);
  }
  const listed = [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
  return { randomSeed, teams: listed, apiTokens, firstApiToken, firstTeam, groups, byToken };
}

/** Mapping values of a group that requests cannot have either. */
export function mappingProblems(mapping: object | undefined, assumed: Assumed): Problem[] {
  if (mapping === undefined || assumed["mapping-values"].value === "accepted") return [];
  const message = "must be string, unless you assume mapping-values=accepted";
  return Object.entries(mapping)
    .filter(([, value]) => typeof value !== "string")
    .map(([key]) => ({ path: `/mapping/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message }));
}

/** Where an item of a fixture is. */
type Place = Required<Omit<LocatedProblem, "message">>;

/** Every item of one part of every source, with its place. */
function* each<Part extends "teams" | "user_groups">(sources: readonly FixtureSource[], part: Part) {
  for (const { file, fixture } of sources) {
    const items = (fixture[part] ?? []) as NonNullable<Fixture[Part]>[number][];
    for (const [index, item] of items.entries()) yield [item, { file, path: `/${part}/${index}` }] as const;
  }
}
