import { describe, expect, it } from "vitest";
import { fillIn, fillText, KnownResponses } from "../../src/service/known-responses.js";

describe("the responses of a profile", () => {
  it("are empty for a name that the profile does not have", () => {
    expect(new KnownResponses().find("unauthorized.missing")).toEqual({});
    expect(new KnownResponses({ created: { status: 201 } }).find("found")).toEqual({});
  });

  it("are templates only if they have placeholders", () => {
    const known = new KnownResponses({
      unauthorized: { body: { detail: "No" } },
      invalid_body: { body: { detail: "{name}" } },
    });
    expect(known.find("unauthorized.scheme")).toEqual({ body: { detail: "No" }, isTemplate: false });
    expect(known.find("invalid_body.name.type").isTemplate).toBe(true);
  });
});

describe("placeholders", () => {
  const given = { name: "Acme", mapping: { "40": "1" }, user_group_id: 7 };

  it("keep their type as a whole value, at every depth", () => {
    expect(fillIn({ a: ["{mapping}", "{user_group_id}"], b: { c: "{path}" } }, given)).toEqual({
      a: [{ "40": "1" }, 7],
      b: { c: null },
    });
  });

  it("are text in a text, and other braces stay", () => {
    expect(fillIn("{name} {user_group_id}{path} {mapping} {x}", given)).toBe("Acme 7 {mapping} {x}");
    expect(fillText("{path}", given)).toBe("");
    expect(fillIn([1, null, true], given)).toEqual([1, null, true]);
  });
});
