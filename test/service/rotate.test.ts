import { describe, expect, it } from "vitest";
import { create, rotate } from "../call.js";
import { seededToken } from "../seeded.js";
import { ownWorld } from "../world/own-world.js";

// test/interface-document.test.ts has what the document says about this operation.
describe("a rotation", () => {
  const own = ownWorld();

  it("with an old token is rejected with the number of the request that rotated the token out", async () => {
    await rotate(own.world.url, seededToken);
    const { error } = (await rotate(own.world.url, seededToken)).body;
    expect(error.message).toContain("was rotated out by request 1.");
  });

  it("has the effect rotated, or found if it returns the same token", async () => {
    const first = await rotate(own.world.url, seededToken);
    await own.world.assume({ "rotated-token": "same" });
    await rotate(own.world.url, first.body.user_group.token);
    expect((await own.world.requests()).map(({ effect }) => effect)).toEqual(["rotated", "found"]);
  });

  it("with an old token gives the group a new one each time, with old-token=accepted", async () => {
    const { url } = own.world;
    await own.world.assume({ "old-token": "accepted" });
    const tokens = [seededToken];
    for (let i = 0; i < 5; i++) tokens.push((await rotate(url, seededToken)).body.user_group.token);
    expect(new Set(tokens).size).toBe(6);
    expect((await create(url, "example_1")).body.user_group.token).toBe(tokens.at(-1));
  });
});
