import type { AssumptionId, AssumptionValues } from "./assumptions.js";

/**
 * The assumptions of one call. `decide` is called only where another value would give another answer. So the
 * assumptions that were asked for are those that decided the call, and the answer can name them.
 */
export class Decisions {
  readonly #values: AssumptionValues;
  /** Assumptions that a test has set itself. */
  readonly pinned: ReadonlySet<string>;
  readonly #decided: AssumptionId[] = [];

  constructor(values: AssumptionValues, pinned: ReadonlySet<string>) {
    this.#values = values;
    this.pinned = pinned;
  }

  decide<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    if (!this.#decided.includes(id)) this.#decided.push(id);
    return this.#values[id];
  }

  /** The value, where it makes no difference to the answer of this call. */
  peek<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    return this.#values[id];
  }

  /** The assumptions that decided this call, in the order in which they came up. */
  get decided(): readonly AssumptionId[] {
    return this.#decided;
  }

  /** The same, with their values. */
  get values(): Record<string, string> {
    return Object.fromEntries(this.decided.map((id) => [id, this.#values[id]]));
  }

  /** As the response header has it: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    let text = "";
    for (const id of this.#decided) text += `${text === "" ? "" : ", "}${id}=${this.#values[id]}`;
    return text;
  }
}
