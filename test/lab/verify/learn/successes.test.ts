import { expect, it } from "vitest";
import { Secrets } from "../../../../src/lab/verify/learn/secrets.js";
import { learnAdded } from "../../../../src/lab/verify/learn/successes.js";
import type { Exchange } from "../../../../src/lab/verify/service/exchanges.js";

const mapping = { "40": "213" };

/** A request that created a group, and a response with more fields of the group than the document has. */
function created(id: string, added: object, sent: object = { mapping }): Exchange {
  const name = `Name of ${id}`;
  const user_group = { provided_id: id, team_id: 3, token: "t", name, ...added };
  const json = { success: 1, new_user_group: true, user_group };
  return {
    sent: { method: "GET", path: "/api/user", headers: {}, body: { user_group_id: id, name, ...sent } },
    received: { status: 200, headers: {}, text: JSON.stringify(json), json },
  };
}

/** What is learned of a field with these values, each of another group. @param ofEmpty of a group without a mapping */
function learn([one, other]: readonly [unknown, unknown], ofEmpty: unknown) {
  const exchanges = [created("group-1", { added: one }), created("group-2", { added: other })];
  const empty = [created("group-3", { added: ofEmpty }, {})];
  return learnAdded(exchanges, { created: exchanges, empty }, new Secrets([]));
}

it.each<[what: string, values: readonly [unknown, unknown], ofEmpty: unknown, learned: unknown]>([
  ["the mapping that was sent", [mapping, mapping], {}, "{mapping}"],
  ["that mapping, which is a list if it is empty", [mapping, mapping], [], "{mapping|[]}"],
  ["numbers that rise", [7, 9], 10, "{number}"],
  ["large numbers that rise, such as times", [1_763_000_000, 1_763_000_001], 0, 1_763_000_000],
  ["numbers that do not rise", [9, 7], 10, 9],
  ["equal numbers", [7, 7], 7, 7],
  ["UUIDs", ["0b9c2a6e-1d2f-4c3b-8a4d-5e6f7a8b9c0d", "1b9c2a6e-1d2f-4c3b-8a4d-5e6f7a8b9c0d"], "", "{uuid}"],
  ["texts with the id", ["/groups/group-1", "/groups/group-2"], "", "/groups/{user_group_id}"],
  ["texts with the name", ["Name of group-1!", "Name of group-2!"], "", "{name}!"],
  ["other texts that differ", ["red", "blue"], "", "example"],
  ["equal texts", ["red", "red"], "red", "red"],
  ["times", ["2026-01-31", "2026-02-01"], "", "2026-01-31"],
  ["texts that look like placeholders", ["{name}", "{name}"], "", "example"],
  ["objects with such fields", [{ n: 1, x: "a" }, { n: 2 }], {}, { n: "{number}" }],
])("the response of a success has, as a field beyond the document, %s", (_, values, ofEmpty, learned) => {
  expect(learn(values, ofEmpty)).toEqual({ user_group: { added: learned } });
});
