import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AssumptionId,
  type AssumptionValues,
  defaultAssumptions,
} from "../../../src/contract/assumptions.js";
import type { Fixture } from "../../../src/generated/types.js";
import { startMock, type World } from "../../../src/index.js";
import { type Report, verifyService } from "../../../src/lab/verify/verify-service.js";
import { draws } from "../../long.js";
import { mixtures } from "../../mixtures.js";
import { ownMock } from "../../world/own-world.js";

const drawn = fc.sample(mixtures, { numRuns: draws(6, 200), seed: 20261 });

/** The values of a mixture that verify can find: null if no request can show the value. */
function visible(mixture: AssumptionValues, hidden: readonly AssumptionId[] = []) {
  const without = { ...mixture, ...Object.fromEntries(hidden.map((id) => [id, null])) };
  // A token that is never replaced never becomes an old one.
  return mixture["rotated-token"] === "same" ? { ...without, "old-token": null } : without;
}

const valuesIn = ({ assumptions }: Report) =>
  Object.fromEntries(assumptions.map(({ id, value }) => [id, value]));
const whyOf = ({ assumptions }: Report, wanted: AssumptionId) =>
  assumptions.find(({ id }) => id === wanted)?.why;

const twoTokens = { apiToken: "test-api-token", secondApiToken: "other-api-token" };

/** Verifies `world`, and checks that this did not change the groups of others. */
async function verify(world: World, tokens: { apiToken: string; secondApiToken?: string }) {
  const before = await world.state();
  const report = await verifyService({ baseUrl: world.url, ...tokens });
  expectOnlyOwnGroups(before, await world.state(), report.prefix);
  return report;
}

function expectOnlyOwnGroups(before: Fixture, after: Fixture, prefix: string): void {
  const known = before.user_groups ?? [];
  const [others, own] = [
    (after.user_groups ?? []).filter((group) => isKnown(group)),
    (after.user_groups ?? []).filter((group) => !isKnown(group)),
  ];
  expect(others).toEqual(known);
  expect(after.teams).toEqual(before.teams);
  const numeric = own.filter(({ provided_id }) => !provided_id.startsWith(`${prefix}-`));
  expect(own.length).toBeGreaterThan(numeric.length);
  expect(numeric.length).toBeLessThanOrEqual(1);
  // A number cannot have the prefix, so the name has it.
  for (const { provided_id, name } of numeric) {
    expect(provided_id).toMatch(/^\d{16}$/);
    expect(name.startsWith(`${prefix}-`)).toBe(true);
  }

  function isKnown({ team_id, provided_id }: { team_id: number; provided_id: string }): boolean {
    return known.some((group) => group.team_id === team_id && group.provided_id === provided_id);
  }
}

function expectFound(report: Report, mixture: AssumptionValues): void {
  const shown = JSON.stringify(mixture);
  expect(
    report.facts.filter(({ verdict }) => verdict !== "holds"),
    shown,
  ).toEqual([]);
  expect(valuesIn(report), shown).toEqual(visible(mixture));
  for (const { value, why } of report.assumptions) expect(why === undefined, shown).toBe(value !== null);
}

describe("verify against the mock", () => {
  const own = ownMock();

  it.each([...drawn.entries()])("finds mixture %i in a world that assumes it", async (n, mixture) => {
    const world = own.mock.world(`mixture-${n}`);
    await world.assume(mixture);
    expectFound(await verify(world, twoTokens), mixture);
  });

  it("finds the defaults of a mock without assumptions", async () => {
    const { mock: server } = own;
    const report = await verify(server, twoTokens);
    expectFound(report, defaultAssumptions);
    expect(report.assumptions.map(({ default: usual }) => usual)).toEqual(Object.values(defaultAssumptions));
    expect(report.against).toBe(server.url);
    // verify prints about how many groups it creates.
    const made = (await server.health()).groups - 5;
    expect(made).toSatisfy((count: number) => count > 15 && count < 35);
  });
});

describe("the questions of verify about two teams", () => {
  const aboutTwoTeams = ["group-scope", "foreign-token"] as const;
  const fixtures = {
    teams: [
      { team_id: 1, api_tokens: ["one", "one-too"] },
      { team_id: 2, api_tokens: ["two"] },
    ],
    user_groups: [{ team_id: 2, provided_id: "other", name: "Other" }],
  };
  const otherwise = {
    ...defaultAssumptions,
    "group-scope": "global",
    "foreign-token": "accepted",
  } as const satisfies AssumptionValues;

  it.each([
    ["no second API token", {}, defaultAssumptions, /two teams: pass --second-api-token/],
    [
      "a token of the same team",
      { secondApiToken: "one-too" },
      defaultAssumptions,
      /belong to the same team/,
    ],
    ["an unknown token", { secondApiToken: "unknown" }, otherwise, /second API token was rejected.*401/],
    [
      "an unknown token that counts as one of the first team",
      { secondApiToken: "unknown" },
      { ...otherwise, "api-tokens": "any" } as const,
      /belong to the same team/,
    ],
  ])("are not determinable with %s", async (_, second, assume, why) => {
    await using mock = await startMock({ fixtures, assume });
    const report = await verify(mock, { apiToken: "one", ...second });
    expect(valuesIn(report)).toEqual(visible(assume, aboutTwoTeams));
    for (const id of aboutTwoTeams) expect(whyOf(report, id)).toMatch(why);
    expect(report.facts.filter(({ verdict }) => verdict === "broken")).toEqual([]);
  });
});
