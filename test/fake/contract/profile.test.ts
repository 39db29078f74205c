import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import ledgerSchema from "../../../schemas/admin/assumptions.response.json" with { type: "json" };
import profileSchema from "../../../schemas/profile.json" with { type: "json" };
import { knownService } from "../../../src/fake/contract/profile.js";
import { profileProblems } from "../../../src/fake/contract/profile-problems.js";
import { loadProfileValidators, type ProfileValidators } from "../../../src/fake/contract/schemas.js";
import {
  canReject,
  defaultOutcome,
  isSuccess,
  outcomeFor,
  rowOf,
  situationIds,
  wordsOf,
} from "../../../src/fake/contract/situations.js";
import { Behaviour } from "../../../src/fake/service/behaviour.js";
import { startMock } from "../../../src/index.js";
import { draws } from "../../long.js";
import { meet, startWithTwoTeams } from "../service/meet-situation.js";

describe("several profiles", () => {
  it("have the situations of all, and a later one wins situation by situation, as a whole", async () => {
    const profile = [
      {
        situations: {
          "other path": { status: 410, headers: { "X-A": "a" }, body: { first: 1 } },
          "other method": { status: 411 },
          "name: number": { status: 412 },
        },
      },
      { situations: { "other path": { status: 420 }, "name: number": "accepted" } },
    ] as const;
    await using mock = await startWithTwoTeams({ profile });
    const path = await meet(mock.url, "other path");
    expect([path.status, path.headers["x-a"], path.json.error.code]).toEqual([420, undefined, "not_found"]);
    expect((await meet(mock.url, "other method")).status).toBe(411);
    expect((await meet(mock.url, "name: number")).json.user_group.name).toBe("7");
  });

  it("have verified of the last one that has it", () => {
    const verified = { against: "https://service.example", on: "2026-11-19" };
    expect(knownService([{ verified }, { situations: {} }]).verified).toEqual(verified);
  });

  it("stay the same after a reset, and are shown with their limits", async () => {
    await using mock = await startMock({
      profile: { situations: { "name: long": { over: 3, status: 422 } } },
    });
    await mock.reset();
    expect((await meet(mock.url, "found")).status).toBe(422);
    const response = await fetch(`${mock.url}/__admin/assumptions`);
    const { situations } = (await response.json()) as { situations: object[] };
    expect(situations).toHaveLength(situationIds.length);
    expect(situations).toContainEqual(
      expect.objectContaining({ situation: "name: long", outcome: "rejected", limit: 3, source: "profile" }),
    );
    expect(situations).toContainEqual(
      expect.objectContaining({ situation: "name: blank", outcome: "accepted", source: "assumed" }),
    );
    expect(situations).toContainEqual(
      expect.objectContaining({ situation: "other scheme", outcome: "rejected", source: "documented" }),
    );
  });
});

describe("a word of a profile", () => {
  const outcomeOf = (id: (typeof situationIds)[number], said: unknown) =>
    Behaviour.from(knownService([{ situations: { [id]: said } }])).outcome(id);

  it("means the same as an object with it and a reason", () => {
    for (const id of situationIds)
      for (const word of wordsOf(id)) {
        expect([id, outcomeOf(id, word)]).toEqual([id, outcomeFor(id, word)]);
        expect([id, outcomeOf(id, { outcome: word, because: "ticket 42" })]).toEqual([
          id,
          outcomeFor(id, word),
        ]);
      }
  });

  it("that is accepted means the default, or the first other outcome if that is a rejection", () => {
    for (const id of situationIds.filter((one) => wordsOf(one).includes("accepted"))) {
      const usual = rowOf(id).outcomes.includes("accepted") ? "accepted" : defaultOutcome(id);
      const expected = usual === "rejected" ? rowOf(id).outcomes[1] : usual;
      expect([id, outcomeOf(id, "accepted")]).toEqual([id, expected]);
    }
  });

  it("is rejected if an object has none, also if the object has only a reason", () => {
    for (const id of situationIds.filter((one) => canReject(one) && rowOf(one).limit === undefined))
      for (const said of [{}, { because: "seen" }, { status: 418 }])
        expect([id, outcomeOf(id, said)]).toEqual([id, "rejected"]);
  });
});

describe("the schema of profiles, for editors", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-problem", "x-well-formed", "x-stored-text", "tsType"]);
  ajv.addSchema(ledgerSchema);
  const validate = ajv.compile(profileSchema);
  let validators: ProfileValidators;
  beforeAll(async () => {
    validators = await loadProfileValidators();
  });

  const headers = fc.dictionary(
    fc.constantFrom("X-A", "Location", "Content-Type", "Date"),
    fc.option(fc.string()),
  );
  const rejection = fc.record(
    {
      outcome: fc.constantFrom("rejected", "accepted", "kept", "empty"),
      because: fc.string(),
      over: fc.integer({ min: -1, max: 9 }),
      under: fc.integer({ min: 0, max: 9 }),
      characters: fc.constantFrom("a-z", "space other", "z-a", ""),
      status: fc.constantFrom(200, 299, 204, 404, 599, 600),
      headers,
      body: fc.jsonValue(),
      text: fc.string(),
    },
    { requiredKeys: [] },
  );
  /** What a profile says of one situation: mostly something that it can say. */
  const said = fc.constantFrom(...situationIds).chain((id) => {
    const { limit } = rowOf(id);
    const word = fc.constantFrom(...wordsOf(id), "accepted", "rejected");
    const withWord = fc.record({ outcome: word, because: fc.string() });
    const withLimit = rejection.map(({ over, under, characters, ...others }) => ({
      ...others,
      ...(limit !== undefined && { [limit]: limit === "characters" ? "a-z" : 3 }),
    }));
    const success = fc.record({ status: fc.constantFrom(200, 202, 300), headers, body: fc.object() });
    const one = fc.oneof(
      word,
      withWord,
      rejection,
      withLimit,
      isSuccess(id) ? success : fc.record({ headers }),
    );
    return one.map((value) => [id, value] as const);
  });
  const profiles = fc.array(said, { maxLength: 3 }).map((all) => ({ situations: Object.fromEntries(all) }));

  it("accepts what a start accepts", () => {
    let accepted = 0;
    const property = fc.property(profiles, (profile) => {
      if (profileProblems(profile, validators).length > 0) return;
      accepted++;
      expect(validate(profile), ajv.errorsText(validate.errors)).toBe(true);
    });
    const runs = draws(1_000, 20_000);
    fc.assert(property, { seed: 20261119, numRuns: runs });
    expect(accepted).toBeGreaterThan(runs / 5);
  });

  it("rejects an unknown situation, and a word that the situation does not have", () => {
    for (const situations of [
      { "name: nul": "rejected" },
      { "name: null": "ignored" },
      { gzip: { over: "x" } },
    ])
      expect(validate({ situations })).toBe(false);
  });
});
