import { describe, expect, it } from "vitest";
import {
  repeatedFields,
  sentValues,
  textWithoutBraces,
  valuesByGroup,
  withoutBraces,
  withPlaceholders,
} from "../../../../src/lab/verify/learn/placeholders.js";
import { named, recorded, rejected, success } from "../seen-responses.js";

describe("words in braces", () => {
  it.each([
    ["{name}", "example"],
    ["{mapping}", "example"],
    ["At least {number} of {name}", "At least example of example"],
    ["{other}", "{other}"],
    ["of {mapping}", "of {mapping}"],
    ["{constructor}", "{constructor}"],
    ["{ name }", "{ name }"],
  ])("that would be a placeholder become an example: %s", (text, expected) => {
    expect(textWithoutBraces(text)).toBe(expected);
  });

  it("stay in the names of fields, and in what is not a text", () => {
    expect(withoutBraces({ "{name}": ["{name}", 1, null] })).toEqual({ "{name}": ["example", 1, null] });
  });
});

describe("what a rejected request sent", () => {
  const sent = { method: "POST", path: "/api/user?verify=1", body: { current_token: "t", color: "red" } };

  it("is its fields, its path without a query and its method", () => {
    expect(sentValues(named("any", sent, rejected))).toEqual({
      current_token: "t",
      color: "red",
      path: "/api/user",
      method: "POST",
    });
  });

  it("is also the field that is wrong, if the document does not have it", () => {
    expect(sentValues(named("any", sent, rejected, { wrongField: "color" })).field).toBe("color");
    expect(sentValues(named("any", sent, rejected, { wrongField: "current_token" })).field).toBeUndefined();
  });
});

describe("placeholders stand for", () => {
  const sent = {
    user_group_id: "ugm-abcdef-1",
    name: "ugm-abcdef 2",
    mapping: { "40": "213" },
    properties: {},
    path: "/api/user",
    method: "GET",
    field: "color",
  };

  it.each([
    ["a value as a whole", { mapping: { "40": "213" } }, { mapping: "{mapping}" }],
    ["no value that is in a response for another reason", [{}, true], [{}, true]],
    ["a part of a text", "id=ugm-abcdef-1, ugm-abcdef-1", "id={user_group_id}, {user_group_id}"],
    ["a path and a method", "Cannot GET /api/user/x", "Cannot {method} {path}/x"],
    ["no part of a word that has the method in it", "GETTER GET", "GETTER {method}"],
    [
      "the name of a field that is wrong",
      { color: ["color, not colors"] },
      { "{field}": ["{field}, not colors"] },
    ],
    ["nothing in numbers", [5, null, true], [5, null, true]],
  ])("%s", (_, value, expected) => {
    expect(withPlaceholders(value, sent)).toEqual(expected);
  });

  it("a short value as a whole, if it is a text of three characters", () => {
    const place = (name: string) => withPlaceholders([name, `of ${name}`], { name });
    expect(place("Tom")).toEqual(["{name}", "of Tom"]);
    expect(place("To")).toEqual(["To", "of To"]);
  });

  it("a short word of a field that the service repeats in texts", () => {
    const repeated = new Set(["name"]);
    const place = (text: string, name: unknown) => withPlaceholders(text, { name }, repeated);
    expect(place("Tom is taken, Tomas is not", "Tom")).toBe("{name} is taken, Tomas is not");
    expect(place("No is taken", "No")).toBe("No is taken");
    expect(withPlaceholders("Tom is taken", { name: "Tom" })).toBe("Tom is taken");
  });

  it("a number that was sent, if it is long", () => {
    expect(withPlaceholders("of 12345678", { user_group_id: 12345678 })).toBe("of {user_group_id}");
    expect(withPlaceholders("of 1234567", { user_group_id: 1234567 })).toBe("of 1234567");
  });

  it("no path that is only a slash", () => {
    expect(withPlaceholders("a/b", { path: "/" })).toBe("a/b");
  });

  it("a value that has a meaning for a replacement", () => {
    expect(withPlaceholders("of $&-$1-$$x", { name: "$&-$1-$$x" })).toBe("of {name}");
  });
});

describe("the fields that a service repeats in texts", () => {
  const sent = { body: { name: "a long name", user_group_id: "short", current_token: "other-token" } };

  it("are those of which a long value is in a response", () => {
    const entries = [recorded(sent, { status: 422, body: "not a long name or short" })];
    expect([...repeatedFields(entries)]).toEqual(["name"]);
  });

  it("are found in one response of many", () => {
    const entries = [rejected, { status: 422, body: "other-token" }, rejected].map((seen) =>
      recorded(sent, seen),
    );
    expect([...repeatedFields(entries)]).toEqual(["current_token"]);
  });
});

describe("the values of a group", () => {
  const creation = recorded(
    { body: { user_group_id: "a", name: "First", mapping: { "40": "1" } } },
    success({ provided_id: "A", name: "FIRST" }),
  );
  const lookUp = recorded(
    { body: { user_group_id: "a", name: "Second" } },
    success({ provided_id: "A", name: "FIRST" }, { new_user_group: false }),
  );

  it("are what the request sent, and what created the group, both with what the response shows", () => {
    const shown = { user_group_id: "A", name: "FIRST" };
    expect(valuesByGroup([creation, lookUp])(lookUp)).toEqual([
      { ...shown, mapping: { "40": "1" } },
      { ...shown, mapping: { "40": "1" } },
    ]);
    const other = recorded(
      { body: { user_group_id: "a", mapping: { "40": "2" } } },
      success({ provided_id: "A", name: "FIRST" }, { new_user_group: false }),
    );
    const valuesOf = valuesByGroup([creation, other, lookUp]);
    expect(valuesOf(other).map(({ mapping }) => mapping)).toEqual([{ "40": "2" }, { "40": "1" }]);
  });
});
