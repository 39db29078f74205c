import { expect, it } from "vitest";
import { Budget, limits } from "../../../../src/lab/verify/service/budget.js";
import { BudgetEnded } from "../../../../src/lab/verify/service/not-asked.js";
import { OwnGroups } from "../../../../src/lab/verify/service/own-groups.js";

const request = (body: object) => ({ method: "GET", path: "/api/user", headers: {}, body });
const responding = (body: unknown) => ({ status: 200, headers: {}, text: "", json: body });

it("an id whose creation was not seen is never sent again", () => {
  const groups = new OwnGroups();
  const sent = request({ user_group_id: groups.newId() });
  groups.checkRequest(sent);
  expect(() => groups.checkRequest(sent)).toThrow("was not seen");
  groups.giveBackId(sent);
  expect(() => groups.checkRequest(sent)).not.toThrow();
});

it("the id of a rejected request is the next one, until the service shows that it kept its group", () => {
  const groups = new OwnGroups();
  const id = groups.newId();
  groups.checkRequest(request({ user_group_id: id }));
  groups.giveBackId(request({ user_group_id: id }));
  expect(groups.newId()).toBe(id);
  groups.noteKept();
  groups.giveBackId(request({ user_group_id: id }));
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

it("the budget counts what was sent, and keeps what is set aside", () => {
  const budget = new Budget();
  budget.reserve = { requests: 10, groups: 10 };
  for (let n = 0; n < limits.groups - 10; n++) budget.spend(`group ${n}`);
  expect(() => budget.spend("one more")).toThrow(BudgetEnded);
  // The same group can be created once only.
  budget.spend("group 1");
  budget.noteRejected("group 1");
  expect(budget.groups).toBe(limits.groups - 10);
  budget.areRejectionsFree = true;
  expect(budget.groups).toBe(limits.groups - 11);
});
