import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock } from "../../src/mock/connect-mock.js";
import { startMock } from "../../src/mock/start-mock.js";
import type { Mock } from "../../src/mock/world.js";
import { call, getOrCreate } from "../call.js";
import { bothWays } from "../world/both-ways.js";
import { openEvents } from "../world/event-stream.js";
import { refusalOf } from "../world/refusal.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const team = { team_id: 3, api_tokens: ["test-api-token"] };
const nested = (levels: number, inside = "1") => `${'{"x":'.repeat(levels)}${inside}${"}".repeat(levels)}`;

/** 8 kB that no stack bears to be written again. */
const deep = [
  ["a list", `${"[".repeat(4_000)}${"]".repeat(4_000)}`],
  ["an object", nested(4_000)],
  ["a field", `{"user_group_id":"a","name":"a","properties":${nested(4_000)}}`],
] as const;

describe.each(deep)("a body that nests 4,000 levels: %s", (_, body) => {
  it("is refused, whoever waits or watches, and the journal can be read", async () => {
    const events = await openEvents(mock.url);
    const waiting = [
      refusalOf(mock.waitForRequest({ match: { x: 1 }, timeoutMs: 200 })),
      refusalOf((await connectMock(mock.url)).waitForRequest({ match: { x: 1 }, timeoutMs: 200 })),
    ];
    const { status, body: answer } = await getOrCreate(mock.url, body);
    expect([status, answer.error.code]).toEqual([400, "invalid_json"]);
    expect(await events.next()).toMatchObject({ event: "request", data: { id: 1, outcome: "failure" } });
    events.close();
    for (const refusal of await Promise.all(waiting)) expect(refusal.code).toBe("timeout");
    for (const [, steer] of bothWays) {
      const world = await steer(mock);
      expect((await world.requests()).map(({ request }) => request.body)).toEqual([body]);
      expect(await world.requests({ user_group_id: "a" })).toEqual([]);
      expect((await world.har()) as object).toMatchObject({
        log: { entries: [{ request: { postData: { text: body } } }] },
      });
    }
    expect((await call("GET", `${mock.url}/__admin/requests/1/body`)).body).toMatchObject({ request: body });
    expect((await call("GET", `${mock.url}/__admin/health`)).status).toBe(200);
  });
});

describe.each(bothWays)("JSON that nests deeply, steered by %s", (_, steer) => {
  const withDeep = (field: string, levels: number) => ({
    teams: [team],
    user_groups: [{ team_id: 3, provided_id: "a", name: "A", [field]: JSON.parse(nested(levels)) }],
  });

  it("comes back as it was exported, however deep a call may make it", async () => {
    const world = await steer(mock);
    const body = `{"user_group_id":"a","name":"A","properties":${nested(99)}}`;
    expect((await getOrCreate(mock.url, body)).status).toBe(200);
    const state = await world.state();
    await world.load(state);
    expect(await world.state()).toEqual(state);
  });

  it.each(["mapping", "properties"])(
    "is refused in a state where no call could have made it, and changes nothing: %s",
    async (field) => {
      const world = await steer(mock);
      await world.assume({ "mapping-values": "accepted" });
      const before = await world.state();
      await world.load(withDeep(field, 99));
      await world.load(before);
      const refusal = await refusalOf(world.load(withDeep(field, 100)));
      expect([refusal.code, refusal.details]).toMatchObject([
        "invalid_fixture",
        [{ path: "/user_groups", message: "mapping and properties must not nest deeper than 99 levels" }],
      ]);
      for (const levels of [150, 1_000])
        expect((await refusalOf(world.load(withDeep(field, levels)))).code).toBe("invalid_json");
      expect(await world.state()).toEqual(before);
    },
  );

  it("is refused in a fault and in a wait", async () => {
    const world = await steer(mock);
    const match = JSON.parse(nested(150));
    for (const refused of [world.fault({ match, status: 503 }), world.waitForRequest({ match })])
      expect((await refusalOf(refused)).code).toBe("invalid_json");
    expect(await world.faults()).toEqual([]);
  });
});

describe.each(bothWays)("what is no JSON, given to %s", (_, steer) => {
  it("is refused as such", async () => {
    const world = await steer(mock);
    const round: Record<string, unknown> = {};
    round.round = round;
    const { code, message } = await refusalOf(world.fault({ match: round, status: 503 }));
    expect([code, message]).toEqual(["invalid_json", expect.stringContaining("circular")]);
    let match = {};
    for (let n = 0; n < 20_000; n++) match = { x: match };
    expect((await refusalOf(world.fault({ match, status: 503 }))).code).toBe("invalid_json");
    for (const control of [world.load, world.fault, world.assume])
      await refusalOf(Reflect.apply(control, world, [undefined]));
  });
});

/** That it took no more than a moment: what is quadratic, or repeats itself in memory, takes far longer. */
async function soon<T>(work: () => Promise<T>, withinMs = 5_000): Promise<T> {
  const late = new AbortController();
  const limit = setTimeout(withinMs, "late", { signal: late.signal }).catch(() => "in time");
  try {
    const done = await Promise.race([work(), limit]);
    expect(done).not.toBe("late");
    return done as T;
  } finally {
    late.abort();
  }
}

