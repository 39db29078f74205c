import { beforeAll, describe, expect, it } from "vitest";
import {
  canReject,
  outcomeFor,
  rowOf,
  type SituationId,
  situationIds,
} from "../../../src/fake/contract/situations.js";
import { startMock } from "../../../src/index.js";
import { hasQuestion } from "../../../src/lab/verify/ask/questions.js";
import { Draw } from "../../../src/lab/verify/check/further.js";
import type { Learned } from "../../../src/lab/verify/learn/learn.js";
import { verifyService } from "../../../src/lab/verify/verify-service.js";
import { draws } from "../../long.js";
import { fastPatience, startKnowing, targetAt } from "./asking.js";

// A mock with a profile is a service whose behaviour is known: what verify learns of it has to be that profile.

/** Situations that hide others: without a group, a token or a body, nothing else can be seen. */
const hiding: ReadonlySet<SituationId> = new Set<SituationId>([
  "user_group_id: long",
  "user_group_id: characters",
  "name: characters",
  "name: short",
  "GET: no body",
  "several problems",
  "name: blank",
  // verify asks it only where a new group has a limit, too.
  "existing group: name long",
]);

const drawn = situationIds.filter(
  (row) => hasQuestion(row) && !hiding.has(row) && !/^(created|found|rotated)$/.test(row),
);

/** A random profile: some rows have another outcome, and each code has a response of its own. */
function randomSituations(seed: string): Record<string, unknown> {
  const draw = new Draw(seed);
  const situations: Record<string, unknown> = {
    created: { status: draw.pick([200, 201]), headers: { Location: "/groups/{user_group_id}" }, body: shown },
    found: { body: shown },
    rotated: { body: shown },
  };
  for (const row of drawn) if (draw.below(4) === 0) situations[row] = randomOutcome(row, draw);
  // A service that stores another form of an id also finds the group by it.
  for (const form of ["capitals", "spaces"])
    if (situations[`new id: ${form}`] !== undefined) situations[`user_group_id: ${form}`] = "same group";
  return Object.fromEntries(
    situationIds.filter((row) => row in situations).map((row) => [row, situations[row]]),
  );
}

const shown = { user_group: { mapping: "{mapping}", extras: "{properties}", id: "{number}" } };

function randomOutcome(row: SituationId, draw: Draw): unknown {
  const { outcomes, limit, code } = rowOf(row);
  const outcome = draw.pick<string>(outcomes);
  if (outcome !== "rejected") return limit === undefined ? outcome : "accepted";
  const status = draw.pick([400, 409, 422, 403]);
  const body = { success: 0, code: `${code}`, field: "{field}", row: row.replace(/[^a-z]/gi, "") };
  return {
    ...(limit === "over" && { over: 40 + draw.below(100) }),
    ...(limit === "under" && { under: 3 }),
    ...(limit === "characters" && { characters: "A-Z a-z _" }),
    status,
    body,
  };
}

describe("verify learns a random profile back from a mock that has it, and finds nothing changed", () => {
  const seeds = Array.from({ length: draws(6, 60) }, (_, n) => `seed ${n}`);

  it.each(seeds)("%s", async (seed) => {
    await using mock = await startKnowing(randomSituations(seed));
    const first = await verifyService(targetAt(mock.url), { patience: fastPatience });
    const { situations: learned } = first.learned;
    expect(first.checked?.different.filter(({ mockIs }) => mockIs === "lenient")).toEqual([]);
    // What was learned is a fixed point: a mock that has it is learned in the same way.
    await using second = await startMock({ profile: { situations: learned } });
    const again = await verifyService(targetAt(second.url), { patience: fastPatience });
    // Of what is not known, the mock does what it assumes.
    const known = Object.entries(again.learned.situations).filter(([row]) => row in learned);
    expect(Object.fromEntries(known)).toEqual(learned);
    for (const isWhole of [false, true]) {
      const options = { patience: fastPatience, expected: learned, isWhole };
      expect((await verifyService(targetAt(mock.url), options)).changes).toEqual([]);
    }
  });
});

describe("--expect finds a changed situation, and no other", () => {
  /** At night, only what leaves no group is asked. */
  const light: readonly SituationId[] = [
    "name: number",
    "mapping: text",
    "gzip",
    "current_token: previous",
    "GET: unknown field",
    "other path",
    "existing group: other name",
  ];

  let learned: Learned;
  beforeAll(async () => {
    await using before = await startMock();
    ({ learned } = await verifyService(targetAt(before.url), { patience: fastPatience }));
  });

  it.each(light)("%s", async (row) => {
    const other = rowOf(row).outcomes.find(
      (outcome) => outcome !== outcomeFor(row, String(learned.situations[row])),
    );
    const changed = canReject(row) ? { status: 451 } : other;
    await using after = await startKnowing({ [row]: changed });
    const options = { patience: fastPatience, expected: learned.situations };
    const { changes } = await verifyService(targetAt(after.url), options);
    expect(changes?.map(({ situation }) => situation)).toContain(row);
    const alike = changes?.filter(
      ({ situation }) => rowOf(situation as SituationId).code !== rowOf(row).code,
    );
    expect(alike).toEqual([]);
    const left = (await after.groups()).filter(({ seeded }) => !seeded);
    expect(left.length).toBeLessThanOrEqual(6);
  });
});

it("says nothing about other teams with a second API token that the service rejects", async () => {
  await using mock = await startMock();
  const target = targetAt(mock.url, { secondApiToken: "of-nobody" });
  const { learned, run } = await verifyService(target, { patience: fastPatience });
  for (const row of ["current_token: of the other team", "id of the other team's group"] as const) {
    expect(learned.situations).not.toHaveProperty([row]);
    expect(run.notAsked.get(row)?.kind).toBe("the second API token was rejected");
  }
});
