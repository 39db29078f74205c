import { fieldOf } from "../../foundation/json.js";
import type { Fixture, FixtureGroup, GroupDetail, GroupName, Operation } from "../../generated/types.js";
import { type Group, newGroup } from "../contract/group-fields.js";
import { groupKey, newToken, type Seed } from "./seed.js";

/** What names a group, without the rest of it. */
export function nameOf({ team_id, provided_id }: Group): GroupName {
  return { team_id, provided_id };
}

/** The groups of one epoch of a world: the seed, and what differs from it. */
export class GroupStore {
  readonly #world: string;
  readonly #epoch: number;
  /** The initial state, or the state that was loaded. */
  readonly seed: Seed;
  /** The groups that differ from the seed, by `groupKey`. */
  readonly #groups = new Map<string, Group>();
  /** The tokens that these groups have or had → `groupKey`, and the request that rotated it out. */
  readonly #tokens = new Map<string, { readonly key: string; readonly rotatedOutBy: number | undefined }>();
  /** The tokens of earlier states of the epoch: none repeats, even after an export and a load. */
  readonly #replaced: ReadonlySet<string>;
  #added = 0;

  /** @param before the state that this one replaces */
  constructor(world: string, epoch: number, seed: Seed, before?: GroupStore) {
    this.#world = world;
    this.#epoch = epoch;
    this.seed = seed;
    this.#replaced = new Set(before?.issued);
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

  /** The group that has or had the token. @returns `rotatedOutBy`: the request that replaced the token */
  withToken(token: string): { readonly group: Group; readonly rotatedOutBy: number | undefined } | undefined {
    const held = this.#tokens.get(token);
    const group = held === undefined ? this.seed.byToken.get(token) : this.#find(held.key);
    return group && { group, rotatedOutBy: held?.rotatedOutBy };
  }

  /** The tokens that were issued in this epoch, oldest first. */
  get issued(): readonly string[] {
    return [...this.#replaced, ...this.#tokens.keys()];
  }

  /** The group that a body names: by its id, whether or not it exists, or by a token that it has or had. */
  named(operation: Operation, body: unknown, teamId?: number): GroupName | undefined {
    const isById = operation === "get-or-create";
    const name = fieldOf(body, isById ? "user_group_id" : "current_token");
    if (typeof name !== "string") return undefined;
    if (!isById) {
      const found = this.withToken(name);
      return found && nameOf(found.group);
    }
    return teamId === undefined ? { provided_id: name } : { team_id: teamId, provided_id: name };
  }

  list(): GroupDetail[] {
    return [...this.#all()].map(([key, group]) => ({ ...group, seeded: this.seed.groups.has(key) }));
  }

  /** In the shape of a fixture, which can be imported again. */
  export(): Fixture {
    const user_groups = [...this.#all().values()].map(({ rotations, ...exported }) => exported);
    return { teams: this.seed.teams.map((team) => ({ ...team })), user_groups };
  }

  /** Adds a group. Its team must exist, its id and token must not. */
  add(given: FixtureGroup): Group {
    this.#added++;
    return this.put(newGroup(given, given.token ?? this.#newToken(given, 0)));
  }

  /** Replaces a group, or adds a new one. */
  put(group: Group): Group {
    const key = groupKey(group.team_id, group.provided_id);
    this.#groups.set(key, group);
    this.#tokens.set(group.token, { key, rotatedOutBy: undefined });
    return group;
  }

  /** Gives the group another token. */
  rotate(group: Group, byRequest: number): Group {
    const rotations = group.rotations + 1;
    const key = groupKey(group.team_id, group.provided_id);
    this.#tokens.set(group.token, { key, rotatedOutBy: byRequest });
    return this.put({ ...group, rotations, token: this.#newToken(group, rotations) });
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
