import { isDeepStrictEqual } from "node:util";
import type {
  Fixture,
  FixtureGroup,
  FixtureTeam,
  GetOrCreateRequest,
  GroupDetail,
  RotateRequest,
  UserGroup,
} from "../generated/types.js";
import type { Group, Seed } from "../store/seed.js";
import { deriveToken } from "../store/tokens.js";
import { invalidBody } from "./check-body.js";
import type { Decisions } from "./decisions.js";
import type { Failure } from "./failures.js";
import type { Performed } from "./operations.js";

/** What is left of a token that was rotated. */
interface Retired {
  readonly teamId: number;
  readonly providedId: string;
  readonly byRequest: number;
}

/** Who calls, besides the body of the call. */
export interface Caller {
  readonly teamId: number;
  /** Number of the call: a token remembers which one rotated it out. */
  readonly request: number;
  readonly decisions: Decisions;
  /** Records a cause in plain words. */
  readonly note: (words: string) => void;
}

/**
 * The groups of one world: the seed, and on top only what differs. Operations never await between look-up and
 * change, so of many calls at once exactly one creates and exactly one rotates.
 */
export class UserGroups {
  readonly #world: string;
  #seed: Seed;
  #groups = new Map<number, Map<string, Group>>();
  /** Issued token → its group, or a tombstone once it was rotated. The seed knows its own tokens. */
  #tokens = new Map<string, Group | Retired>();
  /** Token of a group that was exported and loaded again → its rotations, to continue from there. */
  #rotations = new Map<string, number>();
  #created = 0;
  /** Counts how often teams and groups were replaced. */
  #version = 0;

  constructor(world: string, seed: Seed) {
    this.#world = world;
    this.#seed = seed;
  }

  /** Differs once teams and groups were replaced: a caller has to be authenticated again then. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    return this.#seed.size + this.#created;
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

  getOrCreate(body: GetOrCreateRequest, caller: Caller): Performed<"get-or-create"> | Failure {
    const found = this.#find(body.user_group_id, caller);
    if (found !== undefined) {
      const group = this.#changed(found, body, caller);
      const effect = group === found ? "found" : "updated";
      return { effect, body: { success: 1, new_user_group: false, user_group: shown(group) } };
    }
    const name = body.name ?? defaultName(body.user_group_id, caller.decisions);
    if (name === undefined) {
      return invalidBody("get-or-create", [{ path: "/name", message: "is required to create a group" }]);
    }
    const group: Group = {
      team_id: caller.teamId,
      provided_id: body.user_group_id,
      name,
      token: this.#newToken(caller.teamId, body.user_group_id, 0),
      mapping: body.mapping ?? {},
      properties: body.properties ?? {},
      rotations: 0,
    };
    this.#put(group);
    this.#created++;
    return { effect: "created", body: { success: 1, new_user_group: true, user_group: shown(group) } };
  }

  rotate(body: RotateRequest, caller: Caller): Performed<"rotate"> | Failure {
    const { decisions, teamId } = caller;
    const held = this.withToken(body.current_token);
    const group = held && (isRetired(held) ? this.get(held.teamId, held.providedId) : held);
    if (held === undefined || group === undefined)
      return unknownToken(body, "belongs to no group of this team");
    if (group.team_id !== teamId && decisions.decide("foreign-token") === "rejected") {
      return unknownToken(body, "belongs to a group of another team");
    }
    if (isRetired(held) && decisions.decide("old-token") === "rejected") {
      return unknownToken(body, `was rotated out by request ${held.byRequest}`);
    }
    if (decisions.decide("rotated-token") === "same")
      return { effect: "found", body: { success: 1, user_group: shown(group) } };
    const rotations = (group.rotations || (this.#rotations.get(group.token) ?? 0)) + 1;
    const rotated = {
      ...group,
      rotations,
      token: this.#newToken(group.team_id, group.provided_id, rotations),
    };
    this.#tokens.set(group.token, {
      teamId: group.team_id,
      providedId: group.provided_id,
      byRequest: caller.request,
    });
    this.#put(rotated);
    return { effect: "rotated", body: { success: 1, user_group: shown(rotated) } };
  }

  get teams(): readonly FixtureTeam[] {
    return this.#seed.teams;
  }

  /** Whether this world issued that token, also when it was rotated since. */
  issued(token: string): boolean {
    return this.#tokens.has(token);
  }

