import type { Group } from "../contract/group-fields.js";
import type { FixtureTeam } from "../generated/types.js";
import { deriveToken } from "./tokens.js";

/** A group of a fixture, whose token may be missing. */
export type SeedGroup = Omit<Group, "token"> & { readonly token: string | undefined };

/** Not a valid world name. Tokens that a fixture leaves out are derived from it, and so are the same in every world. */
const seedWorld = "*seed*";

/** The groups of the fixtures, with all tokens. Never changes while the server runs. */
export class Seed {
  /** Tokens are derived from it. */
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  /** The number of groups. */
  readonly size: number;
  /** Team → provided_id → group. */
  readonly #groups = new Map<number, Map<string, Group>>();
  readonly #byToken = new Map<string, Group>();

  /** @param parts.groups without duplicate ids and tokens */
  constructor(parts: Pick<Seed, "randomSeed" | "teams" | "apiTokens"> & { groups: readonly SeedGroup[] }) {
    const { randomSeed, teams, apiTokens, groups } = parts;
    this.randomSeed = randomSeed;
    this.teams = teams;
    this.apiTokens = apiTokens;
    this.size = groups.length;
    const listed = new Set(groups.map(({ token }) => token));
    for (const { team_id } of teams) this.#groups.set(team_id, new Map());
    for (const given of groups) {
      const group = { ...given, token: given.token ?? this.#newToken(given, listed) };
      this.#groups.get(group.team_id)?.set(group.provided_id, group);
      this.#byToken.set(group.token, group);
    }
  }

  /** An empty text if no team has an API token. */
  get firstApiToken(): string {
    const [token = ""] = this.apiTokens.keys();
    return token;
  }

  /** The team of unknown API tokens, if these are accepted. */
  get firstTeam(): number {
    return this.apiTokens.get(this.firstApiToken) ?? 0;
  }

  get(teamId: number, providedId: string): Group | undefined {
    return this.#groups.get(teamId)?.get(providedId);
  }

  withToken(token: string): Group | undefined {
    return this.#byToken.get(token);
  }

  /** provided_id → group. */
  ofTeam(teamId: number): Iterable<[string, Group]> {
    return this.#groups.get(teamId) ?? [];
  }

  /** @param listed the tokens in the fixtures, which a derived token must not repeat */
  #newToken({ team_id, provided_id }: SeedGroup, listed: ReadonlySet<string | undefined>): string {
    for (let tries = 0; ; tries++) {
      const token = deriveToken(this.randomSeed, seedWorld, team_id, provided_id, tries);
      if (!listed.has(token)) return token;
    }
  }
}
