import { fieldOf } from "../../foundation/json.js";
import type { Fixture, FixtureGroup, GroupDetail } from "../../generated/types.js";
import { exportGroup, type Group, newGroup, showDetail } from "../contract/group-fields.js";
import { GroupIndex, groupKey, nameKey, widestId } from "./group-index.js";
import { newToken, newUuid, type Seed, seedPlace, tokenLength } from "./seed.js";

/** A group that has or had a token. */
interface TokenHolder {
  readonly group: Group;
  /** The request that rotated it out. */
  readonly rotatedOutBy: number | undefined;
  /** Whether it is the token before the current one. */
  readonly isPrevious: boolean;
}

/** The groups of a world: the seed, and what differs from it. */
export class GroupStore {
  readonly #world: string;
  readonly #epoch: number;
  /** The initial state, or the state that was loaded. */
  readonly seed: Seed;
  /** The groups that differ from the seed. */
  readonly #own = new GroupIndex();
  /** The lengths of tokens that were given in this state, and not derived. */
  readonly #givenLengths: Set<number>;
  /** The tokens of earlier states of the world: none repeats, even after an export and a load. */
  readonly #replaced: ReadonlySet<string>;
  #added = 0;
  /** How many groups earlier states of the world had. */
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
    return this.seed.index.groups.size + this.#added;
  }

  /** How many groups differ from the seed. */
  get changed(): number {
    return this.#own.groups.size;
  }

  get(teamId: number, providedId: string): Group | undefined {
    return this.#find(groupKey(teamId, providedId));
  }

  /** The groups of all teams whose ids differ at most in case and in white space at their ends, oldest first. */
  similar(id: string): Group[] {
    const widest = widestId(id);
    const { index } = this.seed;
    const added = this.#own.keysOfId(widest).filter((key) => !index.groups.has(key));
    return [...index.keysOfId(widest), ...added].flatMap((key) => this.#find(key) ?? []);
  }

  /** The tokens that the world has issued, oldest first. */
  get issued(): readonly string[] {
    return [...this.#replaced, ...this.#own.tokens.keys()];
  }

  /** A group of the team that has the name. */
  withName(teamId: number, name: string): Group | undefined {
    const ofName = nameKey(teamId, name);
    const inSeed = this.seed.index.keysOfName(ofName).find((key) => !this.#own.groups.has(key));
    const found = inSeed ?? this.#own.keysOfName(ofName)[0];
    return found === undefined ? undefined : this.#find(found);
  }

  /** The group that has or had the token. */
  withToken(token: string): TokenHolder | undefined {
    const held = this.#own.tokens.get(token) ?? this.seed.index.tokens.get(token);
    const group = held && this.#find(held.key);
    if (held === undefined || group === undefined) return undefined;
    const { rotatedOutBy, rotations } = held;
    return { group, rotatedOutBy, isPrevious: rotations === group.rotations - 1 };
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
    const isSeeded = this.#isSeeded(groupKey(team_id, provided_id));
    const place = isSeeded ? seedPlace : ([this.#world, this.#epoch] as const);
    return newUuid([this.seed.randomSeed, ...place, team_id, provided_id]);
  }

  list(): GroupDetail[] {
    return [...this.#all()].map(([key, group]) => showDetail(group, this.#isSeeded(key)));
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
    return this.put(newGroup(given, given.token ?? this.#newToken(given, 0), this.size));
  }

  /** Replaces a group, or adds a new one. */
  put(group: Group): Group {
    this.#own.put(group);
    return group;
  }

  /** Gives the group another token. */
  rotate(group: Group, byRequest: number): Group {
    const rotations = group.rotations + 1;
    this.#own.rotateOut(group, byRequest);
    return this.put({ ...group, rotations, token: this.#newToken(group, rotations) });
  }

  #isSeeded(key: string): boolean {
    return this.seed.index.groups.has(key);
  }

  #find(key: string): Group | undefined {
    return this.#own.groups.get(key) ?? this.seed.index.groups.get(key);
  }

  #all(): Map<string, Group> {
    return new Map([...this.seed.index.groups, ...this.#own.groups]);
  }

  #newToken({ team_id, provided_id }: FixtureGroup, rotations: number): string {
    const parts = [this.seed.randomSeed, this.#world, this.#epoch, team_id, provided_id] as const;
    const isTaken = (token: string) => this.withToken(token) !== undefined || this.#replaced.has(token);
    return newToken(parts, rotations, isTaken);
  }
}
