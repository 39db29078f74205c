import { describe, expect, it } from "vitest";
import type { Profile } from "../../../../src/generated/types.js";
import type { FactFinding } from "../../../../src/lab/verify/learn/conclude-facts.js";
import type { ObservedRule } from "../../../../src/lab/verify/learn/learn-accepts.js";
import type { LearnedResponses } from "../../../../src/lab/verify/learn/learn-responses.js";
import { readableJson } from "../../../../src/lab/verify/show/readable-json.js";
import { replacedIn, withEarlier } from "../../../../src/lab/verify/show/write-profile.js";
import { learnedProfile, reportWith } from "../reports.js";

const nameLength = { operation: "get-or-create", field: "name", keyword: "maxLength" } as const;
const withLength = (maxLength: number): Profile => ({
  accepts: { "get-or-create": { properties: { name: { maxLength } } } },
});

describe("a profile is written", () => {
  const write = (earlier: Profile, rules: readonly ObservedRule[] = []) => {
    const learned = learnedProfile({
      profile: {
        $schema: "schema",
        verified: { on: "2026-11-18" },
        accepts: {},
        assume: { "old-token": "rejected" },
        responses: {},
      },
      responses: new Map([["found", { status: 202 }]]),
    });
    return withEarlier(earlier, reportWith({ rules }), learned);
  };

  it("with what was learned, also if the file has something else", () => {
    const earlier: Profile = {
      verified: { on: "2020-01-31", broken: ["failure"] },
      assume: { "old-token": "accepted" },
      responses: { found: { status: 418 } },
      ...withLength(5),
    };
    expect(write(earlier, [{ ...nameLength, value: 7 }])).toEqual({
      $schema: "schema",
      verified: { on: "2026-11-18" },
      assume: { "old-token": "rejected" },
      responses: { found: { status: 202 } },
      ...withLength(7),
    });
  });

  it("with what the file has and the run has not observed", () => {
    const earlier: Profile = {
      assume: { "foreign-token": "accepted" },
      responses: { payload_too_large: { status: 400 } },
      ...withLength(5),
    };
    expect(write(earlier)).toEqual({
      $schema: "schema",
      verified: { on: "2026-11-18" },
      assume: { "foreign-token": "accepted", "old-token": "rejected" },
      responses: { found: { status: 202 }, payload_too_large: { status: 400 } },
      ...withLength(5),
    });
  });
});

describe("a profile is written over another one", () => {
  const write = (earlier: Profile, facts: readonly FactFinding[], responses: LearnedResponses = new Map()) =>
    withEarlier(earlier, reportWith({ facts }), learnedProfile({ responses }));

  it("without what the earlier one has taken from a wider name, if that was observed", () => {
    const responses = new Map([
      ["invalid_body", { status: 400 }],
      ["invalid_body.name", { status: 400 }],
    ]);
    const earlier: Profile = { responses: { invalid_body: { status: 422 }, not_found: { status: 410 } } };
    expect(write(earlier, [], responses).responses).toEqual({
      invalid_body: { status: 400 },
      not_found: { status: 410 },
    });
  });

  it.each<[FactFinding["verdict"], object | undefined]>([
    ["not determinable", ["failure"]],
    ["broken", ["failure"]],
    ["holds", undefined],
  ])("with a fact that was broken, if it is %s now", (verdict, broken) => {
    const earlier: Profile = { verified: { broken: ["failure"] } };
    expect(write(earlier, [{ id: "failure", fact: "", verdict }]).verified?.broken).toEqual(broken);
  });
});

describe("what is replaced in a profile", () => {
  const replaced = (earlier: Profile, later: Profile, rules: readonly ObservedRule[] = []) =>
    replacedIn(earlier, later, reportWith({ rules }));

  it.each([
    [7, ["replaced accepts get-or-create/name/maxLength"]],
    [undefined, ["removed accepts get-or-create/name/maxLength"]],
    [5, []],
  ])("is a rule that is now %s", (value, expected) => {
    expect(replaced(withLength(5), {}, [{ ...nameLength, value }])).toEqual(expected);
    expect(replaced({}, {}, [{ ...nameLength, value }])).toEqual([]);
  });

  it("is a rule of the body itself, and none whose list has another order", () => {
    const rule = { operation: "get-or-create", field: "", keyword: "required" } as const;
    const earlier: Profile = { accepts: { "get-or-create": { required: ["name", "mapping"] } } };
    expect(replaced(earlier, {}, [{ ...rule, value: ["name"] }])).toEqual([
      "replaced accepts get-or-create/required",
    ]);
    expect(replaced(earlier, {}, [{ ...rule, value: ["mapping", "name"] }])).toEqual([]);
  });

  it("is a value, with what it was", () => {
    const earlier: Profile = { assume: { "old-token": "accepted", "id-matching": "exact" } };
    const later: Profile = { assume: { "old-token": "rejected", "id-matching": "exact" } };
    expect(replaced(earlier, later)).toEqual(["replaced assume old-token (was accepted)"]);
  });

  it("is a response, or it is removed", () => {
    const earlier: Profile = {
      responses: { found: { status: 200 }, created: { status: 200 }, invalid_json: { status: 400 } },
    };
    const later: Profile = { responses: { found: { status: 200 }, created: { status: 201 } } };
    expect(replaced(earlier, later)).toEqual(["replaced response created", "removed response invalid_json"]);
  });
});

describe("JSON is written", () => {
  const list = (length: number) => ({ list: ["x".repeat(length)] });

  it("with a list on one line if that fits into 100 columns, with a comma", () => {
    const longest = 100 - '  "list": [""],'.length;
    expect(readableJson(list(longest))).toBe(`{\n  "list": ["${"x".repeat(longest)}"]\n}`);
    expect(readableJson(list(longest + 1))).toBe(`{\n  "list": [\n    "${"x".repeat(longest + 1)}"\n  ]\n}`);
  });

  it("with each field of the whole on a line of its own", () => {
    expect(readableJson({ a: 1, b: { c: [1, { d: null }] }, e: {}, f: [] })).toBe(
      '{\n  "a": 1,\n  "b": { "c": [1, { "d": null }] },\n  "e": {},\n  "f": []\n}',
    );
    expect(readableJson({})).toBe("{}");
    expect(readableJson([])).toBe("[]");
    expect(readableJson("text")).toBe('"text"');
  });

  it("as a text that means the same", () => {
    const value = { 'with "quotes"': [{ long: "x".repeat(90), n: [1, 2] }, []], deep: [[["\n"]]] };
    expect(JSON.parse(readableJson(value))).toEqual(value);
  });
});
