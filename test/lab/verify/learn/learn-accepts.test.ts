import { describe, expect, it } from "vitest";
import type { IdCharacter } from "../../../../src/lab/verify/ask/id-characters.js";
import { Answers } from "../../../../src/lab/verify/ask/questions.js";
import { observeRules } from "../../../../src/lab/verify/learn/learn-accepts.js";
import {
  isSameRule,
  isStillTrue,
  ruleIn,
  writeAccepts,
} from "../../../../src/lab/verify/learn/write-accepts.js";

/** The rules that follow from answers, as a profile has them. */
function learn(answers: Readonly<Record<string, unknown>>) {
  const known = new Answers(Object.entries(answers).map(([name, value]) => [name, { value }]));
  return writeAccepts(observeRules(known));
}

const ofField = (field: string, answers: Readonly<Record<string, unknown>>) =>
  Object(learn(answers)["get-or-create"]?.properties)[field];

describe("verify observes", () => {
  it("nothing without answers", () => {
    expect(observeRules(new Answers())).toEqual([]);
    expect(observeRules(new Answers([["name: empty", { why: "no response" }]]))).toEqual([]);
  });

  it("which fields are required", () => {
    const required = ["user_group_id", "name"];
    expect(learn({ "fields that are required": required })).toEqual({ "get-or-create": { required } });
  });

  it("unknown fields of each operation", () => {
    expect(learn({ "get-or-create: an unknown field": true, "rotate: an unknown field": false })).toEqual({
      "get-or-create": { additionalProperties: true },
      rotate: { additionalProperties: false },
    });
  });

  it("types only if all kinds are known", () => {
    const known = { "filename: null": true };
    expect(learn(known)).toEqual({});
    expect(learn({ ...known, "filename: number": false })).toEqual({
      rotate: { properties: { filename: { type: ["string", "null"] } } },
    });
    expect(learn({ "filename: null": false, "filename: number": false })).toEqual({
      rotate: { properties: { filename: { type: "string" } } },
    });
  });

  it("a null that either a new group or one that exists may have", () => {
    const others = { "name: number": false, "name: boolean": false };
    const asked = (ofNew: boolean | undefined, ofExisting: boolean) =>
      ofField("name", { ...others, "name: null": ofNew, "name: null, of a group that exists": ofExisting })
        ?.type;
    expect(asked(true, false)).toEqual(["string", "null"]);
    expect(asked(false, true)).toEqual(["string", "null"]);
    expect(asked(false, false)).toBe("string");
    expect(asked(undefined, false)).toBeUndefined();
    expect(asked(undefined, true)).toEqual(["string", "null"]);
  });

  it("whether a name may be empty or blank", () => {
    const asked = (isEmpty?: boolean, isBlank?: boolean) =>
      ofField("name", { "name: empty": isEmpty, "name: blank": isBlank });
    expect(asked(true, true)).toEqual({ minLength: 0 });
    expect(asked(true, false)).toEqual({ minLength: 0 });
    expect(asked(false, true)).toEqual({ minLength: 1 });
    expect(asked(false, false)).toEqual({ minLength: 1, pattern: "\\S" });
    expect(asked(false)).toEqual({ minLength: 1 });
    expect(asked(undefined, false)).toBeUndefined();
  });

  it("an exact length, one that may be higher, and none", () => {
    const asked = (accepted: number, rejected?: number) =>
      observeRules(new Answers([["name: long", { value: { accepted, rejected } }]]));
    const rule = { operation: "get-or-create", field: "name", keyword: "maxLength" };
    expect(asked(80, 81)).toEqual([{ ...rule, value: 80 }]);
    expect(asked(80, 82)).toEqual([{ ...rule, value: 80, below: 82 }]);
    expect(asked(2_000)).toEqual([{ ...rule, value: undefined, from: 2_000 }]);
  });

  it("the lengths of an id and of a filename", () => {
    const found = { accepted: 9, rejected: 10 };
    expect(learn({ "user_group_id: long": found, "filename: long": found })).toEqual({
      "get-or-create": { properties: { user_group_id: { maxLength: 9 } } },
      rotate: { properties: { filename: { maxLength: 9 } } },
    });
  });

  it.each([
    ["rejected", "rejected", "^[^A-Z\\s]*$"],
    ["rejected", "same group", "^[^A-Z]*$"],
    ["another group", "rejected", "^[^\\s]*$"],
    ["another group", "same group", undefined],
  ])("characters that an id may not have: capitals %s, a space %s", (capitals, space, pattern) => {
    const rules = observeRules(new Answers([["id-matching", { value: { capitals, space } }]]));
    expect(rules).toMatchObject([
      { operation: "get-or-create", field: "user_group_id", keyword: "pattern", value: pattern },
    ]);
  });

  it.each<[IdCharacter[], string, string | undefined, string[], string[], IdCharacter[]?]>([
    [[], "same group", undefined, ["a-b", "A b", "é"], []],
    [[], "rejected", "(?<!\\s)$", ["a b", "", "a/b"], ["a ", "a b\t"], [" "]],
    [["/"], "rejected", "^[^/]*(?<!\\s)$", ["a b", "ab"], ["a ", "a/b", "a/ "], [" "]],
    [["/", "@"], "same group", "^[^/@]*$", ["a.b", "a b "], ["a/b", "a@b"]],
    [[" "], "same group", "^[^ ]* *$", ["a  ", "a"], ["a b"]],
    [["\\.", " "], "rejected", "^[^\\s\\.]*$", ["a/b"], ["a.b", "a ", "a b"]],
    [["\\u0080-\\u{10ffff}"], "same group", "^[^\\u0080-\\u{10ffff}]*$", ["a"], ["é", "😀"]],
  ])("other characters that an id may not have: %j, a space at the end: %s", (...row) => {
    const [rejected, space, pattern, matching, others, accepted = []] = row;
    const known = new Answers([
      ["id-matching", { value: { capitals: "same group", space } }],
      ["user_group_id: characters", { value: { accepted, rejected } }],
    ]);
    const [rule] = observeRules(known);
    expect(rule?.value).toBe(pattern);
    // The next run accepts what this one has written.
    if (rule !== undefined && pattern !== undefined)
      expect(isStillTrue({ ...rule, value: "" }, pattern)).toBe(true);
    const compiled = new RegExp(String(rule?.value ?? ""), "u");
    expect(matching.filter((id) => !compiled.test(id))).toEqual([]);
    expect(others.filter((id) => compiled.test(id))).toEqual([]);
  });

  it("the types of values in mapping and in properties", () => {
    const all = ["string", "number", "boolean", "null", "object", "array"];
    const rules = (field: string, types: readonly string[]) =>
      ofField(field, { [`${field}: values`]: types })?.additionalProperties;
    expect(rules("mapping", all)).toBe(true);
    expect(rules("mapping", ["string"])).toEqual({ type: "string" });
    expect(rules("properties", ["string", "null"])).toEqual({ type: ["string", "null"] });
  });
});

