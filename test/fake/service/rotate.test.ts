import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
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

  it("takes for malformed what has the form of no token of this world", async () => {
    await using mock = await startMock({
      profile: { responses: { "unknown_token.malformed": { status: 422 } } },
    });
    const statusOf = async () => (await rotate(mock.url, "unknown")).status;
    expect(await statusOf()).toBe(422);
    await mock.addGroup({ provided_id: "a", name: "A", token: "a-token" });
    expect(await statusOf()).toBe(404);
    await mock.reset();
    expect(await statusOf()).toBe(422);
  });
});
