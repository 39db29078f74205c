import { describe, expect, it } from "vitest";
import { closestMatches, matchesRule } from "../../src/world/match.js";

type MatchRule = Parameters<typeof matchesRule>[0];

/** The differences between a rule and a request as text. */
function differences(rule: MatchRule, request: object): string[] {
  const known = { id: 1, operation: "rotate", json: undefined, ...request } as const;
  const [closest] = closestMatches(rule, [known], 1);
  const found = closest?.reason === "" ? [] : (closest?.reason.split("; ") ?? []);
  expect(matchesRule(rule, known)).toBe(found.length === 0);
  return found;
}

describe("matching a request with a rule", () => {
  it("accepts every request if the rule is empty", () => {
    expect(differences({}, {})).toEqual([]);
    expect(differences({ match: {} }, { json: "no JSON" })).toEqual([]);
  });

  it("compares the operation", () => {
    expect(differences({ operation: "rotate" }, {})).toEqual([]);
    expect(differences({ operation: "get-or-create" }, {})).toEqual(["it was rotate, not get-or-create"]);
    expect(differences({ operation: "rotate" }, { operation: null })).toEqual([
      "it was an unknown operation, not rotate",
    ]);
  });

  it("compares the team, if it is known", () => {
    expect(differences({ team_id: 3 }, { teamId: 3 })).toEqual([]);
    expect(differences({ team_id: 3 }, { teamId: 4 })).toEqual(["it came from team 4, not 3"]);
    expect(differences({ team_id: 3 }, {})).toEqual([]);
    expect(differences({}, { teamId: 4 })).toEqual([]);
  });

  it("compares the outcome, if it is known", () => {
    expect(differences({ outcome: "success" }, { outcome: "success" })).toEqual([]);
    expect(differences({ outcome: "success" }, { outcome: "fault" })).toEqual([
      "its outcome was fault, not success",
    ]);
    expect(differences({ outcome: "success" }, {})).toEqual([]);
  });

  it.each<[wanted: Record<string, unknown>, body: unknown, found: string[]]>([
    [{ a: 1 }, { a: 1, b: 2 }, []],
    [{ a: 1 }, { a: "1" }, ['a was "1", not 1']],
    [{ a: 1 }, {}, ["a was not sent, not 1"]],
    [{ a: 1 }, "no JSON", ["a was not sent, not 1"]],
    [{ a: null }, { a: null }, []],
    [{ a: null }, {}, ["a was not sent, not null"]],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2, d: 3 } } }, ["a.b.c was 2, not 1"]],
    [{ a: { b: 1 } }, { a: [1] }, ['a was [1], not {"b":1}']],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    [{ a: [1] }, { a: [1, 2] }, ["a was [1,2], not [1]"]],
    [{ a: [1] }, { a: { 0: 1 } }, ['a was {"0":1}, not [1]']],
    [{ toString: 1 }, {}, ["toString was not sent, not 1"]],
    [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 4 } },
      ["a was not sent, not 1", "b.c was not sent, not 2", "b.d was 4, not 3"],
    ],
  ])("compares the fields of the body: %j, %j", (match, body, found) => {
    expect(differences({ match }, { json: body })).toEqual(found);
  });

  it("describes at most ten differences", () => {
    const match = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n}`, n]));
    const ten = Array.from({ length: 10 }, (_, n) => `f${n} was not sent, not ${n}`);
    expect(differences({ match }, { json: {} })).toEqual(ten);
    expect(differences({ match: { nested: match, last: 1 } }, { json: { nested: {} } })).toEqual(
      ten.map((text) => `nested.${text}`),
    );
  });

  it("shows 200 characters of values and names", () => {
    const [short, long] = ["x".repeat(198), "x".repeat(199)];
    expect(differences({ match: { a: short } }, { json: { a: long } })).toEqual([
      `a was "${long}…, not "${short}"`,
    ]);
    const name = "n".repeat(200);
    expect(differences({ match: { [name]: 1, [`${name}n`]: 1 } }, {})).toEqual([
      `${name} was not sent, not 1`,
      `${name}… was not sent, not 1`,
    ]);
  });

  it("reads the body only if fields are compared", () => {
    let reads = 0;
    const request = {
      operation: "rotate",
      get json() {
        reads++;
        return { a: 1 };
      },
    } as const;
    expect(matchesRule({ operation: "rotate" }, request)).toBe(true);
    expect(matchesRule({ operation: "get-or-create", match: { a: 1 } }, request)).toBe(false);
    expect(reads).toBe(0);
    expect(matchesRule({ match: { a: 1 } }, request)).toBe(true);
    expect(reads).toBe(1);
  });
});
