import { describe, expect, it } from "vitest";
import {
  canReject,
  isSuccess,
  type SituationId,
  situationIds,
  situations,
} from "../../../../src/fake/contract/situations.js";
import { hasQuestion, questions } from "../../../../src/lab/verify/ask/questions.js";
import { learn } from "../../../../src/lab/verify/learn/learn.js";
import { Secrets } from "../../../../src/lab/verify/learn/secrets.js";
import { meetingOf, otherOutcomes } from "../../../fake/service/meet-situation.js";
import { askAbout, startKnowing } from "../asking.js";

/** What is accepted, where only the rest is rejected. */
const limits: { readonly [Id in SituationId]?: object } = {
  "user_group_id: long": { over: 40 },
  "user_group_id: short": { under: 3 },
  "user_group_id: characters": { characters: "A-Z a-z 0-9 - _ space" },
  "user_group_id: first character": { characters: "A-Z a-z" },
  "name: long": { over: 50 },
  "name: short": { under: 3 },
  "name: characters": { characters: "A-Z a-z 0-9 - space & other" },
  "existing group: name long": { over: 50 },
  "mapping value: long": { over: 50 },
};

/** So that what becomes of the mapping of a group that exists can be seen. */
const isReplaced = {
  "existing group: other mapping": "replaced",
  "existing group: other properties": "replaced",
};

/** What the mock has to do in other situations, so that this one can be met or seen. */
const where: { readonly [Id in SituationId]?: object } = {
  "existing group: name long": { "name: long": { over: 50 } },
  "new id: capitals": { "user_group_id: capitals": "same group" },
  "new id: spaces": { "user_group_id: spaces": "same group" },
  "existing group: name null": { "existing group: other name": "replaced" },
  "existing group: name number": { "existing group: other name": "replaced" },
  "existing group: name empty": { "existing group: other name": "replaced" },
  "name: null": { "name: missing": "accepted" },
  "name: list": { "name: missing": "accepted" },
  "name: object": { "name: missing": "accepted" },
  "name: empty": { "name: missing": "accepted" },
  "user_group_id: empty": { "name: missing": "accepted" },
  "user_group_id: short": { "name: missing": "accepted" },
  "mapping: list": isReplaced,
  "mapping value: number": isReplaced,
  "mapping value: boolean": isReplaced,
  "properties value: null": isReplaced,
  "properties: list": isReplaced,
};

/** The service shows mapping and properties, so that what becomes of them can be seen. */
const shown = { body: { user_group: { mapping: "{mapping}", properties: "{properties}" } } };
const showing = { created: shown, found: shown, rotated: shown };

const asked = situationIds.filter(hasQuestion);
const rejectable = asked.filter(canReject);
const performed = asked.flatMap((row) => {
  const isAskable = !isSuccess(row) && row !== "several problems" && limits[row] === undefined;
  if (!isAskable) return [];
  // After these, the request is rejected in another situation.
  const isSeen = (outcome: string) => !("later" in (meetingOf(row).does[outcome] ?? {}));
  return otherOutcomes(row)
    .filter(isSeen)
    .map((outcome) => [row, outcome] as const);
});

describe("the request of a question meets its situation, says the mock", () => {
  it.each(rejectable)("%s", async (row) => {
    await using mock = await startKnowing({ ...where[row], [row]: { ...limits[row], status: 418 } });
    const { seen } = await askAbout(row, mock.url);
    const { status, headers } = seen.received;
    expect([status, headers["usergroup-mock-situation"], seen.outcome]).toEqual([418, row, undefined]);
  });
});

describe("verify sees how a mock carries a situation out", () => {
  it.each(performed)("%s, %s", async (row, outcome) => {
    await using mock = await startKnowing({ ...showing, ...where[row], [row]: outcome });
    const { seen } = await askAbout(row, mock.url);
    expect(seen.outcome).toBe(outcome);
  });

  it.each(asked.filter((row) => limits[row] !== undefined))("%s, accepted", async (row) => {
    if (/^existing group: name/.test(row)) return;
    await using mock = await startKnowing({ ...where[row], [row]: "accepted" });
    expect((await askAbout(row, mock.url)).seen.outcome).toBe("accepted");
  });

  it.each(situations["several problems"].outcomes)("several problems, %s", async (word) => {
    const errors = (name: string) => ({ status: 422, body: { errors: { [name]: ["{field}"] } } });
    const mixed = {
      "user_group_id: missing": errors("a"),
      "name: number": errors("b"),
      "mapping: text": errors("c"),
      "name: missing": errors("d"),
      "mapping: missing": errors("e"),
    };
    await using mock = await startKnowing({ ...mixed, "several problems": word });
    const { run } = await askAbout("several problems", mock.url);
    expect(learn(run, new Secrets([])).situations["several problems"]).toBe(word);
  });
});

describe("the limit of a text is found", () => {
  const secrets = new Secrets([]);
  const learned = async (row: SituationId, said: object, others: object = {}) => {
    await using mock = await startKnowing({ ...others, [row]: said });
    const { run } = await askAbout(row, mock.url);
    return learn(run, secrets).situations[row];
  };

  it.each([20, 21, 37, 64, 100, 255, 299])("at most %i characters", async (over) => {
    const message = { status: 422, body: { message: `at most ${over} characters` } };
    expect(await learned("user_group_id: long", { over })).toMatchObject({ over });
    expect(await learned("name: long", { over, ...message })).toMatchObject({ over });
  });

  it.each([2, 3, 5])("at least %i characters", async (under) => {
    expect(await learned("name: short", { under })).toMatchObject({ under });
    const { body } = { body: { message: `user_group_id: at least ${under}` } };
    expect(await learned("user_group_id: short", { under, body })).toMatchObject({ under });
  });

  it.each([3, 4, 6, 8])("at least %i characters in an id, which no message says", async (under) => {
    const body = { message: "user_group_id is too short" };
    const others = { "name: missing": { body: { message: "name is missing" } } };
    expect(await learned("user_group_id: short", { under, body }, others)).toMatchObject({ under });
  });

  it("no length of an id where any other is rejected in the same way", async () => {
    const body = { message: "user_group_id and name are required" };
    const others = { "name: missing": { body } };
    const asked = learned("user_group_id: short", { under: 3, body }, others);
    await expect(asked).rejects.toThrow("a rejection for something else");
  });

  it.each(["user_group_id: characters", "name: characters"] as const)(
    "only what was accepted: %s",
    async (row) => {
      const words = ["A-Z", "a-z", "0-9", "-", "_", ".", "@", "space"];
      const said = await learned(row, { characters: words.join(" ") });
      const found = typeof said === "object" && "characters" in said ? said.characters?.split(" ") : [];
      expect(found?.sort()).toEqual(words.sort());
    },
  );
});

it("a situation without a question says why", () => {
  const reasons = situationIds.filter((row) => !hasQuestion(row)).map((row) => questions[row]);
  expect(reasons).not.toEqual([]);
  for (const reason of reasons) expect(reason).toMatch(/\w{2}/);
});
