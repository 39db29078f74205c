import { NotDeterminable } from "./not-determinable.js";

/** What verify sends to a service at most, retries included. */
export const limits = { requests: 150, groups: 50 } as const;

interface Costs {
  readonly requests: number;
  readonly groups: number;
}

/** The check at the end. */
export const furtherCosts: Costs = { requests: 24, groups: 6 };

/**
 * The questions with wrong API tokens need seven requests, with those for a group of their own and its control. Two others
 * show that the service still works after questions that got a 5xx. Any of them may create a group until its response
 * shows that it did not.
 */
const wrongApiTokenCosts: Costs = { requests: 9, groups: 2 };

/** The parts of a run, in their order. Each may use all but this, which is left for those after it. */
const leftForLater = {
  questions: {
    requests: wrongApiTokenCosts.requests + furtherCosts.requests,
    groups: wrongApiTokenCosts.groups + furtherCosts.groups,
  },
  wrongApiTokens: furtherCosts,
  furtherRequests: { requests: 0, groups: 0 },
} as const satisfies Readonly<Record<string, Costs>>;

export type BudgetPart = keyof typeof leftForLater;

/** The rest is not asked: the service has done enough for this run. */
export class BudgetEnded extends NotDeterminable {}

/** Counts what verify sends, so that a run costs the service no more than it promised. */
export class Budget {
  #requests = 0;
  #groups = 0;
  #part: BudgetPart = "questions";

  get requests(): number {
    return this.#requests;
  }

  /** How many groups were created, or may have been. */
  get groups(): number {
    return this.#groups;
  }

  /** Counts an action to a part: it may use what earlier parts have left for this one. */
  async inPart<Result>(part: BudgetPart, action: () => Promise<Result>): Promise<Result> {
    const before = this.#part;
    this.#part = part;
    try {
      return await action();
    } finally {
      this.#part = before;
    }
  }

  /** @param mayCreate a request that may create a group counts as one until its response shows that it did not */
  spend(mayCreate: boolean): void {
    const left = leftForLater[this.#part];
    if (this.#requests >= limits.requests - left.requests)
      throw new BudgetEnded(`verify sends at most ${limits.requests} requests`);
    if (mayCreate && this.#groups >= limits.groups - left.groups)
      throw new BudgetEnded(`verify creates at most ${limits.groups} groups`);
    this.#requests++;
    if (mayCreate) this.#groups++;
  }

  /** The response shows that no group was created. */
  giveBackGroup(): void {
    this.#groups--;
  }
}
