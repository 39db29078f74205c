import type { FixtureReading, FixtureSource } from "../contract/fixtures.js";
import type { Fixture, FixtureGroup, FixtureTeam } from "../contract/types.js";
import { type LocatedProblem, MockError, maxProblems } from "../foundation/mock-error.js";
import { deriveToken } from "./tokens.js";

/** A group with all that is known of it. Never changed in place: the seed is shared by every world. */
export interface Group extends Readonly<Required<FixtureGroup>> {
  readonly rotations: number;
}

/** Not a name that a world can have: tokens that the fixtures leave out are the same in every world. */
const seedWorld = "*seed*";

/** A group as the fixtures give it. A token that they leave out is filled in when somebody asks: always the same. */
interface SeededGroup extends Omit<Group, "token"> {
  token: string | undefined;
}

interface SeedParts {
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  /** Team → provided_id → group. */
  readonly groups: ReadonlyMap<number, ReadonlyMap<string, SeededGroup>>;
  /** Those groups that the fixtures give a token. */
  readonly byToken: ReadonlyMap<string, Group>;
  readonly size: number;
}

/**
 * What the fixtures loaded. Nothing changes it while the server runs; tokens that they leave out are derived when
 * somebody asks, because deriving 100,000 of them takes as long as parsing the file.
 */
export class Seed {
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  readonly apiTokens: ReadonlyMap<string, number>;
  readonly size: number;
  readonly #groups: SeedParts["groups"];
  readonly #byToken: ReadonlyMap<string, Group>;
  readonly #byDerivedToken = new Map<string, Group>();

  constructor({ randomSeed, teams, apiTokens, groups, byToken, size }: SeedParts) {
    this.randomSeed = randomSeed;
    this.teams = teams;
    this.apiTokens = apiTokens;
    this.size = size;
    this.#groups = groups;
    this.#byToken = byToken;
  }

  get(teamId: number, providedId: string): Group | undefined {
    const group = this.#groups.get(teamId)?.get(providedId);
    return group && this.#complete(group);
  }

  withToken(token: string): Group | undefined {
    const known = this.#byToken.get(token) ?? this.#byDerivedToken.get(token);
    if (known !== undefined || this.#byToken.size + this.#byDerivedToken.size === this.size) return known;
    // Only when each has its token is it known whose this is, or that it is nobody's.
    for (const { team_id } of this.teams) this.ofTeam(team_id);
    return this.#byDerivedToken.get(token);
  }

  /** Whether a fixture gives this very token to a group: none that is derived can be another's. */
  lists(token: string): boolean {
    return this.#byToken.has(token);
  }

  ofTeam(teamId: number): Group[] {
    return [...(this.#groups.get(teamId)?.values() ?? [])].map((group) => this.#complete(group));
  }

  #complete(group: SeededGroup): Group {
    if (hasToken(group)) return group;
    const { team_id, provided_id } = group;
    let token: string;
    let tries = 0;
    // One that the fixtures give to another group is that one's.
    do token = deriveToken(this.randomSeed, seedWorld, team_id, provided_id, tries++);
    while (this.lists(token));
    const completed = Object.assign(group, { token });
    this.#byDerivedToken.set(token, completed);
    return completed;
  }
}

function hasToken(group: SeededGroup): group is Group {
  return group.token !== undefined;
}

/** Puts the sources together, or refuses them with the problems of every source. */
export function buildSeed({ sources, problems }: FixtureReading, randomSeed: string): Seed {
  const found: LocatedProblem[] = [...problems];
  const tell = (problem: LocatedProblem) => {
    if (found.length <= maxProblems) found.push(problem);
  };
  const teams = new Map<number, string[]>();
  const apiTokens = new Map<string, number>();
  const groups = new Map<number, Map<string, SeededGroup>>();
  const byToken = new Map<string, Group>();
  let size = 0;
  const firstTeam = placesOf(sources, "teams", ({ api_tokens }) => api_tokens);
  const firstGroup = placesOf(sources, "user_groups", ({ team_id, provided_id }) => [
    `${team_id} ${provided_id}`,
  ]);
  const firstToken = placesOf(sources, "user_groups", ({ token }) => (token === undefined ? [] : [token]));

  for (const [at, team] of each(sources, "teams")) {
    const listed = teams.get(team.team_id) ?? [];
    teams.set(team.team_id, listed);
    for (const [index, apiToken] of team.api_tokens.entries()) {
      if (apiTokens.has(apiToken)) {
        tell({
          ...at(`/api_tokens/${index}`),
          message: `repeats an API token of ${firstTeam(apiToken)}`,
        });
        continue;
      }
      apiTokens.set(apiToken, team.team_id);
      listed.push(apiToken);
    }
  }
  for (const [at, given] of each(sources, "user_groups")) {
    const { team_id, provided_id, name, token, mapping = {}, properties = {} } = given;
    if (!teams.has(team_id)) tell({ ...at("/team_id"), message: `no fixture lists the team ${team_id}` });
    const ofTeam = groups.get(team_id) ?? new Map<string, SeededGroup>();
    groups.set(team_id, ofTeam);
    if (ofTeam.has(provided_id)) {
      const first = firstGroup(`${team_id} ${provided_id}`);
      tell({ ...at(""), message: `repeats the team and provided_id of ${first}` });
      continue;
    }
    if (token !== undefined && byToken.has(token)) {
      tell({ ...at("/token"), message: `repeats the token of ${firstToken(token)}` });
    }
    const group = { team_id, provided_id, name, token, mapping, properties, rotations: 0 };
    ofTeam.set(provided_id, group);
    if (hasToken(group)) byToken.set(group.token, group);
    size++;
  }
  if (found.length === 0 && apiTokens.size === 0) {
    tell({ path: "/teams", message: "no team with an API token is listed, so that nobody could call" });
  }
  if (found.length > 0) {
    throw new MockError("invalid_fixture", "These fixtures cannot be used; mend what is listed:", found);
  }
  const listed = [...teams].map(([team_id, api_tokens]) => ({ team_id, api_tokens }));
  return new Seed({ randomSeed, teams: listed, apiTokens, groups, byToken, size });
}

type Part = "teams" | "user_groups";
type Item<P extends Part> = NonNullable<Fixture[P]>[number];

/** Every item of one part of every source, with how to say where it stands. */
function* each<P extends Part>(sources: readonly FixtureSource[], part: P) {
  for (const { file, fixture } of sources) {
    const items = (fixture[part] ?? []) as Item<P>[];
    for (let i = 0; i < items.length; i++) {
      const at = (rest: string) => ({ file, path: `/${part}/${i}${rest}` });
      yield [at, items[i] as Item<P>] as const;
    }
  }
}

/**
 * Where the first item stands that has a key. All places are found once something is wrong, and then at once: none
 * is kept for what is right.
 */
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
