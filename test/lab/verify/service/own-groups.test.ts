import { expect, it } from "vitest";
import { BudgetEnded } from "../../../../src/lab/verify/service/not-asked.js";
import { limits, OwnGroups } from "../../../../src/lab/verify/service/own-groups.js";

const request = (body: object) => ({ method: "GET", path: "/api/user", headers: {}, body });
const responding = (body: unknown) => ({ status: 200, headers: {}, text: "", json: body });

const most = limits.groups;

it("an id whose creation was not seen is never sent again", () => {
  const groups = new OwnGroups();
  const sent = request({ user_group_id: groups.newId() });
  groups.allow(sent, most);
  expect(() => groups.allow(sent, most)).toThrow("was not seen");
  groups.noteRejected(sent);
  expect(() => groups.allow(sent, most)).not.toThrow();
});

it("the id of a rejected request is the next one, until the service shows that it kept its group", () => {
  const groups = new OwnGroups();
  const id = groups.newId();
  groups.allow(request({ user_group_id: id }), most);
  groups.noteRejected(request({ user_group_id: id }));
  expect(groups.newId()).toBe(id);
  groups.allow(request({ user_group_id: id }), most);
  groups.noteKept();
  groups.noteRejected(request({ user_group_id: id }));
  expect(groups.newId()).not.toBe(id);
});

it("a group belongs to the run only if its creation was seen", () => {
  const groups = new OwnGroups();
  const sent = request({ user_group_id: groups.newId() });
  const found = { success: 1, new_user_group: false, user_group: { provided_id: "x", token: "t" } };
  expect(groups.note({ sent, received: responding(found) })).toBeUndefined();
  const created = { ...found, new_user_group: true };
  expect(groups.note({ sent, received: responding(created) })?.tokens).toEqual(["t"]);
  const rotated = { success: 1, user_group: { provided_id: "x", token: "u" } };
  const rotation = { ...request({ current_token: "t" }), method: "POST" };
  expect(groups.note({ sent: rotation, received: responding(rotated) })?.tokens).toEqual(["t", "u"]);
});

it("groups are counted as sent, and those of rejected requests until one of them was free afterwards", () => {
  const groups = new OwnGroups();
  const created = { success: 1, new_user_group: true, user_group: {} };
  const first = request({ user_group_id: groups.newId() });
  const second = request({ user_group_id: "an id that is not sent again" });
  for (const sent of [first, second]) {
    groups.allow(sent, 2);
    groups.noteRejected(sent);
  }
  expect(groups.count).toBe(2);
  expect(() => groups.allow(request({ user_group_id: "x" }), 2)).toThrow(BudgetEnded);
  // It can be created once only.
  groups.allow(first, 2);
  groups.note({ sent: first, received: responding(created) });
  expect(groups.count).toBe(1);
});
