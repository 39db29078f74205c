import type { FixtureTeam, GroupDetail } from "../generated/types.js";

/** A group with all that is stored of it. Never changed in place: worlds share the groups of the seed. */
export type Group = Readonly<Omit<GroupDetail, "seeded">>;

/** What the fixtures loaded. Whoever asks twice gets the same answer: it never changes while the server runs. */
export interface Seed {
  /** What tokens are derived from. */
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  /** How many groups there are. */
  readonly size: number;
  get(teamId: number, providedId: string): Group | undefined;
  withToken(token: string): Group | undefined;
  /** Whether a fixture gives this token to a group: no derived token may repeat it. */
  lists(token: string): boolean;
  /** provided_id → group. */
  ofTeam(teamId: number): Iterable<[string, Group]>;
}
