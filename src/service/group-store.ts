import { type Group, newGroup } from "../contract/group-fields.js";
import type { Fixture, FixtureGroup, GroupDetail } from "../generated/types.js";
import type { Seed } from "./seed.js";
import { deriveToken } from "./tokens.js";

/** A token that was rotated out. */
interface Tombstone {
  readonly teamId: number;
  readonly providedId: string;
  readonly byRequest: number;
}

/** The groups of one world: the seed, and what differs from it. */
export class GroupStore {
  readonly #world: string;
  #seed: Seed;
  /** Team → provided_id → group, for groups that differ from the seed. */
  #groups = new Map<number, Map<string, Group>>();
  /** The tokens of these groups, and rotated-out tokens. */
  #tokens = new Map<string, Group | Tombstone>();
  /** Token → rotations, for groups that were exported and loaded again, so that no token repeats. */
  #rotations = new Map<string, number>();
  #added = 0;

  constructor(world: string, seed: Seed) {
    this.#world = world;
    this.#seed = seed;
  }

  /** The initial state, or the state that was loaded. */
  get seed(): Seed {
    return this.#seed;
  }

  get size(): number {
    return this.#seed.size + this.#added;
  }

  get(teamId: number, providedId: string): Group | undefined {
    return this.#groups.get(teamId)?.get(providedId) ?? this.#seed.get(teamId, providedId);
  }

  /** The group that has or had the token. @returns `rotatedOutBy`: the request that replaced the token */
  withToken(token: string): { readonly group: Group; readonly rotatedOutBy?: number } | undefined {
    const held = this.#tokens.get(token) ?? this.#seed.withToken(token);
    if (held === undefined || !isTombstone(held)) return held && { group: held };
    const group = this.get(held.teamId, held.providedId);
    return group && { group, rotatedOutBy: held.byRequest };
  }

  /** Whether this world issued the token, even if it was rotated out since. */
  issued(token: string): boolean {
    return this.#tokens.has(token);
  }

  list(): GroupDetail[] {
    return this.#all().map((group) => {
      return { ...group, seeded: this.#seed.get(group.team_id, group.provided_id) !== undefined };
    });
  }

  /** In the shape of a fixture, which can be imported again. */
  export(): Fixture {
    const user_groups = this.#all().map(({ rotations, ...exported }) => exported);
    return { teams: this.#seed.teams.map((team) => ({ ...team })), user_groups };
  }

  /** Adds a group. Its team must exist, its id and token must not. */
  add(given: FixtureGroup): Group {
    const { token = this.#newToken(given.team_id, given.provided_id, 0) } = given;
    this.#added++;
    return this.#put(newGroup(given, token));
  }

  update(group: Group, changes: Partial<Group>): Group {
    return this.#put({ ...group, ...changes });
  }

  /** Gives the group another token. */
  rotate(group: Group, byRequest: number): Group {
    const { team_id, provided_id, token } = group;
    const rotations = (group.rotations || (this.#rotations.get(token) ?? 0)) + 1;
    this.#tokens.set(token, { teamId: team_id, providedId: provided_id, byRequest });
    return this.#put({ ...group, rotations, token: this.#newToken(team_id, provided_id, rotations) });
  }

  /** Restarts from `seed`, in place: requests under way see the change. */
  replaceSeed(seed: Seed): void {
    for (const [token, held] of this.#tokens) {
      if (!isTombstone(held) && held.rotations > 0) this.#rotations.set(token, held.rotations);
    }
    for (const token of this.#rotations.keys())
      if (seed.withToken(token) === undefined) this.#rotations.delete(token);
    this.#seed = seed;
    this.#groups = new Map();
    this.#tokens = new Map();
    this.#added = 0;
  }

  #all(): Group[] {
    return this.#seed.teams.flatMap(({ team_id }) => {
      const changed = this.#groups.get(team_id) ?? [];
      return [...new Map([...this.#seed.ofTeam(team_id), ...changed]).values()];
    });
  }

  #put(group: Group): Group {
    const { team_id, provided_id, token } = group;
    const ofTeam = this.#groups.get(team_id) ?? new Map<string, Group>();
    this.#groups.set(team_id, ofTeam.set(provided_id, group));
    this.#tokens.set(token, group);
    return group;
  }

  /** Skips known tokens: an imported group may have the token that is derived next. */
  #newToken(teamId: number, providedId: string, rotations: number): string {
    for (let n = rotations; ; n++) {
      const token = deriveToken(this.#seed.randomSeed, this.#world, teamId, providedId, n);
      if (!this.#tokens.has(token) && this.#seed.withToken(token) === undefined) return token;
    }
  }
}

function isTombstone(held: Group | Tombstone): held is Tombstone {
  return "byRequest" in held;
}
