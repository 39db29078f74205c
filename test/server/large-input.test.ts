import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectMock } from "../../src/client/connect-mock.js";
import { startMock } from "../../src/client/start-mock.js";
import type { Mock } from "../../src/client/world.js";
import { call, getOrCreate } from "../call.js";
import { openEvents } from "../world/event-stream.js";
import { refusalOf } from "../world/refusal.js";

let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
beforeEach(() => mock.reset());
afterAll(() => mock.stop());

const team = { team_id: 3, api_tokens: ["test-api-token"] };
const nested = (levels: number) => `${'{"x":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("deeply nested JSON", () => {
  // Bodies of 8 kB that overflow the stack when they are serialised recursively.
  it.each([
    ["an array", `${"[".repeat(4_000)}${"]".repeat(4_000)}`],
    ["a field", `{"user_group_id":"a","name":"a","properties":${nested(4_000)}}`],
  ])("is rejected as a body, and waits, events and exports still work: %s", async (_, body) => {
    const events = await openEvents(mock.url);
    const waiting = refusalOf(mock.waitForRequest({ match: { x: 1 }, timeoutMs: 200 }));
    const { status, body: response } = await getOrCreate(mock.url, body);
    expect([status, response.error.code]).toEqual([400, "invalid_json"]);
    expect(await events.next()).toMatchObject({ event: "request", data: { id: 1, outcome: "failure" } });
    events.close();
    expect((await waiting).code).toBe("timeout");
    expect((await mock.requests()).map(({ request }) => request.body)).toEqual([body]);
    expect((await call("GET", `${mock.url}/__admin/requests/1/body`)).body).toMatchObject({ request: body });
  });

  it("can be exported and loaded as deep as a request can create it", async () => {
    const body = `{"user_group_id":"a","name":"A","properties":${nested(99)}}`;
    expect((await getOrCreate(mock.url, body)).status).toBe(200);
    const state = await mock.state();
    for (const world of [mock, await connectMock(mock.url)]) await world.load(state);
    expect(await mock.state()).toEqual(state);
  });

  it("is rejected in a state, a fault and a wait, and nothing changes", async () => {
    await mock.assume({ "mapping-values": "accepted" });
    const before = await mock.state();
    const deep = JSON.parse(nested(150));
    const group = { team_id: 3, provided_id: "a", name: "A" };
    for (const rejected of [
      mock.load({ teams: [team], user_groups: [{ ...group, mapping: deep }] }),
      mock.load({ teams: [team], user_groups: [{ ...group, properties: deep }] }),
      mock.fault({ match: deep, status: 503 }),
      mock.waitForRequest({ match: deep }),
    ])
      expect((await refusalOf(rejected)).code).toBe("invalid_json");
    expect([await mock.state(), await mock.faults()]).toEqual([before, []]);
  });

  it("is rejected if it is not JSON: circular, or 20,000 levels deep", async () => {
    const round: Record<string, unknown> = {};
    round.round = round;
    let deep = {};
    for (let n = 0; n < 20_000; n++) deep = { x: deep };
    for (const world of [mock, await connectMock(mock.url)]) {
      const { code, message } = await refusalOf(world.fault({ match: round, status: 503 }));
      expect([code, message]).toEqual(["invalid_json", expect.stringContaining("circular")]);
      expect((await refusalOf(world.fault({ match: deep, status: 503 }))).code).toBe("invalid_json");
    }
  });
});

/**
 * Fails if the work takes too much processor time, which is that of the mock and of its client. Quadratic work takes
 * much more.
 */
async function soon<T>(work: () => Promise<T>, withinMs = 5_000): Promise<T> {
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(withinMs);
  return done;
}

describe("a large number of errors", () => {
  const put = (state: string) => soon(() => call("PUT", `${mock.url}/__admin/state`, state));

  it.each([
    ["invalid groups", `{"teams":[],"user_groups":[${"{},".repeat(200_000)}{}]}`],
    ["unknown fields", `{"teams":[],${Array.from({ length: 30_000 }, (_, n) => `"f${n}":0`).join(",")}}`],
  ])("in a state is reported quickly, up to 20: %s", async (_, state) => {
    const { status, body } = await put(state);
    expect([status, body.error.code]).toEqual([400, "invalid_fixture"]);
    expect(body.error.details).toHaveLength(21);
    expect(body.error.details.at(-1).message).toMatch(/^and \d+ more problems$/);
  });

  it("is not even counted for millions of invalid groups", async () => {
    const state = `{"teams":[],"user_groups":[${"{},".repeat(3_000_000)}{}]}`;
    const { status, body } = await soon(() => call("PUT", `${mock.url}/__admin/state`, state), 10_000);
    const message = "An array or object of the body has more than 250000 values. Send less.";
    expect([status, body.error]).toEqual([400, { code: "invalid_json", message }]);
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
    const sent = { user_group_id: "a", name: "A", ...fields };
    expect((await soon(() => getOrCreate(mockWithLargeBodies.url, sent))).status).toBe(200);
    const [entry] = await mockWithLargeBodies.requests();
    expect(entry?.notes).toHaveLength(11);
    expect(entry?.notes.at(-1)).toBe("29990 more unknown fields ignored");
    await mockWithLargeBodies.assume({ "unknown-fields": "rejected" });
    const { body } = await soon(() => getOrCreate(mockWithLargeBodies.url, sent));
    expect(body.error.details).toHaveLength(21);
  });

  it.each([
    ["POST", "/faults", 900_000],
    ["PUT", "/state", 5_000_000],
  ])("a long unknown field is reported quickly: %s %s with %i characters", async (method, path, letters) => {
    const body = JSON.stringify({ ["k".repeat(letters)]: 1 });
    const response = await soon(() => call(method, `${mock.url}/__admin${path}`, body), 1_500);
    expect(response.status).toBe(400);
  });
});
