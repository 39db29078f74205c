import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
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

/** Bodies of 8 kB that overflow the stack when they are serialised recursively. */
const deep = [
  ["an array", `${"[".repeat(4_000)}${"]".repeat(4_000)}`],
  ["an object", nested(4_000)],
  ["a field", `{"user_group_id":"a","name":"a","properties":${nested(4_000)}}`],
] as const;

describe.each(deep)("a body with 4,000 nested levels: %s", (_, body) => {
  it("is rejected, and waits, events and exports still work", async () => {
    const events = await openEvents(mock.url);
    const waiting = [
      refusalOf(mock.waitForRequest({ match: { x: 1 }, timeoutMs: 200 })),
      refusalOf((await connectMock(mock.url)).waitForRequest({ match: { x: 1 }, timeoutMs: 200 })),
    ];
    const { status, body: response } = await getOrCreate(mock.url, body);
    expect([status, response.error.code]).toEqual([400, "invalid_json"]);
    expect(await events.next()).toMatchObject({ event: "request", data: { id: 1, outcome: "failure" } });
    events.close();
    for (const refusal of await Promise.all(waiting)) expect(refusal.code).toBe("timeout");
    for (const [, steer] of bothWays) {
      const world = await steer(mock);
      expect((await world.requests()).map(({ request }) => request.body)).toEqual([body]);
      expect(await world.requests({ user_group_id: "a" })).toEqual([]);
    }
    expect((await call("GET", `${mock.url}/__admin/requests/1/body`)).body).toMatchObject({ request: body });
    expect((await call("GET", `${mock.url}/__admin/health`)).status).toBe(200);
  });
});

describe.each(bothWays)("deeply nested JSON through %s", (_, steer) => {
  const withDeep = (field: string, levels: number) => ({
    teams: [team],
    user_groups: [{ team_id: 3, provided_id: "a", name: "A", [field]: JSON.parse(nested(levels)) }],
  });

  it("can be exported and loaded as deep as a request can create it", async () => {
    const world = await steer(mock);
    const body = `{"user_group_id":"a","name":"A","properties":${nested(99)}}`;
    expect((await getOrCreate(mock.url, body)).status).toBe(200);
    const state = await world.state();
    await world.load(state);
    expect(await world.state()).toEqual(state);
  });

  it.each(["mapping", "properties"])("is rejected in a state: %s", async (field) => {
    const world = await steer(mock);
    await world.assume({ "mapping-values": "accepted" });
    const before = await world.state();
    for (const levels of [150, 1_000])
      expect((await refusalOf(world.load(withDeep(field, levels)))).code).toBe("invalid_json");
    expect(await world.state()).toEqual(before);
  });

  it("is rejected in a fault and in a wait", async () => {
    const world = await steer(mock);
    const match = JSON.parse(nested(150));
    for (const rejected of [world.fault({ match, status: 503 }), world.waitForRequest({ match })])
      expect((await refusalOf(rejected)).code).toBe("invalid_json");
    expect(await world.faults()).toEqual([]);
  });
});

