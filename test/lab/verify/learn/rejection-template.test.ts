import { expect, it } from "vitest";
import type { SituationId } from "../../../../src/fake/contract/situations.js";
import { RejectionTemplate } from "../../../../src/lab/verify/learn/rejection-template.js";

const path = "/api/user";

function learn(row: SituationId, sent: object, value: unknown, method = "GET"): unknown {
  return new RejectionTemplate(row, { method, path, headers: {}, body: sent }).json(value);
}

const group = { user_group_id: "acme", name: "acme corp" };

it.each<[what: string, row: SituationId, sent: object, value: unknown, learned: unknown]>([
  ["the field alone", "name: long", group, "name", "{field}"],
  ["the field as a key", "name: long", group, { name: ["too long"] }, { "{field}": ["too long"] }],
  ["the field at the beginning", "name: long", group, "name is too long", "{field} is too long"],
  ["the field between signs", "name: long", group, "at /name: too long", "at /{field}: too long"],
  ["a word that is no field", "name: long", group, "choose a short name now", "choose a short name now"],
  [
    "the longest value that was sent",
    "name: long",
    group,
    "no acme corp, acme",
    "no {name}, {user_group_id}",
  ],
  ["no short value", "name: long", { ...group, name: "abc" }, "bad abc", "bad abc"],
  ["the path and the method", "other path", {}, "Cannot GET /api/user", "Cannot {method} {path}"],
  ["no method in a longer word", "other path", {}, "GETTING it", "GETTING it"],
  ["no method elsewhere", "name: long", group, "GET only", "GET only"],
  ["no placeholder of the service's own", "name: long", group, "{name} is bad", "example"],
  [
    "the key of a value, beside the field that it is in",
    "properties value: null",
    { ...group, properties: { plan: null } },
    { properties: { plan: ["is null"] } },
    { properties: { "{field}": ["is null"] } },
  ],
  ["a wrong value with its type", "name: number", { ...group, name: 42 }, { got: 42 }, { got: "{name}" }],
  ["no small number", "name: number", { ...group, name: 5 }, { code: 5 }, { code: 5 }],
])("a rejection is learned with %s", (_, row, sent, value, learned) => {
  expect(learn(row, sent, value)).toEqual(learned);
});
