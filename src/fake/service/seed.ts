import { crypto } from "../../foundation/crypto.js";
import { fieldOf, isObject, pointerTo } from "../../foundation/json.js";
import type { LocatedProblem } from "../../foundation/located-problem.js";
import type { Fixture, FixtureGroup, FixtureTeam, Problem } from "../../generated/types.js";
import { newGroup } from "../contract/group-fields.js";
import { MockError } from "../contract/mock-error.js";
import type { Schemas } from "../contract/schemas.js";
import { firstSituation, kindOf } from "../contract/situations.js";
import type { Behaviour } from "./behaviour.js";
import { GroupIndex, groupKey } from "./group-index.js";

/** A fixture, and where it came from. It is empty if it has problems: one start reports those of all sources. */
export interface FixtureSource {
  readonly file: string;
  readonly fixture: Fixture;
  readonly problems: readonly LocatedProblem[];
}

/** What decides whether a fixture is valid. */
export interface FixtureRules {
  readonly schemas: Schemas<"fixture.json">;
  readonly behaviour: Behaviour;
}

/** Checks a fixture against the schemas. A string is rejected, and never read as a path. */
export function checkFixture(
  value: unknown,
  { schemas, behaviour }: FixtureRules,
  file = "the given fixture",
): FixtureSource {
  // The service may accept other names and mapping values than the schema.
  const ofSchema = schemas
    .shippedProblems("fixture.json", value)
    .filter(({ path }) => !/^\/user_groups\/\d+\/(?:name$|mapping\/)/.test(path));
  const groups = fieldOf(value, "user_groups");
  const ofGroups = (Array.isArray(groups) ? groups : []).flatMap((group, index) =>
    groupProblems(group, behaviour).map(({ path, message }) => ({
      path: `/user_groups/${index}${path}`,
      message,
    })),
  );
  const problems = [...ofSchema, ...ofGroups].map(({ path, message }) => ({ file, path, message }));
  // The type is generated from the schema.
  return { file, fixture: problems.length > 0 ? {} : (value as Fixture), problems };
}

/** The name of a group and its mapping values, where requests cannot have them either. */
export function groupProblems(group: unknown, behaviour: Behaviour): Problem[] {
  if (!isObject(group)) return [];
  const { name, mapping } = group;
  const isStored = typeof name === "string" || behaviour.storesName(kindOf(name));
  const ofName = isStored
    ? []
    : [{ path: "/name", message: name === undefined ? "is required" : "must be string" }];
  const ofMapping = Object.entries(isObject(mapping) ? mapping : {}).flatMap(([key, value]) => {
    const situation =
      typeof value === "string" ? undefined : firstSituation(`mapping value: ${kindOf(value)}`);
    if (situation === undefined || behaviour.outcome(situation) !== "rejected") return [];
    const unless =
      behaviour.source(situation) === "profile" ? "" : ", unless you assume mapping-values=accepted";
    return { path: `/mapping${pointerTo(key)}`, message: `must be string${unless}` };
  });
  return [...ofName, ...ofMapping];
}

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
  readonly index: Omit<GroupIndex, "put" | "rotateOut">;
  /** The lengths of the tokens that the fixtures have. */
  readonly givenLengths: ReadonlySet<number>;
}

/** Merges the sources, or throws all their problems. */
export function buildSeed(sources: readonly FixtureSource[], randomSeed: string): Seed {
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
  const given: FixtureGroup[] = [];
  const tokens = new Set<string>();
  for (const [group, at] of each(sources, "user_groups")) {
    const { team_id, provided_id, token } = group;
    if (!teams.has(team_id))
      found.push({ ...at, path: `${at.path}/team_id`, message: `no fixture lists team ${team_id}` });
    if (!isNew("the team and provided_id", groupKey(team_id, provided_id), at)) continue;
    if (token !== undefined && isNew("the token", token, at, "/token")) tokens.add(token);
    given.push(group);
  }
  const [first] = apiTokens;
  if (found.length === 0 && first === undefined)
    found.push({ path: "/teams", message: "at least one team must have an API token" });
  if (found.length > 0 || first === undefined) {
    const example = "node_modules/usergroup-mock/docs/options.md has an example";
    throw new MockError("invalid_fixture", `Invalid fixtures (${example}):`, found);
  }
  const [firstApiToken, firstTeam] = first;
  const index = new GroupIndex();
  const isTaken = (token: string) => tokens.has(token);
  for (const one of given) {
    const parts = [randomSeed, ...seedPlace, one.team_id, one.provided_id] as const;
    index.put(newGroup(one, one.token ?? newToken(parts, 0, isTaken), index.groups.size + 1));
  }
  const listed = [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
  return {
    randomSeed,
    teams: listed,
    apiTokens,
    firstApiToken,
    firstTeam,
    index,
    givenLengths: new Set([...tokens].map(({ length }) => length)),
  };
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

/** What tokens and UUIDs of a group are derived from. */
type GroupParts = readonly [
  randomSeed: string,
  world: string,
  epoch: number,
  teamId: number,
  providedId: string,
];

/**
 * Where the tokens that a fixture leaves out are derived: in no world and no epoch, so that they are the same in all.
 * `*seed*` is not a valid name of a world.
 */
export const seedPlace = ["*seed*", 0] as const;

/** Of derived tokens, in characters. */
export const tokenLength = 64;

/** A UUID for a group, of version 8: derived, and not random. */
export function newUuid(parts: GroupParts): string {
  const digits = crypto().hash("sha256", JSON.stringify([...parts, "uuid"]), "hex");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-a$4-$5");
}

/**
 * 64 lower-case hex characters. Derived from these values only: the same requests give the same tokens in every run,
 * whatever the order of parallel tests. The epoch is one of them, so that a token which a program kept from an earlier
 * test is not accepted. A token that is taken is skipped: a fixture may have it.
 */
export function newToken(parts: GroupParts, rotations: number, isTaken: (token: string) => boolean): string {
  for (let number = rotations; ; number++) {
    const token = crypto().hash("sha256", JSON.stringify([...parts, number]), "hex");
    if (!isTaken(token)) return token;
  }
}
