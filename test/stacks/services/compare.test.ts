import { describe, expect, it } from "vitest";
import { type MockOptions, startMock } from "../../../src/index.js";
import { compare, countOf, play } from "./compare.mjs";
import { oddValues } from "./odd-values.mjs";
import { script } from "./script.mjs";
import { teams } from "./steps.mjs";
import { walk } from "./walk.mjs";

const fixtures = { teams: teams.map(({ team_id, api_token }) => ({ team_id, api_tokens: [api_token] })) };

/** The steps, sent to a mock and to one with other options and other tokens. */
async function playBoth(steps: Parameters<typeof play>[0], options: MockOptions = {}) {
  await using one = await startMock({ fixtures, seed: "one" });
  await using other = await startMock({ fixtures, seed: "other", ...options });
  return countOf(await play(steps, one.url, other.url, teams));
}

describe("the measure of verify", () => {
  it.for([
    ["the script", script],
    ["a walk", walk("1")],
    ["odd values", oddValues()],
  ] as const)("finds no difference between a mock and itself: %s", async ([, steps]) => {
    const { of, accepted, falseAccepts, falseRejects, body, headers } = await playBoth(steps);
    expect({ falseAccepts, falseRejects, body, headers }).toEqual({
      falseAccepts: 0,
      falseRejects: 0,
      body: of,
      headers: of,
    });
    expect(accepted).toBeGreaterThan(of / 4);
    expect(accepted).toBeLessThan(of * 0.9);
  });

  it("draws the same walk from the same seed only", () => {
    const shown = (seed: string) => JSON.stringify(walk(seed));
    expect(shown("7 express")).toBe(shown("7 express"));
    expect(shown("7 express")).not.toBe(shown("8 express"));
  });

  it("counts what only the mock accepts as a false accept", async () => {
    const lenient = await playBoth(script, { assume: { "old-token": "accepted" } });
    expect(lenient.falseAccepts).toBe(2);
    expect(lenient.falseRejects).toBe(0);
    // Later responses about the group still have the group's latest token.
    expect(lenient.of - lenient.body).toBe(2);
  });

  const names = (token: string) => new Map([[token, "<token of a, 0 rotations ago>"]]);
  const exchange = (status: number, body: unknown, headers: Record<string, string> = {}, token = "none") => ({
    request: { method: "GET", path: "/api/user", headers: {}, body: "" },
    response: {
      status,
      headers: { "content-type": "application/json", ...headers },
      text: typeof body === "string" ? body : JSON.stringify(body),
    },
    names: names(token),
  });
  const failed = { success: 0, errors: [{ field: "name" }] };
  const rows = [
    ["another status", exchange(400, failed), exchange(422, failed), "status"],
    [
      "another media type",
      exchange(400, failed),
      exchange(400, failed, { "content-type": "text/plain" }),
      "shape",
    ],
    [
      "another charset",
      exchange(400, failed),
      exchange(400, failed, { "content-type": "application/json; charset=utf-8" }),
      "nothing",
    ],
    ["a field less", exchange(400, failed), exchange(400, { success: 0 }), "shape"],
    ["another type of a field", exchange(400, failed), exchange(400, { ...failed, success: "0" }), "shape"],
    [
      "one problem more",
      exchange(400, failed),
      exchange(400, { ...failed, errors: [{ field: "a" }, { field: "b" }] }),
      "body",
    ],
    ["a text instead of JSON", exchange(400, failed), exchange(400, "no"), "shape"],
    [
      "fields in another order",
      exchange(400, failed),
      exchange(400, { errors: failed.errors, success: 0 }),
      "nothing",
    ],
    [
      "another token of the same age",
      exchange(200, { token: "token-one" }, {}, "token-one"),
      exchange(200, { token: "token-two" }, {}, "token-two"),
      "nothing",
    ],
    [
      "the same token instead of a new one",
      exchange(200, { token: "token-one" }, {}, "token-one"),
      exchange(200, { token: "token-two" }),
      "body",
    ],
    ["a header less", exchange(201, failed, { location: "/a" }), exchange(201, failed), "headers"],
    ["another Date", exchange(201, failed, { date: "a" }), exchange(201, failed, { date: "b" }), "nothing"],
  ] as const;

  it.for(rows)("sees the difference: %s", ([, service, mock, expected]) => {
    const { sameStatus, sameShape, sameBody, sameHeaders } = compare(service, mock);
    const found = [
      !sameStatus && "status",
      sameStatus && !sameShape && "shape",
      sameShape && !sameBody && "body",
      !sameHeaders && "headers",
    ].filter((one) => one !== false);
    expect(found).toEqual(expected === "nothing" ? [] : [expected]);
  });
});
