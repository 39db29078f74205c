import { expect, it } from "vitest";
import { Budget, BudgetEnded, type BudgetPart } from "../../../../src/lab/verify/service/budget.js";

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
  ["groups", true, [42, 2, 6]],
])(
  "a run may send 150 requests and 50 groups, and keeps some for its last parts: %s",
  async (what, mayCreate, parts) => {
    const budget = new Budget();
    const spendIn = (part: BudgetPart) => budget.inPart(part, async () => spendAll(budget, mayCreate));
    expect(await spendIn("questions")).toBe(parts[0]);
    expect(await spendIn("wrongApiTokens")).toBe(parts[1]);
    expect(await spendIn("furtherRequests")).toBe(parts[2]);
    expect(what === "groups" ? budget.groups : budget.requests).toBe(what === "groups" ? 50 : 150);
  },
);

it("what is left for a later part can be used for one action only", async () => {
  const budget = new Budget();
  spendAll(budget, false);
  await budget.inPart("wrongApiTokens", async () => budget.spend(false));
  expect(() => budget.spend(false)).toThrow(BudgetEnded);
  await expect(budget.inPart("furtherRequests", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(() => budget.spend(false)).toThrow(BudgetEnded);
});

it("a request that has not created a group leaves the budget for another group, and not for another request", () => {
  const budget = new Budget();
  spendAll(budget, true);
  budget.giveBackGroup();
  expect(spendAll(budget, true)).toBe(1);
  expect(budget.requests).toBe(43);
});

it("a request that cannot create a group is possible when the groups have ended", () => {
  const budget = new Budget();
  spendAll(budget, true);
  expect(spendAll(budget, false)).toBe(117 - 42);
  expect(budget.groups).toBe(42);
});
