import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { rejectionOf } from "../world/rejection.js";

const teams = [{ team_id: 3, api_tokens: ["test-api-token"] }];

describe("a fixture that cannot be a seed", () => {
  it("is rejected with at most 20 problems, and a last entry that counts the others", async () => {
    const findProblems = async (count: number) => {
      const user_groups = Array.from({ length: count }, (_, n) => ({
        team_id: 7,
        provided_id: `g${n}`,
        name: "G",
      }));
      const { code, summary, details } = await rejectionOf(startMock({ fixtures: { teams, user_groups } }));
      expect([code, summary]).toEqual([
        "invalid_fixture",
        "Invalid fixtures (node_modules/usergroup-mock/docs/options.md has an example):",
      ]);
      return details;
    };
    const place = (n: number) => ({
      file: "the given fixture",
      path: `/user_groups/${n}/team_id`,
      message: "no fixture lists team 7",
    });
    const twenty = Array.from({ length: 20 }, (_, n) => place(n));
    expect(await findProblems(20)).toEqual(twenty);
    expect(await findProblems(21)).toEqual([...twenty, { path: "", message: "and 1 more problem" }]);
    expect((await findProblems(25)).at(-1)).toEqual({ path: "", message: "and 5 more problems" });
  });
});
