import { describe, expect, it } from "vitest";
import {
  assumptionIds,
  assumptionOf,
  isResponseOption,
  outcomesOf,
  situationsOf,
  valuesOf,
} from "../../../src/fake/contract/assumptions.js";
import { knownService } from "../../../src/fake/contract/profile.js";
import {
  defaultOutcome,
  outcomeFor,
  rowOf,
  type SituationId,
  situationIds,
  wordsOf,
} from "../../../src/fake/contract/situations.js";
import { Behaviour } from "../../../src/fake/service/behaviour.js";
import type { KnownSituations } from "../../../src/index.js";
import { call } from "../../call.js";
import { defaultBehaviour } from "../../default-behaviour.js";
import { ownWorld } from "../world/own-world.js";
import { meet, startWithTwoTeams } from "./meet-situation.js";
import { send } from "./send-request.js";

const knowing = (situations: object, tried = {}) =>
  Behaviour.from(knownService([{ situations: situations as KnownSituations }]), tried);

const said = (behaviour: Behaviour, id: SituationId) => [behaviour.outcome(id), behaviour.source(id)];

/** Situations with several words, and two of them. */
const choosable = situationIds.flatMap((id) => {
  const [first, second] = wordsOf(id);
  return first === undefined || second === undefined ? [] : [{ id, first, second }];
});

describe("the outcome of a situation", () => {
  it.each(choosable)(
    "is set, or else of the profile, or else tried, or else the default: $id",
    ({ id, first, second }) => {
      const [one, other] = [outcomeFor(id, first), outcomeFor(id, second)];
      expect(said(knowing({}, { [id]: second }), id)).toEqual([other, "default"]);
      const known = knowing({ [id]: first }, { [id]: second });
      expect(said(known, id)).toEqual([one, "profile"]);
      const set = known.with({ [id]: second }, "set");
      expect(said(set, id)).toEqual([other, "set"]);
      const pinned = set.with({ [id]: first }, "pinned");
      expect(said(pinned, id)).toEqual([one, "pinned"]);
      expect(said(known, id)).toEqual([one, "profile"]);
    },
  );

  const followers = situationIds.flatMap((id) => {
    const { same, limit } = rowOf(id);
    return same === undefined || limit !== undefined ? [] : [{ id, same }];
  });

  it.each(followers)("is that of another one while nothing is known of it: $id, $same", ({ id, same }) => {
    const word =
      wordsOf(same).find((one) => wordsOf(id).includes(one) && one !== defaultOutcome(same)) ?? "rejected";
    const outcome = outcomeFor(same, word);
    expect(defaultBehaviour.saidBy(id)).toBe(rowOf(same).same ?? same);
    const known = knowing({ [same]: word });
    expect([...said(known, id), known.saidBy(id)]).toEqual([outcome, "profile", same]);
    expect(said(defaultBehaviour.with({ [same]: word }, "set"), id)).toEqual([outcome, "set"]);
    const usual = String(defaultOutcome(id));
    expect(said(knowing({ [same]: word, [id]: usual }), id)).toEqual([usual, "profile"]);
    expect(said(known.with({ [id]: usual }, "set"), id)).toEqual([usual, "set"]);
  });

  it("has no limit, so nothing is within it, if a test has set it as rejected", () => {
    const set = defaultBehaviour.with({ "name: long": "rejected", "name: characters": "rejected" }, "set");
    expect([set.length("name: long"), set.characters("name: characters")]).toEqual([0, ""]);
  });

  it("has the limit of another one while nothing is known of it", () => {
    const known = knowing({ "name: long": { over: 7 } });
    expect(known.length("existing group: name long")).toBe(7);
    const own = knowing({ "name: long": { over: 7 }, "existing group: name long": { over: 5 } });
    expect(own.length("existing group: name long")).toBe(5);
  });
});

const open = assumptionIds.filter((id) => !isResponseOption(id));
const choices = open.flatMap((id) => valuesOf(id).map((value) => ({ id, value })));

describe("a value of an assumption", () => {
  it.each(choices)("sets all situations that any value of it names: $id=$value", ({ id, value }) => {
    // What the profile has of them is overridden, also where the value says the default.
    const others = situationsOf(id).map((row) => [
      row,
      { outcome: outcomeFor(row, String(wordsOf(row).at(-1))) },
    ]);
    const behaviour = knowing(Object.fromEntries(others)).with({ [id]: value }, "set");
    for (const [row, outcome] of outcomesOf(id, value))
      expect([row, ...said(behaviour, row)]).toEqual([row, outcome, "set"]);
    expect(behaviour.valueOf(id)).toBe(value);
  });

  it.each(choices)("is the one whose situations say the same: $id=$value", ({ id, value }) => {
    const rows = Object.fromEntries(outcomesOf(id, value));
    expect(knowing(rows).valueOf(id)).toBe(value);
    expect(defaultBehaviour.with(rows, "set").valueOf(id)).toBe(value);
  });

  it("is beaten by a situation of the same choice, in any order, and by a later choice", () => {
    const older = "current_token: older";
    for (const choice of [
      { "old-token": "accepted", [older]: "rejected" },
      { [older]: "rejected", "old-token": "accepted" },
    ]) {
      const behaviour = defaultBehaviour.with(choice, "set");
      expect([behaviour.outcome(older), behaviour.valueOf("old-token")]).toEqual(["rejected", "previous"]);
      expect(behaviour.with({ "old-token": "accepted" }, "pinned").outcome(older)).toBe("accepted");
    }
  });

  it("has every situation in one assumption at most", () => {
    for (const id of open) for (const row of situationsOf(id)) expect(assumptionOf.get(row)).toBe(id);
  });
});

