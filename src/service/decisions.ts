import type { Assumed, AssumptionId, AssumptionValues } from "../contract/assumptions.js";

/**
 * The assumptions of one request. `decide` is called only where another value would give another response, so it records
 * the assumptions that decided the response.
 */
export class Decisions {
  readonly #assumed: Assumed;
  /** The assumptions that decided the response, in the order in which they did, unless the profile has the value. */
  decided: readonly AssumptionId[] = [];
  /** Those for which the profile decided. */
  known: readonly AssumptionId[] = [];

  constructor(assumed: Assumed) {
    this.#assumed = assumed;
  }

  decide<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    if (this.#assumed.sources.get(id) === "profile") this.#know(id);
    else if (!this.decided.includes(id)) this.decided = [...this.decided, id];
    return this.#assumed.values[id];
  }

  #know(id: AssumptionId): void {
    if (!this.known.includes(id)) this.known = [...this.known, id];
  }

  /** The value, where it makes no difference to this response. */
  peek<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    return this.#assumed.values[id];
  }

  /** Whether a response of the profile decides what the assumption is about: unless it was set on purpose. */
  leavesToProfile(id: AssumptionId): boolean {
    if (["set", "pinned"].includes(this.#assumed.sources.get(id) ?? "")) return false;
    this.#know(id);
    return true;
  }

  /** Whether a test has set it itself. */
  isPinned(id: AssumptionId): boolean {
    return this.#assumed.sources.get(id) === "pinned";
  }

  /** The assumptions that decided the response, with their values. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.decided.map((id) => [id, this.peek(id)]));
  }

  /** The value of the response header: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    return this.decided.map((id) => `${id}=${this.peek(id)}`).join(", ");
  }
}