describe("the rules of a profile", () => {
  const earlier = {
    "get-or-create": {
      required: ["name"],
      properties: { name: { type: "string", maxLength: 5 }, mapping: { required: ["40"] } },
    },
  } as const;
  const { "get-or-create": body } = earlier;
  const rule = { operation: "get-or-create", field: "name", keyword: "maxLength" } as const;

  it("replace those of an earlier one, and leave the others", () => {
    const accepts = JSON.parse(JSON.stringify(earlier));
    expect(writeAccepts([{ ...rule, value: 7 }], accepts)).toEqual({
      "get-or-create": {
        ...body,
        properties: { ...body.properties, name: { type: "string", maxLength: 7 } },
      },
    });
    expect(accepts).toEqual(earlier);
  });

  it("remove what the service does not have, and what is empty then", () => {
    const accepts = { "get-or-create": { properties: { name: { maxLength: 5 } } } };
    expect(writeAccepts([{ ...rule, value: undefined }], accepts)).toEqual({});
    const both = { "get-or-create": { properties: { name: { maxLength: 5, minLength: 1 } } } };
    expect(writeAccepts([{ ...rule, value: undefined }], both)).toEqual({
      "get-or-create": { properties: { name: { minLength: 1 } } },
    });
  });

  it("leave a pattern that somebody has written, unless something contradicts it that was tried", () => {
    const rule = { operation: "get-or-create", field: "user_group_id", keyword: "pattern" } as const;
    const write = (pattern: string, value: string | undefined, rejected: readonly string[] = []) => {
      const accepts = { "get-or-create": { properties: { user_group_id: { pattern } } } };
      return ruleIn(
        writeAccepts([{ ...rule, value, tried: { accepted: ["a-1", "B"], rejected } }], accepts),
        rule,
      );
    };
    expect(write("^[A-Za-z0-9-]+$", undefined)).toBe("^[A-Za-z0-9-]+$");
    expect(write("^[a-z0-9-]+$", undefined)).toBeUndefined();
    expect(write("^[A-Za-z0-9-]+$", "^[^/]*$", ["a/b"])).toBe("^[A-Za-z0-9-]+$");
    expect(write("^[A-Za-z0-9/-]+$", "^[^/]*$", ["a/b"])).toBe("^[^/]*$");
  });

  it("leave a length that may be right", () => {
    const accepts = { "get-or-create": { properties: { name: { maxLength: 90 } } } };
    expect(ruleIn(writeAccepts([{ ...rule, value: 80, below: 100 }], accepts), rule)).toBe(90);
    expect(ruleIn(writeAccepts([{ ...rule, value: 80, below: 90 }], accepts), rule)).toBe(80);
  });

  it("leave a limit above the longest that was accepted", () => {
    const write = (maxLength: number) => {
      const accepts = { "get-or-create": { properties: { name: { maxLength } } } };
      return ruleIn(writeAccepts([{ ...rule, value: undefined, from: 2_000 }], accepts), rule);
    };
    expect([write(2_000), write(5_000)]).toEqual([2_000, 5_000]);
    expect(write(1_999)).toBeUndefined();
  });

  it("are found by operation, field and keyword", () => {
    const accepts = JSON.parse(JSON.stringify(earlier));
    expect(ruleIn(accepts, rule)).toBe(5);
    expect(ruleIn(accepts, { ...rule, keyword: "minLength" })).toBeUndefined();
    expect(ruleIn(accepts, { ...rule, field: "", keyword: "required" })).toEqual(["name"]);
    expect(ruleIn(accepts, { ...rule, operation: "rotate", field: "filename" })).toBeUndefined();
  });

  it("say the same in another order of a list, also within an object", () => {
    expect(isSameRule(["string", "null"], ["null", "string"])).toBe(true);
    expect(isSameRule({ type: ["string", "null"] }, { type: ["null", "string"] })).toBe(true);
    expect(isSameRule(["string"], ["string", "null"])).toBe(false);
    expect(isSameRule({ type: "string" }, { type: "number" })).toBe(false);
    expect(isSameRule(undefined, 5)).toBe(false);
  });
});
