import type { AssumptionId, AssumptionValues } from "../contract/assumptions.js";

/**
 * The assumptions of one request. `decide` is called only where another value would give another response, so it records
 * the assumptions that decided the response.
 */
export class Decisions {
  readonly #values: AssumptionValues;
  /** Assumptions that a test has set itself. */
  readonly pinned: ReadonlySet<string>;
  /** The assumptions that decided the response, in the order in which they did. */
  decided: readonly AssumptionId[] = [];

  constructor(values: AssumptionValues, pinned: ReadonlySet<string>) {
    this.#values = values;
    this.pinned = pinned;
  }

  decide<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    if (!this.decided.includes(id)) this.decided = [...this.decided, id];
    return this.#values[id];
  }

  /** The value, where it makes no difference to this response. */
  peek<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    return this.#values[id];
  }

  /** The assumptions that decided the response, with their values. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.decided.map((id) => [id, this.#values[id]]));
  }

  /** The value of the response header: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    return this.decided.map((id) => `${id}=${this.#values[id]}`).join(", ");
  }
}
