import type { FixtureTeam, GroupDetail } from "../contract/types.js";

/** A group with all that is stored of it. Never changed in place: worlds share the groups of the seed. */
export type Group = Readonly<Omit<GroupDetail, "seeded">>;

/** What the fixtures loaded. It never changes while the server runs. */
export interface Seed {
  /** What tokens are derived from. */
  readonly randomSeed: string;
  readonly teams: readonly FixtureTeam[];
  /** API token → team. */
  readonly apiTokens: ReadonlyMap<string, number>;
  /** Team → provided_id → group. */
  readonly groups: ReadonlyMap<number, ReadonlyMap<string, Group>>;
  /** Token → group. */
  readonly byToken: ReadonlyMap<string, Group>;
}
