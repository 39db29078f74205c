import { describe, expect, it } from "vitest";
import { assumptionProblems } from "../../../src/fake/contract/assumptions.js";
import { situationIds, wordsOf } from "../../../src/fake/contract/situations.js";

describe("values for assumptions, and words for situations", () => {
  it.each<[json: string, path: string, problem: string]>([
    ["[]", "", "must be object"],
    ["null", "", "must be object"],
    [
      '{ "old-tokens": "accepted" }',
      "/old-tokens",
      "is not an assumption or a situation; did you mean old-token?",
    ],
    ['{ "name nul": "accepted" }', "/name nul", "did you mean name: null?"],
    ['{ "created-status": 201 }', "/created-status", 'must be "200" or "201"'],
    ['{ "old-token": ["accepted"] }', "/old-token", 'must be "rejected" or "accepted"'],
    ['{ "old-token": "constructor" }', "/old-token", 'must be "rejected" or "accepted"'],
    ['{ "constructor": "accepted" }', "/constructor", "is not an assumption or a situation"],
    ['{ "__proto__": { "old-token": "accepted" } }', "/__proto__", "is not an assumption or a situation"],
    ['{ "name: null": "ignored" }', "/name: null", 'must be "rejected" or "accepted" or "empty"'],
    ['{ "other path": "accepted" }', "/other path", 'must be "rejected"'],
    ['{ "created": "accepted" }', "/created", "has a response, which only a profile can set"],
    ['{ "every response": "rejected" }', "/every response", "has a response, which only a profile can set"],
    ['{ "name: long": "rejected" }', "/name: long", 'must be "accepted"; to reject, a profile needs over'],
    ['{ "name: short": 5 }', "/name: short", "to reject, a profile needs under"],
    ['{ "name: characters": "a-z" }', "/name: characters", "to reject, a profile needs characters"],
  ])("are rejected with their place: %s", (json, path, problem) => {
    expect(assumptionProblems(JSON.parse(json))).toEqual([
      { path, message: expect.stringContaining(problem) },
    ]);
  });

  it("are rejected with all problems at once", () => {
    const found = assumptionProblems({ "old-token": "x", "name: null": "accepted", nobody: "x" });
    expect(found.map(({ path }) => path)).toEqual(["/old-token", "/nobody"]);
  });

  it("are accepted if the table has them", () => {
    for (const id of situationIds)
      for (const word of wordsOf(id)) expect([id, assumptionProblems({ [id]: word })]).toEqual([id, []]);
  });
});
