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

  it("takes for a token of another form what is as long as no token of this world", async () => {
    await using mock = await startMock();
    const situation = async () => (await rotate(mock.url, "unknown")).headers["usergroup-mock-situation"];
    expect(await situation()).toBe("current_token: other form");
    await mock.addGroup({ provided_id: "a", name: "A", token: "a-token" });
    expect(await situation()).toBe("current_token: unknown");
    await mock.reset();
    expect(await situation()).toBe("current_token: other form");
  });

  const hex = "0123456789abcdef".repeat(4);

  it.each([
    ["unknown", "64 hexadecimal digits", hex],
    ["unknown", "64 hexadecimal digits in capitals", hex.toUpperCase()],
    ["unknown", "as long as a token in the fixtures", "a-token"],
    ["other form", "more than 64 hexadecimal digits", `${hex}0`],
    ["unknown", "64 other characters", "x".repeat(64)],
    ["other form", "one hexadecimal digit", "0"],
  ])("takes for %s what is %s", async (kind, _, token) => {
    const fixtures = {
      teams: [{ team_id: 3, api_tokens: ["test-api-token"] }],
      user_groups: [{ team_id: 3, provided_id: "a", name: "A", token: "1234567" }],
    };
    await using mock = await startMock({ fixtures });
    const { headers } = await rotate(mock.url, token);
    expect(headers["usergroup-mock-situation"]).toBe(`current_token: ${kind}`);
  });
});
