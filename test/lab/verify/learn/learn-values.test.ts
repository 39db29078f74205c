import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { asExample } from "../../../../src/lab/verify/learn/clean.js";
import { AddedFields } from "../../../../src/lab/verify/learn/learn-values.js";
import { named, success } from "../seen-responses.js";

/** What is learned from groups, of each of which the service shows some fields that the document does not have. */
function learn(shown: readonly JsonObject[], clean = (text: string) => text) {
  const entries = shown.map((fields, n) => {
    const group = { provided_id: `acme-id-${n}`, name: `group ${n}`, token: `token ${n}` };
    const body = { user_group_id: group.provided_id, name: group.name };
    return named("created", { body }, success({ ...group, ...fields }));
  });
  const added = new AddedFields(entries, clean);
  const [first] = entries;
  return { body: first && added.contentOf(first).body, examplePaths: added.examplePaths() };
}

/** How the values that groups have in one field are written. */
const written = (...values: readonly unknown[]) =>
  Object(Object(learn(values.map((value) => ({ value }))).body).user_group).value;

describe("an added field of groups", () => {
  it.each([
    ["as it is, if all have the same value", ["free", "free"], "free"],
    ["as it is, if all have the same number", [5, 5], 5],
    ["as an example, if only one group was seen", ["free"], "example"],
    ["as an example, if some have the same", ["a", "a", "b"], "example"],
    ["as the first number, if some have the same", [7, 7, 8], 7],
    ["as a number that rises", [3, 5, 9], "{number}"],
    ["as the first number, if there are only two", [3, 5], 3],
    ["as the first number, if it falls", [3, 5, 4], 3],
    ["as the first number, if it is no integer", [3.5, 5.5, 9.5], 3.5],
    ["as the first time, if it rises", [1_790_000_001, 1_790_000_002, 1_790_000_003], 1_790_000_001],
    ["as the first date", ["2026-11-18", "2026-11-19"], "2026-11-18"],
    ["as an example, if each has another text", ["a1", "b2", "c3"], "example"],
    ["as a placeholder of what was sent", ["acme-id-0", "acme-id-1"], "{user_group_id}"],
    ["with a placeholder in a text", ["of acme-id-0!", "of acme-id-1!"], "of {user_group_id}!"],
    ["as a UUID", ["0b6e9ad5-5f5e-4e9d-8f3c-0c7f5d3f1a01", "0B6E9AD5-5F5E-4E9D-8F3C-0C7F5D3F1A02"], "{uuid}"],
    ["as an example, if not all are UUIDs", ["0b6e9ad5-5f5e-4e9d-8f3c-0c7f5d3f1a01", "none"], "example"],
  ])("is written %s", (_, values, expected) => {
    expect(written(...values)).toEqual(expected);
  });

  it("is an example if its name suggests a secret, or that of a field around it", () => {
    const shown = { token_count: 5, auth: { user: "x", on: true } };
    expect(learn([shown, shown]).body).toEqual({
      user_group: { token_count: 0, auth: { user: "example", on: true } },
    });
  });

  it("is clean, and its name too", () => {
    const shown = { "plan-x": ["x", { x: "plan x" }] };
    const { body } = learn([shown, shown], (text) => text.replaceAll("x", "*"));
    expect(body).toEqual({ user_group: { "plan-*": ["*", { "*": "plan *" }] } });
  });

  it("is compared unless it is an example, or each group has its own", () => {
    const groups = [1, 2, 3].map((n) => ({ plan: "free", id: n, note: `note ${n}`, api_key: "same" }));
    expect(learn(groups).examplePaths).toEqual(["/user_group/id", "/user_group/note", "/user_group/api_key"]);
  });

  it("is a field of the body, if it is beside the group", () => {
    const body = { success: 1, new_user_group: true, warnings: [], user_group: { team_id: 7 } };
    const entries = [1, 2].map(() => named("created", {}, { body }));
    const added = new AddedFields(entries, (text) => text);
    expect(entries.map((entry) => added.contentOf(entry).body)).toEqual([{ warnings: [] }, { warnings: [] }]);
  });

  it("is not there if the document shows all fields", () => {
    expect(learn([{}, {}]).body).toBeUndefined();
  });

  it("is as it is if two teams have the same value in groups of the same id", () => {
    const entries = [7, 8].map((team_id) =>
      named("created", {}, success({ team_id, provided_id: "same", plan: "free" })),
    );
    const added = new AddedFields(entries, (text) => text);
    expect(entries.map((entry) => added.contentOf(entry).body)).toEqual(
      entries.map(() => ({ user_group: { plan: "free" } })),
    );
  });
});

it("a text with the name of its group is the same for all, although a short name is not recognised", () => {
  const urls = ["Acme and sons", "Other and sons", "Al"].map((name, n) =>
    named("created", { body: { name } }, success({ provided_id: `${n}`, name, url: `/groups/${name}` })),
  );
  const added = new AddedFields(urls, (text) => text);
  expect(urls.map((entry) => Object(Object(added.contentOf(entry).body).user_group).url)).toEqual([
    "/groups/{name}",
    "/groups/{name}",
    "/groups/Al",
  ]);
});

describe("a field that a group has in each response", () => {
  const ofGroup = (name: string, provided_id: string, value: unknown) =>
    named(name, {}, success({ provided_id, value }));
  const writtenAs = (entries: readonly ReturnType<typeof ofGroup>[]) => {
    const added = new AddedFields(entries, (text) => text);
    return entries.map((entry) => Object(Object(added.contentOf(entry).body).user_group).value);
  };

  it("is a number of the group if it stays, also in later responses", () => {
    const created = [1, 2, 3].map((n) => ofGroup("created", `g${n}`, n));
    expect(writtenAs([...created, ofGroup("found", "g1", 1)])).toEqual(Array(4).fill("{number}"));
  });

  it("is no number of the group if it changes", () => {
    const created = [1, 2, 3].map((n) => ofGroup("created", `g${n}`, n));
    expect(writtenAs([...created, ofGroup("found", "g1", 7)])).toEqual([1, 2, 3, 7]);
  });

  it("is as it is for each name of a response, if it differs only between these", () => {
    const entries = ["a", "b"].flatMap((id) => [ofGroup("created", id, "new"), ofGroup("found", id, "old")]);
    expect(writtenAs(entries)).toEqual(["new", "old", "new", "old"]);
  });
});

it("an example has the type of its value", () => {
  expect(["text", 5, true, null].map(asExample)).toEqual(["example", 0, true, null]);
});

it("the fields that a profile can only show with one value are known, without times", () => {
  const ofGroup = (n: number) => {
    const values = { count: n * n - 3 * n, plan: "free", created: `2026-11-18T10:00:0${n}Z`, id: n };
    return named("created", {}, success({ provided_id: `g${n}`, ...values }));
  };
  const added = new AddedFields([1, 2, 3, 4].map(ofGroup), (text) => text);
  expect(added.fixedExamples()).toEqual(["/user_group/count"]);
});