describe("a flood of mistakes", () => {
  const put = (state: string) => soon(() => call("PUT", `${mock.url}/__admin/state`, state));

  it.each([
    ["teams that are none", `{"teams":[${"0,".repeat(900_000)}0]}`],
    ["groups that are none", `{"teams":[],"user_groups":[${"{},".repeat(300_000)}{}]}`],
    [
      "API tokens that are none",
      `{"teams":[{"team_id":3,"api_tokens":["test-api-token"${",0".repeat(500_000)}]}]}`,
    ],
    ["unknown fields", `{"teams":[],${Array.from({ length: 90_000 }, (_, n) => `"f${n}":0`).join(",")}}`],
  ])("in a state is told in part, and soon: %s", async (_, state) => {
    const { status, body } = await put(state);
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(body.error.details).toHaveLength(101);
    expect(body.error.details.at(-1)).toEqual({ path: "", message: "there are more problems" });
    expect((await mock.health()).groups).toBe(5);
  });

  it("that all repeat something is told in part, and soon", async () => {
    const groups = Array.from({ length: 20_000 }, (_, n) => ({
      team_id: 3,
      provided_id: `${n}`,
      name: "n",
      token: `t${n}`,
    }));
    const { body } = await put(JSON.stringify({ teams: [team], user_groups: [...groups, ...groups] }));
    expect(body.error.details).toHaveLength(101);
    expect(body.error.details[99].message).toBe(
      "repeats the team and provided_id of the given fixture /user_groups/99",
    );
    const tokens = Array.from({ length: 20_000 }, (_, n) => `${n}`);
    const twice = await put(JSON.stringify({ teams: [{ team_id: 3, api_tokens: [...tokens, ...tokens] }] }));
    expect(twice.body.error.details[0]).toEqual({
      path: "/teams/0/api_tokens/20000",
      message: "repeats an API token of the given fixture /teams/0",
    });
  });

  it("in a call is told in part, and soon", async () => {
    await using roomy = await startMock({ bodyLimit: "20mb" });
    const mapping = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [n, 0]));
    const { status, body } = await soon(() =>
      getOrCreate(roomy.url, { user_group_id: "a", name: "A", mapping }),
    );
    expect(status).toBe(400);
    expect(body.error.details).toHaveLength(101);
    expect(body.error.message.length).toBeLessThan(500);
  });

  it("in the names of fields is noted in part, and the call goes on", async () => {
    await using roomy = await startMock({ bodyLimit: "20mb" });
    const fields = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`f${n}`, 0]));
    const long = "x".repeat(1_000_000);
    const sent = { user_group_id: "a", name: "A", [long]: 0, ...fields };
    expect((await soon(() => getOrCreate(roomy.url, sent))).status).toBe(200);
    const [entry] = await roomy.requests();
    expect(entry?.notes).toHaveLength(11);
    expect(entry?.notes.at(-1)).toBe("89991 more unknown fields ignored");
    expect(entry?.notes.join("").length).toBeLessThan(3_000);
    await roomy.assume({ "unknown-fields": "rejected" });
    const { body } = await soon(() => getOrCreate(roomy.url, sent));
    expect(body.error.details).toHaveLength(101);
  });

  it.each([
    ["PATCH", "/assumptions", 900_000],
    ["POST", "/faults", 900_000],
    ["POST", "/requests/wait", 900_000],
    ["PUT", "/state", 5_000_000],
  ])("in a name of so many letters is told soon: %s %s %i", async (method, path, letters) => {
    const body = JSON.stringify({ ["k".repeat(letters)]: 1 });
    const answer = await soon(() => call(method, `${mock.url}/__admin${path}`, body), 1_500);
    expect(answer.status).toBe(400);
  });
});

describe.each(bothWays)("a wait that asks for much, steered by %s", (_, steer) => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field-${n}`, n]));

  it("is told soon what came closest, and not all of it", async () => {
    const world = await steer(mock);
    for (let n = 0; n < 300; n++) await getOrCreate(mock.url, { user_group_id: `${n}`, name: "n" });
    const wait = { match: { long: "\\".repeat(100_000), ...many }, timeoutMs: 1 };
    const { code, details, message } = await soon(() => refusalOf(world.waitForRequest(wait)));
    expect([code, details.length]).toEqual(["timeout", 5]);
    expect(details[0]?.message.split("; ")).toHaveLength(10);
    expect(message.length).toBeLessThan(5_000);
  });

  it("is refused when it is over a megabyte, and so is a fault", async () => {
    const world = await steer(mock);
    const match = { name: "x".repeat(1_000_000) };
    for (const refused of [world.waitForRequest({ match }), world.fault({ match, status: 503 })])
      expect((await refusalOf(refused)).code).toBe("payload_too_large");
  });
});

describe("faults that hold much", () => {
  it("are refused before they fill the memory", async () => {
    const body = "x".repeat(900_000);
    for (let n = 0; n < 11; n++) await mock.fault({ status: 503, body });
    const { code, message } = await refusalOf(mock.fault({ status: 503, body }));
    expect([code, message]).toEqual(["too_many_faults", expect.stringContaining("10 MB of faults")]);
    await mock.clearFaults();
    await mock.fault({ status: 503, body });
  });
});
