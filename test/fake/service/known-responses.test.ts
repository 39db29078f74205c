import { beforeAll, describe, expect, it } from "vitest";
import { type KnownService, knownService } from "../../../src/fake/contract/profile.js";
import { canReject, rowOf, type SituationId, situationIds } from "../../../src/fake/contract/situations.js";
import { Behaviour } from "../../../src/fake/service/behaviour.js";
import type { KnownSituations, Profile } from "../../../src/index.js";
import { defaultBehaviour } from "../../default-behaviour.js";
import { meet, meetingOf, startWithTwoTeams } from "./meet-situation.js";

const rejecting = situationIds.filter(canReject);

const knownOf = (...situations: KnownSituations[]): KnownService =>
  knownService(situations.map((one): Profile => ({ situations: one })));

/** A profile that rejects in one situation, with a response of its own. */
const onlyKnown = (id: SituationId) =>
  ({ [id]: { ...meetingOf(id).limit, status: 418, headers: { "X-Known": "yes" } } }) as KnownSituations;

describe("a rejection without a response of its own has that", () => {
  const a = { status: 410, body: "a" };
  const b = { status: 411, body: "b" };
  const c = { status: 412, body: "c" };

  it.each<[what: string, id: SituationId, from: SituationId, known: KnownSituations]>([
    ["of the situation that it resembles", "other scheme", "no API token", { "no API token": a }],
    ["of the nearest one", "scheme in lower case", "other scheme", { "no API token": a, "other scheme": b }],
    [
      "of one that resembles another one",
      "API token without scheme",
      "no API token",
      { "no API token": a, "wrong API token": b, "scheme in lower case": b },
    ],
    [
      "of that one also if it is only a word itself",
      "name: list",
      "name: number",
      {
        "name: number": a,
        "name: list": "rejected",
      },
    ],
    ["of the first one of its field", "name: null", "name: number", { "name: empty": b, "name: number": a }],
    [
      "of its field before the most frequent one",
      "name: null",
      "name: empty",
      { "mapping: null": a, "mapping: text": a, "name: empty": b },
    ],
    [
      "of most others with its code",
      "filename: null",
      "mapping: text",
      { "name: null": a, "mapping: text": b, "properties: text": b },
    ],
    [
      "of the first ones, if several are as frequent",
      "filename: null",
      "name: null",
      { "properties: text": b, "mapping: null": b, "name: null": a, "name: number": a, "name: list": c },
    ],
  ])("%s", (_, id, from, known) => {
    expect(Behaviour.from(knownOf(known)).responses.get(id)?.from).toBe(from);
  });

  it("of most others in all profiles together", () => {
    const known = knownOf({ "name: null": a, "mapping: text": b }, { "properties: text": b });
    expect(Behaviour.from(known).responses.get("filename: null")?.from).toBe("mapping: text");
  });

  it("whole: what the response of the other situation leaves out is that of the mock", async () => {
    const situations: KnownSituations = {
      "no API token": { status: 403, headers: { "X-A": "a" }, body: "a" },
      "other scheme": { status: 499 },
    };
    await using mock = await startWithTwoTeams({ profile: { situations } });
    const { status, headers, json } = await meet(mock.url, "scheme in lower case");
    expect([status, headers["x-a"], json.error.code]).toEqual([499, undefined, "unauthorized"]);
  });
});

describe("a rejection is known of the profile where that gave something of it", () => {
  const set = { "failure-status": "always-200", "failure-body": "bare" } as const;
  const { "failure-status": status, "failure-body": body } = set;

  it.each<[what: string, said: object, assume: Partial<typeof set>, known: readonly string[]]>([
    ["status and body", { status: 418, body: 1 }, {}, ["name: number"]],
    ["only the status", { status: 418, body: 1 }, { "failure-body": body }, ["name: number"]],
    ["only the body", { status: 418, body: 1 }, { "failure-status": status }, ["name: number"]],
    ["only headers", { status: 418, body: 1, headers: { "X-A": "a" } }, set, ["name: number"]],
    ["nothing", { status: 418, body: 1 }, set, []],
  ])("%s", async (_, said, assume, known) => {
    const situations = { "name: number": said, "name: empty": { body: 2 } } as KnownSituations;
    await using mock = await startWithTwoTeams({ profile: { situations }, assume });
    // It resembles the other situation, and nothing else is known of it.
    await meet(mock.url, "name: boolean");
    expect((await mock.requests())[0]?.known).toEqual(known);
  });

  it("nothing but the headers of all responses", async () => {
    const situations = { "every response": { headers: { "X-A": "a" } } };
    await using mock = await startWithTwoTeams({ profile: { situations } });
    expect((await meet(mock.url, "name: number")).headers["x-a"]).toBe("a");
    expect((await mock.requests())[0]?.known).toEqual([]);
  });
});

describe("a profile with one rejection", () => {
  it.each(rejecting)("changes only what has the same code: %s", (id) => {
    const known = knownOf(onlyKnown(id));
    const behaviour = Behaviour.from(known);
    for (const [other, { from }] of behaviour.responses)
      expect([other, from, rowOf(other).code]).toEqual([other, id, rowOf(id).code]);
    const changed = situationIds.filter(
      (other) => behaviour.outcome(other) !== defaultBehaviour.outcome(other),
    );
    const followers = situationIds.filter((other) => behaviour.saidBy(other) === id);
    for (const other of changed) expect(followers).toContain(other);
  });

  /** The situation and the status of each response while nothing is known. */
  const usual = new Map<SituationId, readonly [situation: unknown, status: number]>();
  beforeAll(async () => {
    await using mock = await startWithTwoTeams({});
    for (const id of situationIds) {
      const { headers, status } = await meet(mock.url, id);
      usual.set(id, [headers["usergroup-mock-situation"], status]);
      await mock.reset();
    }
  });

  const some: readonly SituationId[] = ["no API token", "name: missing", "current_token: unknown"];
  it.each(some)("changes only responses with the same code: %s", async (id) => {
    await using mock = await startWithTwoTeams({ profile: { situations: onlyKnown(id) } });
    const behaviour = Behaviour.from(knownOf(onlyKnown(id)));
    for (const other of situationIds) {
      const { headers, status } = await meet(mock.url, other);
      const situation = headers["usergroup-mock-situation"] as SituationId | undefined;
      const isOfCode = situation !== undefined && rowOf(situation).code === rowOf(id).code;
      expect([other, headers["x-known"]]).toEqual([other, isOfCode ? "yes" : undefined]);
      // What is rejected now may have been accepted, by itself or as another one of the table.
      const isNew = situation !== undefined && behaviour.saidBy(situation) === id;
      const [before, statusBefore] = usual.get(other) ?? [];
      if (!isNew) expect([other, situation]).toEqual([other, before]);
      if (!isOfCode) expect([other, status]).toEqual([other, statusBefore]);
      await mock.reset();
    }
  });
});
