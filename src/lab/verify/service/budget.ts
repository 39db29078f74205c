import { NotDeterminable } from "./not-determinable.js";

/** What verify sends to a service at most, retries included. */
export const limits = { requests: 150, groups: 50 } as const;

/** A part of the limits that is kept for later. */
interface SetAside {
  readonly requests: number;
  readonly groups: number;
}

/** For the check at the end. */
export const furtherPart: SetAside = { requests: 24, groups: 6 };

/** The questions with wrong API tokens, which come last: seven requests, and two controls before them. */
const wrongTokensPart: SetAside = { requests: 9, groups: 1 };

/** What is kept until the other questions are asked. */
export const lastPart: SetAside = {
  requests: furtherPart.requests + wrongTokensPart.requests,
  groups: furtherPart.groups + wrongTokensPart.groups,
};

const nothing: SetAside = { requests: 0, groups: 0 };

/** The rest is not asked: the service has done enough for this run. */
export class BudgetEnded extends NotDeterminable {}

/** Counts what verify sends, so that a run costs the service no more than it promised. */
export class Budget {
  #requests = 0;
  #groups = 0;
  /** What must not be used yet. */
  setAside: SetAside = lastPart;

  get requests(): number {
    return this.#requests;
  }

  /** How many groups were created, or may have been. */
  get groups(): number {
    return this.#groups;
  }

  /** Lets the check at the end use what was set aside for it. */
  release(): void {
    this.setAside = nothing;
  }

  /** @param mayCreate a request that may create a group counts as one until its response shows that it did not */
  spend(mayCreate: boolean): void {
    if (this.#requests >= limits.requests - this.setAside.requests)
      throw new BudgetEnded(`verify sends at most ${limits.requests} requests`);
    if (mayCreate && this.#groups >= limits.groups - this.setAside.groups)
      throw new BudgetEnded(`verify creates at most ${limits.groups} groups`);
    this.#requests++;
    if (mayCreate) this.#groups++;
  }

  /** The response shows that no group was created. */
  giveBackGroup(): void {
    this.#groups--;
  }
}
