import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/foundation/json.js";
import { OtherGroup, OwnGroups } from "../../../../src/lab/verify/service/own-groups.js";
import { recorded, rejected, type SeenPart, success } from "../seen-responses.js";

let groups: OwnGroups;
beforeEach(() => {
  groups = new OwnGroups();
});

function check(body: JsonObject): void {
  groups.checkRequest(recorded({ body }, {}).request);
}

function note(body: JsonObject, seen: SeenPart): void {
  const { request, response } = recorded({ body }, seen);
  groups.noteResponse(request, response);
}

const notSeen = "this run has not seen its creation";
const found = { new_user_group: false };

describe("a request may name a group", () => {
  it("by an id of the run, once", () => {
    const user_group_id = groups.newId();
    check({ user_group_id });
    expect(() => check({ user_group_id })).toThrow(`this needs the group ${user_group_id}, and ${notSeen}`);
  });

  it("again if its request was rejected", () => {
    const user_group_id = groups.newId();
    check({ user_group_id });
    note({ user_group_id }, rejected);
    check({ user_group_id });
  });

  it("at any time if its creation was seen, by the id that was sent and the one that is shown", () => {
    const user_group_id = groups.newId();
    check({ user_group_id });
    note({ user_group_id }, success({ provided_id: "other form" }));
    for (const id of [user_group_id, "other form"]) {
      check({ user_group_id: id });
      check({ user_group_id: id });
      expect(groups.isOwn(id)).toBe(true);
    }
    expect(groups.isOwn(undefined)).toBe(false);
  });

  it("in capitals", () => {
    check({ user_group_id: groups.newId().toUpperCase() });
  });

  it("but not by a number that this run has not made", () => {
    const user_group_id = groups.newNumber() + 1;
    expect(() => check({ user_group_id })).toThrow(`this needs the group ${user_group_id}, and ${notSeen}`);
  });

  it("by a number, once", () => {
    const user_group_id = groups.newNumber();
    expect(user_group_id).toBeGreaterThan(600_000_000_000_000);
    expect(user_group_id).toBeLessThanOrEqual(900_000_000_000_000);
    check({ user_group_id });
    expect(() => check({ user_group_id })).toThrow(notSeen);
  });

  it("but not by the id of somebody", () => {
    for (const user_group_id of ["acme", null, "", true, [groups.newId(), "a"].reverse()])
      expect(() => check({ user_group_id }), String(user_group_id)).toThrow(notSeen);
  });
});

describe("a response that is about another group ends the question", () => {
  it("if the group was found by an id that has not created it", () => {
    const user_group_id = groups.newId();
    const seen = success({ provided_id: "somebody", token: "theirs" }, found);
    expect(() => note({ user_group_id }, seen)).toThrow(OtherGroup);
    expect(() => note({ user_group_id }, seen)).toThrow("(new_user_group was false)");
    expect(groups.isOwn("somebody")).toBe(false);
    // Nothing is known of its token either.
    expect(() => note({ current_token: "theirs" }, success({ token: "next" }, {}))).toThrow(OtherGroup);
  });

  it("unless the group or its token is known", () => {
    const user_group_id = groups.newId();
    note({ user_group_id }, success({ provided_id: user_group_id, token: "first" }));
    note({ user_group_id: "other form" }, success({ provided_id: user_group_id }, found));
    note({ user_group_id: "third form" }, success({ token: "first" }, found));
    note({ current_token: "first" }, success({ token: "second" }, {}));
    note({ current_token: "second" }, success({ token: "third" }, {}));
  });

  it("and without an id, nothing more is sent without one that could find a group by its name", () => {
    check({ name: "any" });
    expect(() => note({ name: "any" }, success({ provided_id: "" }, found))).toThrow(OtherGroup);
    expect(() => check({ name: "any" })).toThrow("without an id, this is another's group");
    check({ current_token: "any", name: "any" });
    check({});
  });
});

it("a text is shown without ids and names of the run, in any case", () => {
  const [id, name] = [groups.newId(), groups.newName()];
  const text = `${id} and ${name.toUpperCase()}, ${groups.prefix}-x_y 7 of acme-1`;
  expect(groups.withoutOwn(text, "example")).toBe("example and example, example of acme-1");
});

it("ids and names of a run are all different, and begin with a prefix that each run has for itself", () => {
  const made = Array.from({ length: 20 }, () => [groups.newId(), groups.newName()]).flat();
  expect(new Set(made.map((one) => one.replace(" ", "-"))).size).toBe(40);
  expect(groups.prefix).toMatch(/^ugm-[a-z0-9]{6}$/);
  expect(made.every((one) => one.startsWith(groups.prefix))).toBe(true);
  expect(new OwnGroups().prefix).not.toBe(groups.prefix);
});
