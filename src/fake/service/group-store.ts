import { fieldOf } from "../../foundation/json.js";
import type { Fixture, FixtureGroup, GroupDetail } from "../../generated/types.js";
import { exportGroup, type Group, newGroup, showDetail } from "../contract/group-fields.js";
import { addTo, groupKey, nameKey, newToken, newUuid, type Seed, seedPlace, widestId } from "./seed.js";

/** A token that a group has or had. */
interface HeldToken {
  /** `groupKey` of the group. */
  readonly key: string;
  /** How often the group had been rotated when it got the token. */
  readonly rotations: number;
  /** The request that rotated it out. */
  readonly rotatedOutBy: number | undefined;
}

/** A group that has or had a token. */
interface TokenHolder extends Pick<HeldToken, "rotatedOutBy"> {
  readonly group: Group;
  /** Whether it is the token before the current one. */
  readonly isPrevious: boolean;
}

/** Of derived tokens. */
const tokenLength = 64;

/** The groups of one epoch of a world: the seed, and what differs from it. */
export class GroupStore {
  readonly #world: string;
  readonly #epoch: number;
  /** The initial state, or the state that was loaded. */
  readonly seed: Seed;
  /** The groups that differ from the seed, by `groupKey`. */
  readonly #groups = new Map<string, Group>();
  /** The tokens that these groups have or had. */
  readonly #tokens = new Map<string, HeldToken>();
  /** `widestId` → `groupKey` of the groups that are not in the seed. */
  readonly #keysOfId = new Map<string, string[]>();
  /** `nameKey` → `groupKey` of the groups that differ from the seed. */
  readonly #keysOfName = new Map<string, string[]>();
  /** The lengths of tokens that were given in this state, and not derived. */
  readonly #givenLengths: Set<number>;
  /** The tokens of earlier states of the epoch: none repeats, even after an export and a load. */
  readonly #replaced: ReadonlySet<string>;
  #added = 0;
  /** How many groups earlier states of the epoch had. */
  readonly #numbersBefore: number;

  /** @param before the state that this one replaces */
  constructor(world: string, epoch: number, seed: Seed, before?: GroupStore) {
    this.#world = world;
    this.#epoch = epoch;
    this.seed = seed;
    this.#replaced = new Set(before?.issued);
    this.#givenLengths = new Set(seed.givenLengths);
    this.#numbersBefore = before === undefined ? 0 : before.#numbersBefore + before.size;
  }

  get size(): number {
    return this.seed.groups.size + this.#added;
  }

  /** How many groups differ from the seed. */
  get changed(): number {
    return this.#groups.size;
  }

  get(teamId: number, providedId: string): Group | undefined {
    return this.#find(groupKey(teamId, providedId));
  }

  /** The groups of all teams whose ids differ at most in case and in white space at their ends, oldest first. */
  similar(id: string): Group[] {
    const widest = widestId(id);
    const keys = [...this.seed.keysOfId(widest), ...(this.#keysOfId.get(widest) ?? [])];
    return keys.flatMap((key) => this.#find(key) ?? []);
  }

  /** The tokens that were issued in this epoch, oldest first. */
  get issued(): readonly string[] {
    return [...this.#replaced, ...this.#tokens.keys()];
  }

  /** A group of the team that has the name. */
  withName(teamId: number, name: string): Group | undefined {
    const ofName = nameKey(teamId, name);
    const inSeed = this.seed.keysOfName(ofName).find((key) => !this.#groups.has(key));
    const found = inSeed ?? this.#keysOfName.get(ofName)?.[0];
    return found === undefined ? undefined : this.#find(found);
  }

  /** The group that has or had the token. */
  withToken(token: string): TokenHolder | undefined {
    const held = this.#tokens.get(token);
    const group = held === undefined ? this.seed.byToken.get(token) : this.#find(held.key);
    if (group === undefined) return undefined;
    const isPrevious = held !== undefined && held.rotations === group.rotations - 1;
    return { group, rotatedOutBy: held?.rotatedOutBy, isPrevious };
  }

  /** Whether a text has the length of a token of this world: of a derived one, or of one that was given. */
  isWellFormed(token: string): boolean {
    return token.length === tokenLength || this.#givenLengths.has(token.length);
  }

  /** What a placeholder of a profile stands for, for one group. */
  placeholderOf(group: Group, name: string): unknown {
    const { team_id, provided_id, number } = group;
    if (name === "user_group_id") return provided_id;
    if (name === "number") return this.#numbersBefore + number;
    if (name !== "uuid") return fieldOf(group, name);
    const isSeeded = this.seed.groups.has(groupKey(team_id, provided_id));
    const place = isSeeded ? seedPlace : ([this.#world, this.#epoch] as const);
    return newUuid([this.seed.randomSeed, ...place, team_id, provided_id]);
  }

  list(): GroupDetail[] {
    return [...this.#all()].map(([key, group]) => showDetail(group, this.seed.groups.has(key)));
  }

  /** In the shape of a fixture, which can be imported again. */
  export(): Fixture {
    const user_groups = [...this.#all().values()].map(exportGroup);
    return { teams: this.seed.teams.map((team) => ({ ...team })), user_groups };
  }

  /** Adds a group. Its team must exist, its id and token must not. */
  add(given: FixtureGroup): Group {
    this.#added++;
    if (given.token !== undefined) this.#givenLengths.add(given.token.length);
    const group = newGroup(given, given.token ?? this.#newToken(given, 0), this.size);
    addTo(this.#keysOfId, widestId(group.provided_id), groupKey(group.team_id, group.provided_id));
    return this.put(group);
  }

  /** Replaces a group, or adds a new one. */
  put(group: Group): Group {
    const key = groupKey(group.team_id, group.provided_id);
    this.#putName(key, group);
    this.#groups.set(key, group);
    this.#tokens.set(group.token, { key, rotations: group.rotations, rotatedOutBy: undefined });
    return group;
  }

  /** Gives the group another token. */
  rotate(group: Group, byRequest: number): Group {
    const rotations = group.rotations + 1;
    const key = groupKey(group.team_id, group.provided_id);
    this.#tokens.set(group.token, { key, rotations: group.rotations, rotatedOutBy: byRequest });
    return this.put({ ...group, rotations, token: this.#newToken(group, rotations) });
  }

  #putName(key: string, { team_id, name }: Group): void {
    const before = this.#groups.get(key);
    if (before?.name === name) return;
    if (before !== undefined) {
      const ofName = nameKey(team_id, before.name);
      const others = (this.#keysOfName.get(ofName) ?? []).filter((other) => other !== key);
      this.#keysOfName.set(ofName, others);
    }
    addTo(this.#keysOfName, nameKey(team_id, name), key);
  }

  #find(key: string): Group | undefined {
    return this.#groups.get(key) ?? this.seed.groups.get(key);
  }

  #all(): Map<string, Group> {
    return new Map([...this.seed.groups, ...this.#groups]);
  }

  #newToken({ team_id, provided_id }: FixtureGroup, rotations: number): string {
    const parts = [this.seed.randomSeed, this.#world, this.#epoch, team_id, provided_id] as const;
    const isTaken = (token: string) => this.withToken(token) !== undefined || this.#replaced.has(token);
    return newToken(parts, rotations, isTaken);
  }
}