describe.each(bothWays)("values that are not JSON through %s", (_, steer) => {
  it("are rejected with invalid_json", async () => {
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

/** Fails if the work takes too long. Quadratic work takes much longer. */
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

describe("a large number of errors", () => {
  const put = (state: string) => soon(() => call("PUT", `${mock.url}/__admin/state`, state));

  it.each([
    ["invalid teams", `{"teams":[${"0,".repeat(200_000)}0]}`],
    ["invalid groups", `{"teams":[],"user_groups":[${"{},".repeat(200_000)}{}]}`],
    [
      "invalid API tokens",
      `{"teams":[{"team_id":3,"api_tokens":["test-api-token"${",0".repeat(200_000)}]}]}`,
    ],
    ["unknown fields", `{"teams":[],${Array.from({ length: 30_000 }, (_, n) => `"f${n}":0`).join(",")}}`],
  ])("in a state is reported quickly, up to 20: %s", async (_, state) => {
    const { status, body } = await put(state);
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(body.error.details).toHaveLength(21);
    expect(body.error.details.at(-1)).toEqual({
      path: "",
      message: expect.stringMatching(/^and \d+ more problems$/),
    });
    expect((await mock.health()).groups).toBe(5);
  });

  it.each([
    ["teams", `{"teams":[${"0,".repeat(4_900_000)}0]}`],
    ["groups", `{"teams":[],"user_groups":[${"{},".repeat(3_000_000)}{}]}`],
  ])("is not even counted for millions of invalid %s", async (_, state) => {
    const { status, body } = await soon(() => call("PUT", `${mock.url}/__admin/state`, state), 10_000);
    const message = "An array or object of the body has more than 250000 values. Send less.";
    expect([status, body.error]).toEqual([400, { code: "invalid_json", message }]);
    expect((await mock.health()).groups).toBe(5);
  });

  it("of duplicates is reported quickly, up to 20", async () => {
    const groups = Array.from({ length: 20_000 }, (_, n) => ({
      team_id: 3,
      provided_id: `${n}`,
      name: "n",
      token: `t${n}`,
    }));
    const { body } = await put(JSON.stringify({ teams: [team], user_groups: [...groups, ...groups] }));
    expect(body.error.details).toHaveLength(21);
    expect(body.error.details[19].message).toBe(
      "repeats the team and provided_id of the given fixture /user_groups/19",
    );
    const tokens = Array.from({ length: 20_000 }, (_, n) => `${n}`);
    const twice = await put(JSON.stringify({ teams: [{ team_id: 3, api_tokens: [...tokens, ...tokens] }] }));
    expect(twice.body.error.details[0]).toEqual({
      path: "/teams/0/api_tokens/20000",
      message: "repeats an API token of the given fixture /teams/0",
    });
  });

  it("in a request is reported quickly, up to 20", async () => {
    await using mockWithLargeBodies = await startMock({ bodyLimit: "20mb" });
    const mapping = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [n, 0]));
    const { status, body } = await soon(() =>
      getOrCreate(mockWithLargeBodies.url, { user_group_id: "a", name: "A", mapping }),
    );
    expect(status).toBe(400);
    expect(body.error.details).toHaveLength(21);
    expect(body.error.message.length).toBeLessThan(500);
  });

  it("of unknown fields is noted in part, and the request succeeds", async () => {
    await using mockWithLargeBodies = await startMock({ bodyLimit: "20mb" });
    const fields = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`f${n}`, 0]));
    const long = "x".repeat(1_000_000);
    const sent = { user_group_id: "a", name: "A", [long]: 0, ...fields };
    expect((await soon(() => getOrCreate(mockWithLargeBodies.url, sent))).status).toBe(200);
    const [entry] = await mockWithLargeBodies.requests();
    expect(entry?.notes).toHaveLength(11);
    expect(entry?.notes.at(-1)).toBe("29991 more unknown fields ignored");
    expect(entry?.notes.join("").length).toBeLessThan(3_000);
    await mockWithLargeBodies.assume({ "unknown-fields": "rejected" });
    const { body } = await soon(() => getOrCreate(mockWithLargeBodies.url, sent));
    expect(body.error.details).toHaveLength(21);
  });

  it.each([
    ["PATCH", "/assumptions", 900_000],
    ["POST", "/faults", 900_000],
    ["POST", "/requests/wait", 900_000],
    ["PUT", "/state", 5_000_000],
  ])("a long unknown field is reported quickly: %s %s with %i characters", async (method, path, letters) => {
    const body = JSON.stringify({ ["k".repeat(letters)]: 1 });
    const response = await soon(() => call(method, `${mock.url}/__admin${path}`, body), 1_500);
    expect(response.status).toBe(400);
  });
});

describe.each(bothWays)("a wait with a large match through %s", (_, steer) => {
  it("is rejected over 10 MB, as is a fault", async () => {
    const world = await steer(mock);
    const match = { name: "x".repeat(10_000_000) };
    for (const rejected of [world.waitForRequest({ match }), world.fault({ match, status: 503 })])
      expect((await refusalOf(rejected)).code).toBe("payload_too_large");
  });
});
