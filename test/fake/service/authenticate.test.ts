import request from "supertest";
import { describe, expect, it } from "vitest";
import { startMock } from "../../../src/index.js";
import { ownWorld } from "../world/own-world.js";

describe("a rejected API token is explained:", () => {
  const own = ownWorld();

  it.each([
    ["a missing Authorization", undefined, "There is no Authorization header"],
    ["another scheme", "Bearer test-api-token", "has the scheme Bearer, not Token"],
    ["no scheme", "test-api-token", "does not begin with"],
    ["the text undefined", "Token undefined", 'the text "undefined"'],
    ["the text null", "Token null", 'the text "null"'],
    ["quotes", 'Token "test-api-token"', "has quotes around it"],
    ["another case", "Token Test-Api-Token", "in upper and lower case"],
    ["a missing token", "Token", "is empty"],
    ["two tokens", "Token a b", "has white space in it"],
    ["the scheme in another case", "token test-api-token", 'is "token"'],
    ["a word before the scheme", "My Token test-api-token", "does not begin with"],
    ["a word before another scheme", "My Bearer test-api-token", "does not begin with"],
    ["a token that begins like undefined", "Token undefined-1", "No fixture lists this API token"],
    ["a token that ends like null", "Token not-null", "No fixture lists this API token"],
    ["a quote within a token", "Token it's", "No fixture lists this API token"],
    ["an unknown token", "Token production-secret", "No fixture lists this API token"],
  ])("%s", async (_, header, message) => {
    const sent = request(own.world.url).get("/api/user").send({ user_group_id: "a", name: "A" });
    const { status, body } = await (header === undefined ? sent : sent.set("Authorization", header));
    expect([status, body.error.code]).toEqual([401, "unauthorized"]);
    expect(body.error.message).toContain(message);
    expect(body.error.message).toContain("This mock accepts test-api-token.");
    expect(JSON.stringify(body)).not.toContain("production-secret");
    expect((await own.world.health()).groups).toBe(5);
  });

  it("without an API token of the user's own fixture", async () => {
    const teams = [{ team_id: 1, api_tokens: ["my-own-secret", "my-second-secret"] }];
    await using mock = await startMock({ fixtures: { teams } });
    for (const authorization of ["Token wrong", "token my-own-secret", "Bearer x", "Token MY-OWN-SECRET"]) {
      const { status, text } = await request(mock.url).get("/api/user").set("Authorization", authorization);
      expect(status).toBe(401);
      expect(text).toContain("This mock accepts the API tokens of your fixtures.");
      expect(text).not.toMatch(/my-(own|second)-secret/i);
    }
    const messages = JSON.stringify((await mock.requests()).map(({ cause, response }) => [cause, response]));
    expect(messages).not.toMatch(/my-(own|second)-secret/i);
  });
});
