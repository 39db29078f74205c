import { describe, expect, it } from "vitest";
import { connectMock } from "../../src/index.js";
import { call, getOrCreate } from "../call.js";
import { ownWorld } from "../fake/world/own-world.js";
import { rejectionOf } from "../fake/world/rejection.js";

const own = ownWorld();
const team = { team_id: 3, api_tokens: ["test-api-token"] };
const nested = (levels: number) => `${'{"x":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("deeply nested JSON", () => {
  // Bodies of 8 kB that overflow the stack when they are serialised recursively.
  it.each([
    ["an array", `${"[".repeat(4_000)}${"]".repeat(4_000)}`],
    ["a field", `{"user_group_id":"a","name":"a","properties":${nested(4_000)}}`],
  ])("is rejected as a body, and waits and exports still work: %s", async (_, body) => {
    const waiting = rejectionOf(own.world.waitForRequest({ match: { x: 1 }, timeoutMs: 200 }));
    const { status, body: response } = await getOrCreate(own.world.url, body);
    expect([status, response.error.code]).toEqual([400, "invalid_json"]);
    expect((await waiting).code).toBe("timeout");
    expect((await own.world.requests()).map(({ request }) => request.body)).toEqual([body]);
    expect((await call("GET", `${own.world.url}/__admin/requests/1/body`)).body).toMatchObject({
      request: body,
    });
  });

  it("can be exported and loaded as deep as a request can create it", async () => {
    const body = `{"user_group_id":"a","name":"A","properties":${nested(99)}}`;
    expect((await getOrCreate(own.world.url, body)).status).toBe(200);
    const state = await own.world.state();
    for (const world of [own.world, await connectMock(own.world.url)]) await world.load(state);
    expect(await own.world.state()).toEqual(state);
  });

  it("is rejected in a state, a fault and a wait, and nothing changes", async () => {
    await own.world.assume({ "mapping-values": "accepted" });
    const before = await own.world.state();
    const deep = JSON.parse(nested(150));
    const group = { team_id: 3, provided_id: "a", name: "A" };
    for (const rejected of [
      own.world.load({ teams: [team], user_groups: [{ ...group, mapping: deep }] }),
      own.world.load({ teams: [team], user_groups: [{ ...group, properties: deep }] }),
      own.world.fault({ match: deep, status: 503 }),
      own.world.waitForRequest({ match: deep }),
    ])
      expect((await rejectionOf(rejected)).code).toBe("invalid_json");
    expect([await own.world.state(), await own.world.faults()]).toEqual([before, []]);
  });

  it("is rejected if it is not JSON: circular, or 20,000 levels deep", async () => {
    const round: Record<string, unknown> = {};
    round.round = round;
    let deep = {};
    for (let n = 0; n < 20_000; n++) deep = { x: deep };
    for (const world of [own.world, await connectMock(own.world.url)]) {
      const { code, message } = await rejectionOf(world.fault({ match: round, status: 503 }));
      expect([code, message]).toEqual(["invalid_json", expect.stringContaining("circular")]);
      expect((await rejectionOf(world.fault({ match: deep, status: 503 }))).code).toBe("invalid_json");
    }
  });
});
