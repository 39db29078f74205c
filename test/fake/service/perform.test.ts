import { describe, expect, it } from "vitest";
import { create, type TestResponse } from "../../call.js";
import { callInFlight } from "../../call-in-flight.js";
import { seededToken } from "../../seeded.js";
import { ownWorld } from "../world/own-world.js";

describe("simultaneous requests", () => {
  const own = ownWorld();

  /** Begins all requests, then sends the rest of all bodies at once. */
  const completedAtOnce = async (
    method: "GET" | "POST",
    bodies: readonly object[],
  ): Promise<TestResponse[]> => {
    const begun = await Promise.all(bodies.map((body) => callInFlight(method, own.world.url, body)));
    return Promise.all(begun.map((half) => half.finish()));
  };

  it("create a group once, and all get its token", async () => {
    const bodies = Array.from({ length: 120 }, (_, n) => ({ user_group_id: `new-${n % 3}`, name: "New" }));
    const responses = await completedAtOnce("GET", bodies);
    for (const group of [0, 1, 2]) {
      const ofGroup = responses.filter((_, n) => n % 3 === group);
      expect(ofGroup.map(({ status }) => status)).toEqual(Array(40).fill(200));
      expect(ofGroup.filter(({ body }) => body.new_user_group)).toHaveLength(1);
      expect(new Set(ofGroup.map(({ body }) => body.user_group.token)).size).toBe(1);
    }
    expect((await own.world.health()).groups).toBe(8);
  });

  it("rotate a token once, and the others get the number of that request", async () => {
    const responses = await completedAtOnce("POST", Array(100).fill({ current_token: seededToken }));
    const [winner, ...others] = responses.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const by = winner?.headers["usergroup-mock-request"];
    const losers = responses.filter(({ status }) => status === 404);
    expect(losers).toHaveLength(99);
    for (const { body } of losers) expect(body.error.message).toContain(`was rotated out by request ${by}.`);
    const { token } = (await create(own.world.url, "example_1")).body.user_group;
    expect(token).toBe(winner?.body.user_group.token);
  });
});
