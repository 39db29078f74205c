import { expect } from "vitest";
import type { Fixture, FixtureGroup } from "../../src/generated/types.js";
import { type Model, ok, type Real, type Sender, senderOf } from "./command.js";
import type { ModelFault, ModelSeed, ModelWorld } from "./plain-model.js";

export function seedOf({ teams = [], user_groups = [] }: Fixture): ModelSeed {
  return {
    teams: new Map(teams.flatMap(({ team_id, api_tokens }) => api_tokens.map((token) => [token, team_id]))),
    groups: user_groups.map(({ team_id, provided_id, name, token = "", mapping = {}, properties = {} }) => ({
      team: team_id,
      id: provided_id,
      name,
      token,
      mapping,
      properties,
    })),
  };
}

type Keyed = Pick<FixtureGroup, "team_id" | "provided_id">;

/** Compares everything that a world shows. */
export async function look(model: ModelWorld, { admin }: Sender, name: string): Promise<void> {
  const state: Fixture = await ok(admin("GET", "/state"));
  const byKey = (a: Keyed, b: Keyed) => a.team_id - b.team_id || (a.provided_id < b.provided_id ? -1 : 1);
  const groups = [...model.groups.values()].map(({ team, id, name, token, mapping, properties }) => ({
    team_id: team,
    provided_id: id,
    name,
    token,
    mapping,
    properties,
  }));
  expect([...(state.user_groups ?? [])].sort(byKey)).toEqual(groups.sort(byKey));
  expect(seedOf(state).teams).toEqual(model.teams);
  const { requests } = await ok(admin("GET", "/requests"));
  expect(
    requests.map(({ id, operation, outcome, fault }: ModelWorld["journal"][number]) => ({
      id,
      operation,
      outcome,
      fault,
    })),
  ).toEqual(model.journal);
  const { faults } = await ok(admin("GET", "/faults"));
  expect(faults.map(({ id, fired }: ModelFault) => [id, fired])).toEqual(
    model.faults.map(({ id, fired }) => [id, fired]),
  );
  const { assumptions } = await ok(admin("GET", "/assumptions"));
  const changed = assumptions
    .filter(({ value, ...entry }: Record<string, string>) => value !== entry.default)
    .map(({ id, value }: Record<string, string>) => [id, value]);
  expect(Object.fromEntries(changed)).toEqual(model.assumed);
  expect(await ok(admin("GET", "/health"))).toMatchObject({ world: name, groups: model.groups.size });
}

/** Compares everything that every world shows. */
export async function lookEverywhere(model: Model, real: Real): Promise<void> {
  for (const [name, world] of model.worlds) await look(world, senderOf(real, name), name);
  const { worlds } = await ok(senderOf(real, "default").admin("GET", "/worlds"));
  const expected = [...model.worlds].map(([name, { groups, journal }]) => ({
    name,
    groups: groups.size,
    requests: journal.length,
    failures: journal.filter(({ outcome }) => outcome === "failure").length,
  }));
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  expect(worlds.sort(byName)).toEqual(expected.sort(byName));
}
