import { describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { rejectionOf } from "../world/rejection.js";

const teams = [
  { team_id: 3, api_tokens: ["test-api-token"] },
  { team_id: 4, api_tokens: ["other-api-token"] },
];
const group = (team_id: number, provided_id: string, token?: string) => ({
  team_id,
  provided_id,
  name: provided_id,
  ...(token !== undefined && { token }),
});

describe("a fixture that cannot be a seed", () => {
  it("is rejected with the place of the first of two groups or tokens with the same value", async () => {
    const user_groups = [group(4, "a"), group(3, "a"), group(3, "a"), group(3, "b", "t"), group(3, "c", "t")];
    const { details } = await rejectionOf(startMock({ fixtures: { teams, user_groups } }));
    expect(details.map(({ path, message }) => [path, message])).toEqual([
      ["/user_groups/2", expect.stringMatching(/^repeats the team and provided_id of .* \/user_groups\/1$/)],
      ["/user_groups/4/token", expect.stringMatching(/^repeats the token of .* \/user_groups\/3$/)],
    ]);
  });

  it("is rejected if a team has the API token of another, or if there is none", async () => {
    const problemsOf = async (...api_tokens: string[][]) => {
      const given = api_tokens.map((tokens, n) => ({ team_id: n, api_tokens: tokens }));
      const { details } = await rejectionOf(startMock({ fixtures: { teams: given } }));
      return details.map(({ path, message }) => `${path}: ${message}`);
    };
    expect(await problemsOf(["a"], ["b", "a"])).toEqual([
      "/teams/1/api_tokens/1: repeats an API token of the given fixture /teams/0",
    ]);
    expect(await problemsOf([], [])).toEqual(["/teams: at least one team must have an API token"]);
  });

  it("is rejected with the place of a mapping value that requests cannot have either", async () => {
    const user_groups = [{ ...group(3, "a"), mapping: { "a/~b": 1, c: "1" } }];
    const { details } = await rejectionOf(startMock({ fixtures: { teams, user_groups } }));
    expect(details.map(({ path }) => path)).toEqual(["/user_groups/0/mapping/a~1~0b"]);
  });

  it("is rejected with at most 20 problems, and a last entry that counts the others", async () => {
    const findProblems = async (count: number) => {
      const user_groups = Array.from({ length: count }, (_, n) => group(7, `g${n}`));
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
