import type { Fixture, FixtureGroup, FixtureTeam, GroupDetail } from "../generated/types.js";
import type { Group, Seed } from "./seed.js";
import { deriveToken } from "./tokens.js";

/** What is left of a token that was rotated out. */
interface Tombstone {
  readonly teamId: number;
  readonly providedId: string;
  readonly byRequest: number;
}

/** The group that a token names. */
interface TokenHolder {
  readonly group: Group;
  /** The request that replaced the token; undefined while the token is valid. */
  readonly rotatedOutBy?: number;
}

/** The groups of one world: the seed, and on top only what differs from it. */
export class GroupStore {
  readonly #world: string;
  #seed: Seed;
  /** Team → provided_id → group, for groups that are not as in the seed. */
  #groups = new Map<number, Map<string, Group>>();
  /** Tokens of these groups, and those that were rotated out. */
  #tokens = new Map<string, Group | Tombstone>();
  /** Token → rotations, for groups that were exported and loaded again: their rotations continue from there. */
  #rotations = new Map<string, number>();
  #added = 0;
  #version = 0;
  /** About what the groups and rotated tokens take beyond the seed, in bytes. Counted by those who change them. */
  bytes = 0;

  constructor(world: string, seed: Seed) {
    this.#world = world;
    this.#seed = seed;
  }

  /** Differs once teams and groups were replaced: a caller has to be authenticated again then. */
  get version(): number {
    return this.#version;
  }

  /** What it started with, or the state that was loaded. */
  get seed(): Seed {
    return this.#seed;
  }

  get size(): number {
    return this.#seed.size + this.#added;
  }

  get teams(): readonly FixtureTeam[] {
    return this.#seed.teams;
  }

  teamOf(apiToken: string): number | undefined {
    return this.#seed.apiTokens.get(apiToken);
  }

  /** The team that unknown API tokens belong to when every one is accepted. */
  get firstTeam(): number {
    return this.#seed.apiTokens.get(this.firstApiToken) ?? 0;
  }

  get firstApiToken(): string {
    for (const token of this.#seed.apiTokens.keys()) return token;
    throw new Error("buildSeed accepted a seed without an API token");
  }

  get(teamId: number, providedId: string): Group | undefined {
    return this.#groups.get(teamId)?.get(providedId) ?? this.#seed.get(teamId, providedId);
  }

  /** The group that has or had this token. */
  withToken(token: string): TokenHolder | undefined {
    const held = this.#tokens.get(token) ?? this.#seed.withToken(token);
    if (held === undefined || !isTombstone(held)) return held && { group: held };
    const group = this.get(held.teamId, held.providedId);
    return group && { group, rotatedOutBy: held.byRequest };
  }

  /** Whether this world issued that token, also when it was rotated since. */
  issued(token: string): boolean {
    return this.#tokens.has(token);
  }

  list(): GroupDetail[] {
    return this.#all().map((group) => this.#detail(group));
  }

  /** The groups that are not as in the seed. */
  get changed(): GroupDetail[] {
    return [...this.#groups.values()].flatMap((ofTeam) =>
      [...ofTeam.values()].map((one) => this.#detail(one)),
    );
  }

  #detail(group: Group): GroupDetail {
    return { ...group, seeded: this.#seed.get(group.team_id, group.provided_id) !== undefined };
  }

  /** In the shape of a fixture: importing it gives the same groups. */
  export(): Fixture {
    const user_groups = this.#all().map(({ rotations, ...exported }) => exported);
    return { teams: this.#seed.teams.map((team) => ({ ...team })), user_groups };
  }

  /** Adds a group whose team exists, and whose id and token do not. */
  add({ team_id, provided_id, name, token, mapping = {}, properties = {} }: FixtureGroup): Group {
    const given = token ?? this.#newToken(team_id, provided_id, 0);
    this.#added++;
    return this.#put({ team_id, provided_id, name, token: given, mapping, properties, rotations: 0 });
  }

  update(group: Group, changes: Partial<Pick<Group, "name" | "mapping" | "properties">>): Group {
    return this.#put({ ...group, ...changes });
  }

  /** Gives the group another token. */
  rotate(group: Group, byRequest: number): Group {
    const { team_id, provided_id, token } = group;
    const rotations = (group.rotations || (this.#rotations.get(token) ?? 0)) + 1;
    this.#tokens.set(token, { teamId: team_id, providedId: provided_id, byRequest });
    return this.#put({ ...group, rotations, token: this.#newToken(team_id, provided_id, rotations) });
  }

  /** Starts again from `seed`, in place: requests that hold this store see the change. `bytes` is the size of the seed. */
  replaceSeed(seed: Seed, bytes = 0): void {
    for (const [token, held] of this.#tokens) {
      if (!isTombstone(held) && held.rotations > 0) this.#rotations.set(token, held.rotations);
    }
    for (const token of this.#rotations.keys())
      if (seed.withToken(token) === undefined) this.#rotations.delete(token);
    this.#seed = seed;
    this.#groups = new Map();
    this.#tokens = new Map();
    this.#added = 0;
    this.bytes = bytes;
    this.#version++;
  }

  copy(): GroupStore {
    const copy = new GroupStore(this.#world, this.#seed);
    copy.copyFrom(this);
    return copy;
  }

  copyFrom(other: GroupStore): void {
    this.#seed = other.#seed;
    this.#groups = new Map([...other.#groups].map(([team, groups]) => [team, new Map(groups)]));
    this.#tokens = new Map(other.#tokens);
    this.#rotations = new Map(other.#rotations);
    this.#added = other.#added;
    this.bytes = other.bytes;
    this.#version++;
  }

  #all(): Group[] {
    return this.#seed.teams.flatMap(({ team_id }) => {
      const changed = this.#groups.get(team_id) ?? [];
      return [...new Map([...this.#seed.ofTeam(team_id), ...changed]).values()];
    });
  }

  #put(group: Group): Group {
    let ofTeam = this.#groups.get(group.team_id);
    if (ofTeam === undefined) {
      ofTeam = new Map();
      this.#groups.set(group.team_id, ofTeam);
    }
    ofTeam.set(group.provided_id, group);
    this.#tokens.set(group.token, group);
    return group;
  }

  /** Skips tokens that are known already: an imported group may have the one that is derived next. */
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