  /** In the shape of a fixture: importing it gives the same groups. */
  export(): Fixture {
    const user_groups = this.#all().map(({ rotations, ...exported }) => exported);
    return { teams: this.#seed.teams.map((team) => ({ ...team })), user_groups };
  }

  list(): GroupDetail[] {
    return this.#all().map((group) => this.#detail(group));
  }

  #detail(group: Group): GroupDetail {
    return { ...group, seeded: this.#seed.get(group.team_id, group.provided_id) !== undefined };
  }

  /** The group that has or had this token. */
  withToken(token: string): Group | Retired | undefined {
    return this.#tokens.get(token) ?? this.#seed.withToken(token);
  }

  /** Adds a group whose team is there and whose id and token are not. */
  add({ team_id, provided_id, name, token, mapping = {}, properties = {} }: FixtureGroup): GroupDetail {
    const given = token ?? this.#newToken(team_id, provided_id, 0);
    const group = { team_id, provided_id, name, token: given, mapping, properties, rotations: 0 };
    this.#put(group);
    this.#created++;
    return this.#detail(group);
  }

  /** Starts again from `seed`, in place: calls that hold these groups see the change. */
  restart(seed: Seed): void {
    for (const [token, held] of this.#tokens) {
      if (!isRetired(held) && held.rotations > 0) this.#rotations.set(token, held.rotations);
    }
    for (const token of this.#rotations.keys()) if (!seed.lists(token)) this.#rotations.delete(token);
    this.#seed = seed;
    this.#groups = new Map();
    this.#tokens = new Map();
    this.#created = 0;
    this.#version++;
  }

  copy(): UserGroups {
    const copy = new UserGroups(this.#world, this.#seed);
    copy.become(this);
    return copy;
  }

  become(other: UserGroups): void {
    this.#seed = other.#seed;
    this.#groups = new Map([...other.#groups].map(([team, groups]) => [team, new Map(groups)]));
    this.#tokens = new Map(other.#tokens);
    this.#rotations = new Map(other.#rotations);
    this.#created = other.#created;
    this.#version++;
  }

  #all(): Group[] {
    return this.#seed.teams.flatMap(({ team_id }) => {
      const changed = this.#groups.get(team_id) ?? [];
      return [...new Map([...this.#seed.ofTeam(team_id), ...changed]).values()];
    });
  }

  get(teamId: number, id: string): Group | undefined {
    return this.#groups.get(teamId)?.get(id) ?? this.#seed.get(teamId, id);
  }

  #find(id: string, { teamId, decisions }: Caller): Group | undefined {
    const own = this.get(teamId, id);
    if (own !== undefined) return own;
    for (const { team_id } of this.#seed.teams) {
      const foreign = this.get(team_id, id);
      if (foreign !== undefined) return decisions.decide("group-scope") === "global" ? foreign : undefined;
    }
    return undefined;
  }

  #put(group: Group): void {
    let ofTeam = this.#groups.get(group.team_id);
    if (ofTeam === undefined) {
      ofTeam = new Map();
      this.#groups.set(group.team_id, ofTeam);
    }
    ofTeam.set(group.provided_id, group);
    this.#tokens.set(group.token, group);
  }

  #changed(group: Group, body: GetOrCreateRequest, { decisions, note }: Caller): Group {
    const { name = group.name, mapping = group.mapping, properties = group.properties } = body;
    const sent = { name, mapping, properties };
    const differing = (["name", "mapping", "properties"] as const).filter(
      (field) => sent[field] !== group[field] && !isDeepStrictEqual(sent[field], group[field]),
    );
    if (differing.length === 0) return group;
    // Only the name shows in the answer, so only a different name makes the assumption decide it.
    const decides = differing.includes("name");
    if ((decides ? decisions.decide("existing-group") : decisions.peek("existing-group")) === "unchanged") {
      note(`the group exists and was left unchanged; this call differs from it in ${differing.join(", ")}`);
      return group;
    }
    const changed = { ...group, ...sent };
    this.#put(changed);
    return changed;
  }

  /** Skips tokens that are known already: an imported group may have the one that is derived next. */
  #newToken(teamId: number, providedId: string, rotations: number): string {
    for (let n = rotations; ; n++) {
      const token = deriveToken(this.#seed.randomSeed, this.#world, teamId, providedId, n);
      if (!this.#tokens.has(token) && !this.#seed.lists(token)) return token;
    }
  }
}

function isRetired(held: Group | Retired): held is Retired {
  return "byRequest" in held;
}

function defaultName(id: string, decisions: Decisions): string | undefined {
  return decisions.decide("name-on-create") === "defaults-to-id" ? id : undefined;
}

function unknownToken({ current_token }: RotateRequest, why: string): Failure {
  return {
    code: "unknown_token",
    unknownToken: current_token,
    message: `The current_token ${why}. Send the token that the newest answer for this group carried.`,
    note: `current_token ${why}`,
  };
}

/** What the service shows of a group: these four and nothing else. */
function shown({ team_id, token, name, provided_id }: Group): UserGroup {
  return { team_id, token, name, provided_id };
}
