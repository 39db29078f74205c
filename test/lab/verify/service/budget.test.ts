import { expect, it } from "vitest";
import { Budget, BudgetEnded, furtherPart } from "../../../../src/lab/verify/service/budget.js";

/** How many further requests a budget allows. */
function spendAll(budget: Budget, mayCreate: boolean): number {
  for (let spent = 0; spent < 1_000; spent++) {
    try {
      budget.spend(mayCreate);
    } catch (error) {
      expect(error).toBeInstanceOf(BudgetEnded);
      return spent;
    }
  }
  throw new Error("the budget has no end");
}

it.each([
  ["requests", false, [117, 9, 24]],
  ["groups", true, [43, 1, 6]],
])("a run may send 150 requests and 50 groups, and keeps some for its last parts: %s", (what, ...row) => {
  const [mayCreate, parts] = row;
  const budget = new Budget();
  const found = [spendAll(budget, mayCreate)];
  budget.setAside = furtherPart;
  found.push(spendAll(budget, mayCreate));
  budget.release();
  found.push(spendAll(budget, mayCreate));
  expect(found).toEqual(parts);
  expect(what === "groups" ? budget.groups : budget.requests).toBe(what === "groups" ? 50 : 150);
});

it("a request that has not created a group leaves the budget for another group, and not for another request", () => {
  const budget = new Budget();
  spendAll(budget, true);
  budget.giveBackGroup();
  expect(spendAll(budget, true)).toBe(1);
  expect(budget.requests).toBe(44);
});

it("a request that cannot create a group is possible when the groups have ended", () => {
  const budget = new Budget();
  spendAll(budget, true);
  expect(spendAll(budget, false)).toBe(117 - 43);
  expect(budget.groups).toBe(43);
});
