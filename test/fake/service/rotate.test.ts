import { describe, expect, it } from "vitest";
import { rotate } from "../../call.js";
import { seededToken } from "../../seeded.js";
import { ownWorld } from "../world/own-world.js";

// test/interface-document.test.ts has what the document says about this operation.
describe("a rotation", () => {
  const own = ownWorld();

  it("has the effect rotated, or found if it returns the same token", async () => {
    const first = await rotate(own.world.url, seededToken);
    await own.world.assume({ "rotated-token": "same" });
    await rotate(own.world.url, first.body.user_group.token);
    expect((await own.world.requests()).map(({ effect }) => effect)).toEqual(["rotated", "found"]);
  });
});