describe("an assumption whose situations fit none of its values", () => {
  const own = ownWorld();

  it("refers to them in the ledger, and the response names the situation", async () => {
    await own.world.assume({ "current_token: older": "accepted" });
    const { body } = await call("GET", `${own.world.url}/__admin/assumptions`);
    const ofId = (list: { id?: string; situation?: string }[], name: string) =>
      list.find(({ id, situation }) => id === name || situation === name);
    expect(ofId(body.assumptions, "old-token")).toMatchObject({ value: "see situations", source: "set" });
    expect(ofId(body.situations, "current_token: older")).toMatchObject({
      outcome: "accepted",
      source: "set",
    });
    expect(ofId(body.situations, "current_token: previous")).toMatchObject({
      ...{ outcome: "rejected", default: "rejected", source: "assumed", assumption: "old-token" },
    });
    await own.world.addGroup({ provided_id: "a", name: "A", token: "a-token" });
    const rotate = () => call("POST", `${own.world.url}/api/user`, { current_token: "a-token" });
    await rotate();
    const { headers } = await rotate();
    expect(headers["usergroup-mock-assumed"]).toBe(
      "current_token: previous=rejected, failure-status=by-kind, failure-body=error-object",
    );
  });
});

describe("an assumption that decides a response", () => {
  /** Every situation of an assumption, with its default. */
  const usual = open.flatMap(situationsOf).map((row) => [row, defaultOutcome(row)] as const);

  it("is named, unless the profile has its situation", async () => {
    const profile = { situations: Object.fromEntries(usual) as KnownSituations };
    await using assuming = await startWithTwoTeams({});
    await using knowing = await startWithTwoTeams({ profile });
    for (const [row] of usual) {
      const assumption = `${assumptionOf.get(row)}=`;
      const named = async ({ url }: { url: string }) =>
        String((await meet(url, row)).headers["usergroup-mock-assumed"] ?? "").includes(assumption);
      expect([row, await named(assuming), await named(knowing)]).toEqual([row, true, false]);
      const entry = async (mock: typeof assuming) => (await mock.requests()).at(-1);
      expect(Object.keys((await entry(assuming))?.assumed ?? {})).toContain(assumptionOf.get(row));
      expect((await entry(knowing))?.known).toContain(row);
      await Promise.all([assuming.reset(), knowing.reset()]);
    }
  });

  it("is created-status only if the profile has no status of created", async () => {
    const profile = { situations: { created: { status: 202 } } } as const;
    await using mock = await startWithTwoTeams({ profile });
    const known = await meet(mock.url, "created");
    expect([known.status, known.headers["usergroup-mock-assumed"]]).toEqual([202, undefined]);
    const [entry] = (await mock.assumptions()).filter(({ id }) => id === "created-status");
    expect(entry).toMatchObject({ value: "202", source: "profile" });
    await mock.reset();
    await mock.assume({ "created-status": "201" });
    const set = await meet(mock.url, "created");
    expect([set.status, set.headers["usergroup-mock-assumed"]]).toEqual([201, "created-status=201"]);
  });
});

describe("what a profile says of a rejection", () => {
  const response = { status: 499, headers: { "X-A": "a", "Content-Type": "text/html" }, text: "<p>" };
  const situations: KnownSituations = { "name: number": response, "other path": response };

  it.each<[choice: object, status: number, content: string, type: string]>([
    [{}, 499, "<p>", "text/html"],
    [{ "failure-status": "always-200" }, 200, "<p>", "text/html"],
    [{ "failure-status": "by-kind" }, 400, "<p>", "text/html"],
    [{ "failure-body": "bare" }, 499, '{"success":0}', "application/json; charset=utf-8"],
  ])(
    "is overridden only by an assumption that is set on purpose: %j",
    async (assume, status, content, type) => {
      await using mock = await startWithTwoTeams({ profile: { situations }, assume });
      const rejected = await meet(mock.url, "name: number");
      expect([rejected.status, rejected.text, rejected.headers["content-type"]]).toEqual([
        status,
        content,
        type,
      ]);
      expect(rejected.headers["x-a"]).toBe("a");
      // These assumptions are about requests to the path of the service.
      const elsewhere = await send(mock.url, { path: "/elsewhere" });
      expect([elsewhere.status, elsewhere.text]).toEqual([499, "<p>"]);
    },
  );
});
