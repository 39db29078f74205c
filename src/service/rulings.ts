import type { AssumptionId, AssumptionValues } from "./assumptions.js";

const none: readonly AssumptionId[] = [];

/**
 * The assumptions of one call. `rule` is asked only where the way forks, that is where another value would
 * give another answer; so what was asked is what decided, and the answer can name it.
 */
export class Rulings {
  readonly #values: AssumptionValues;
  #decided: AssumptionId[] | undefined;

  constructor(values: AssumptionValues) {
    this.#values = values;
  }

  rule<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    this.#decided ??= [];
    if (!this.#decided.includes(id)) this.#decided.push(id);
    return this.#values[id];
  }

  /** The value, where it makes no difference to the answer of this call. */
  value<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    return this.#values[id];
  }

  /** The assumptions that decided this call, in the order in which they came up. */
  get decided(): readonly AssumptionId[] {
    return this.#decided ?? none;
  }

  /** The same with their values. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.decided.map((id) => [id, this.#values[id]]));
  }

  /** `old-token=rejected, failure-status=by-kind`: as the response header says it. */
  toString(): string {
    return this.decided.map((id) => `${id}=${this.#values[id]}`).join(", ");
  }
}
