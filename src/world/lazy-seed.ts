import { nextTurn } from "../foundation/clock.js";
import type { FixtureTeam } from "../generated/types.js";
import type { Group, Seed } from "../store/seed.js";
import { deriveToken } from "../store/tokens.js";

/** No world can have this name: tokens that the fixtures leave out are the same in every world. */
const seedWorld = "*seed*";

/** Some milliseconds of work. */
const derivedPerTurn = 2_000;

/** A group as a fixture has it: the token may be missing. */
export type FixtureEntry = Omit<Group, "token"> & { readonly token: string | undefined };

interface SeedParts extends Pick<Seed, "randomSeed" | "teams" | "apiTokens"> {
  /** Team → provided_id → group. */
  readonly groups: ReadonlyMap<number, Map<string, FixtureEntry>>;
  /** The groups that have a token in the fixtures. */
  readonly byToken: ReadonlyMap<string, Group>;
}

/**
 * A seed that derives missing tokens on first use. Most starts need few of them, and 100,000 take as long as parsing
 * the file.
 */
export class LazySeed implements Seed {
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  readonly apiTokens: ReadonlyMap<string, number>;
  readonly size: number;
  readonly #groups: SeedParts["groups"];
  readonly #byToken: ReadonlyMap<string, Group>;
  readonly #byDerivedToken = new Map<string, Group>();

  constructor({ randomSeed, teams, apiTokens, groups, byToken }: SeedParts) {
    this.randomSeed = randomSeed;
    this.teams = teams;
    this.apiTokens = apiTokens;
    this.#groups = groups;
    this.#byToken = byToken;
    this.size = [...groups.values()].reduce((sum, ofTeam) => sum + ofTeam.size, 0);
  }

  get(teamId: number, providedId: string): Group | undefined {
    const group = this.#groups.get(teamId)?.get(providedId);
    return group && this.#complete(group);
  }

  withToken(token: string): Group | undefined {
    const known = this.#byToken.get(token) ?? this.#byDerivedToken.get(token);
    if (known !== undefined || this.#byToken.size + this.#byDerivedToken.size === this.size) return known;
    // It may belong to a group whose token is not derived yet.
    for (const ofTeam of this.#groups.values()) for (const group of ofTeam.values()) this.#complete(group);
    return this.#byDerivedToken.get(token);
  }

  /** Derives all missing tokens, a few in each turn: nobody has to wait for them later. */
  async complete(): Promise<void> {
    let derived = 0;
    for (const ofTeam of this.#groups.values()) {
      for (const group of ofTeam.values()) {
        if (hasToken(group)) continue;
        this.#complete(group);
        if (++derived % derivedPerTurn === 0) await nextTurn();
      }
    }
  }

  lists(token: string): boolean {
    return this.#byToken.has(token);
  }

  *ofTeam(teamId: number): Generator<[string, Group]> {
    for (const [id, group] of this.#groups.get(teamId) ?? []) yield [id, this.#complete(group)];
  }

  #complete(group: FixtureEntry): Group {
    if (hasToken(group)) return group;
    const { team_id, provided_id } = group;
    let tries = 0;
    let token: string;
    do token = deriveToken(this.randomSeed, seedWorld, team_id, provided_id, tries++);
    while (this.lists(token));
    const completed = { ...group, token };
    this.#groups.get(team_id)?.set(provided_id, completed);
    this.#byDerivedToken.set(token, completed);
    return completed;
  }
}

export function hasToken(group: FixtureEntry): group is Group {
  return group.token !== undefined;
}
