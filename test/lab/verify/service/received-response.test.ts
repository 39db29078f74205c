import { describe, expect, it } from "vitest";
import { isSameResponse, jsonText } from "../../../../src/lab/verify/service/received-response.js";
import { sentFields } from "../../../../src/lab/verify/service/recorded.js";
import { recorded, responseWith } from "../seen-responses.js";

const headers = (type: string) => ({ "content-type": type });

describe("a response is read", () => {
  it("with its group, and what the document shows of it", () => {
    const user_group = { team_id: 7, token: "t", name: "n", provided_id: "p", plan: "free" };
    const response = responseWith({ body: { success: 1, user_group } });
    const { plan, ...documented } = user_group;
    expect(response).toMatchObject({ isSuccess: true, group: user_group, type: "application/json" });
    expect(response.documented).toEqual(documented);
  });

  it.each([
    [1, true],
    ["1", true],
    [true, true],
    [0, false],
    [2, false],
    [undefined, false],
    [null, false],
  ])("as a success with %j: %s", (success, isSuccess) => {
    expect(responseWith({ body: { success } }).isSuccess).toBe(isSuccess);
  });

  it("with its type in lower case, and without parameters", () => {
    expect(responseWith({ headers: headers("Text/HTML ; charset=utf-8") }).type).toBe("text/html");
  });

  it("as JSON whatever its type is, unless it is only a text or a number", () => {
    const jsonOf = (body: string, type: string) => responseWith({ body, headers: headers(type) }).json;
    expect(jsonOf('{"a":1}', "text/html")).toEqual({ a: 1 });
    expect(jsonOf("[1]", "text/plain")).toEqual([1]);
    expect(jsonOf("404", "text/plain")).toBeUndefined();
    expect(jsonOf("null", "text/plain")).toBeUndefined();
    expect(jsonOf("404", "application/problem+json")).toBe(404);
    expect(jsonOf("no", "application/json")).toBeUndefined();
  });

  it("without fields if it is no object", () => {
    expect(responseWith({ body: [1] })).toMatchObject({ fields: {}, group: {}, isSuccess: false });
    expect(responseWith({ body: { user_group: "text" } }).group).toEqual({});
  });
});

describe("two responses are the same", () => {
  const one = { status: 400, body: { a: 1 } };
  it.each([
    ["with other values", true, one, { status: 400, body: { a: 2 } }],
    ["not with another status", false, one, { ...one, status: 401 }],
    ["not with other fields", false, one, { status: 400, body: { b: 1 } }],
    ["not with other types", false, one, { status: 400, body: { a: "x" } }],
    ["not with another Content-Type", false, one, { ...one, headers: headers("text/html") }],
    ["with another text", true, { body: "a" }, { body: "b" }],
    [
      "without a text in one of them, whatever its type is",
      true,
      { body: "" },
      { body: "a", headers: headers("text/html") },
    ],
  ])("%s: %s", (_, isSame, left, right) => {
    expect(isSameResponse(responseWith(left), responseWith(right))).toBe(isSame);
    expect(isSameResponse(responseWith(right), responseWith(left))).toBe(isSame);
  });
});

it("the fields of a body are those of an object", () => {
  const fieldsOf = (body: string) => sentFields(recorded({ body }, {}).request);
  expect(fieldsOf('{"a":1}')).toEqual({ a: 1 });
  expect(["[1]", "no", "", "null"].map(fieldsOf)).toEqual([{}, {}, {}, {}]);
});

it("a value that is missing is called so", () => {
  expect([undefined, null, "a", [1]].map(jsonText)).toEqual(["missing", "null", '"a"', "[1]"]);
});
