import { describe, expect, it } from "vitest";
import { closestMatches, matchesRule } from "../../../src/fake/world/match.js";

type MatchRule = Parameters<typeof matchesRule>[0];

/** The differences between a rule and a request as text. */
function differences(rule: MatchRule, request: object): string[] {
  const known = { id: 1, operation: "rotate", json: undefined, ...request } as const;
  const [closest] = closestMatches(rule, [known]);
  const found = closest?.reason === "" ? [] : (closest?.reason.split("; ") ?? []);
  expect(matchesRule(rule, known)).toBe(found.length === 0);
  return found;
}

describe("matching a request with a rule", () => {
  it("compares the operation", () => {
    const rule = { operation: "rotate" } as const;
    const match = (operation: "rotate" | "get-or-create" | null) =>
      matchesRule(rule, { operation, json: undefined });
    expect([match("rotate"), match("get-or-create"), match(null)]).toEqual([true, false, false]);
  });

  it.each<[wanted: Record<string, unknown>, body: unknown, found: string[]]>([
    [{ a: 1 }, { a: 1, b: 2 }, []],
    [{ a: 1 }, { a: "1" }, ['a was "1", not 1']],
    [{ a: 1 }, {}, ["a was not sent"]],
    [{ length: 2 }, "no JSON", ["length was not sent"]],
    [{ length: 2, 0: "a" }, ["a", "b"], ["0 was not sent", "length was not sent"]],
    [{ a: 1 }, null, ["a was not sent"]],
    [{ a: null }, { a: null }, []],
    [{ a: null }, {}, ["a was not sent"]],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2, d: 3 } } }, ["a.b.c was 2, not 1"]],
    [{ a: { b: 1 } }, { a: [1] }, ['a was [1], not {"b":1}']],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [{ a: [1] }, { a: [1, 2] }, ["a was [1,2], not [1]"]],
    [{ a: [1] }, { a: { 0: 1 } }, ['a was {"0":1}, not [1]']],
    [{ toString: 1 }, {}, ["toString was not sent"]],
    [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 4 } },
      ["a was not sent", "b.c was not sent", "b.d was 4, not 3"],
    ],
  ])("compares the fields of the body: %j, %j", (match, body, found) => {
    expect(differences({ match }, { json: body })).toEqual(found);
  });

  it("shows 200 characters of a value", () => {
    const [short, long] = ["x".repeat(198), "x".repeat(199)];
    expect(differences({ match: { a: short } }, { json: { a: long } })).toEqual([
      `a was "${long}…, not "${short}"`,
    ]);
  });
});

describe("the closest matches of a rule", () => {
  const closest = (rule: MatchRule, bodies: readonly (object | null)[]) => {
    const requests = bodies.map((body, n) => ({
      id: n + 1,
      // Without a body it is a rotation.
      operation: body === null ? ("rotate" as const) : ("get-or-create" as const),
      json: body,
    }));
    return closestMatches(rule, requests).map(({ request }) => request.id);
  };

  it("have another value before no value, and the newest first", () => {
    const bodies = [{ user_group_id: "a" }, { user_group_id: "b" }, {}];
    expect(closest({ match: { user_group_id: "acme" } }, bodies)).toEqual([2, 1, 3]);
  });

  it("are requests of the operation that the rule names, or others if there are none", () => {
    const match = { user_group_id: "acme" };
    expect(closest({ operation: "get-or-create", match }, [{}, null])).toEqual([1]);
    expect(closest({ operation: "get-or-create", match }, [null, null])).toEqual([2, 1]);
    expect(closest({ match }, [{}, null])).toEqual([2, 1]);
  });
});
