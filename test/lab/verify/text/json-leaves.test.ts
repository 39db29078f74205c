import { expect, it } from "vitest";
import { jsonLeaves, mapLeaves, renameFields } from "../../../../src/lab/verify/text/json-leaves.js";

const value = { a: 1, list: [{ b: "x" }, { b: null }], empty: {} };

it("the leaves of a value have paths, one for all values of a list", () => {
  expect(jsonLeaves(value)).toEqual([
    { path: "/a", value: 1 },
    { path: "/list/*/b", value: "x" },
    { path: "/list/*/b", value: null },
  ]);
  expect(jsonLeaves("text")).toEqual([{ path: "", value: "text" }]);
});

it("the leaves of a copy are other ones, by path and value", () => {
  expect(mapLeaves(value, (leaf) => `${leaf.path} ${leaf.value}`)).toEqual({
    a: "/a 1",
    list: [{ b: "/list/*/b x" }, { b: "/list/*/b null" }],
    empty: {},
  });
  expect(mapLeaves(null, ({ path }) => [path])).toEqual([""]);
});

it("the fields of a copy have other names, also in lists", () => {
  expect(renameFields(value, (name) => name.toUpperCase())).toEqual({
    A: 1,
    LIST: [{ B: "x" }, { B: null }],
    EMPTY: {},
  });
});
