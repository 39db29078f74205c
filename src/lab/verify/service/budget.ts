import { BudgetEnded } from "./not-asked.js";

/** What verify sends to a service at most, retries included. */
export const limits = { requests: 200, groups: 50 } as const;

export interface Costs {
  readonly requests: number;
  readonly groups: number;
}

/** What names a group that a request can create: its id, or the request itself if it has none. */
export type CouldCreate = string | object | undefined;

/**
 * Counts what verify sends, so that a run costs the service no more than it promised. Requests are counted when they are
 * sent, and groups too: a service may create a group and fail then.
 */
export class Budget {
  #requests = 0;
  readonly #groups = new Set<CouldCreate>();
  /** Those of rejected requests. */
  readonly #rejected = new Set<CouldCreate>();
  /** What is set aside for later parts of the run. */
  reserve: Costs = { requests: 0, groups: 0 };
  /** Whether the service has shown that it creates nothing when it rejects a request. */
  areRejectionsFree = false;

  get requests(): number {
    return this.#requests;
  }

  /** How many groups were created, or could have been. */
  get groups(): number {
    return this.#groups.size - (this.areRejectionsFree ? this.#rejected.size : 0);
  }

  /** @param group if it is sent twice, it can be created once */
  spend(group: CouldCreate): void {
    if (this.#requests >= limits.requests - this.reserve.requests)
      throw new BudgetEnded(`verify sends at most ${limits.requests} requests`);
    const isNew = group !== undefined && !this.#groups.has(group);
    if (isNew && this.groups >= limits.groups - this.reserve.groups)
      throw new BudgetEnded(`verify creates at most ${limits.groups} groups`);
    this.#requests++;
    if (group === undefined) return;
    this.#groups.add(group);
    this.#rejected.delete(group);
  }

  noteRejected(group: CouldCreate): void {
    if (this.#groups.has(group)) this.#rejected.add(group);
  }

  /** The request has found a group that existed. */
  noteFound(group: CouldCreate): void {
    this.#groups.delete(group);
  }
}
