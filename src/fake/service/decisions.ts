import type { Assumed, AssumptionId, AssumptionValues } from "../contract/assumptions.js";

/**
 * The assumptions of one request. `decide` is called only where another value would give another response, so it records
 * the assumptions that decided the response.
 */
export class Decisions {
  readonly #assumed: Assumed;
  /** What decided the response, in the order in which it did. */
  made: readonly Assumed[AssumptionId][] = [];

  constructor(assumed: Assumed) {
    this.#assumed = assumed;
  }

  decide<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    this.#record(this.#assumed[id]);
    return this.peek(id);
  }

  /** The value, where it makes no difference to this response. */
  peek<Id extends AssumptionId>(id: Id): AssumptionValues[Id] {
    return this.#assumed[id].value;
  }

  /** Whether a response of the profile decides what the assumption is about: unless it was set on purpose. */
  leavesToProfile(id: AssumptionId): boolean {
    const { value, source } = this.#assumed[id];
    if (source === "set" || source === "pinned") return false;
    this.#record({ id, value, source: "profile" } as Assumed[AssumptionId]);
    return true;
  }

  #record(decision: Assumed[AssumptionId]): void {
    if (!this.made.some(({ id }) => id === decision.id)) this.made = [...this.made, decision];
  }

  /** The assumptions that decided the response, with their values. What the profile has is not assumed. */
  get assumed(): Record<string, string> {
    const assumed = this.made.filter(({ source }) => source !== "profile");
    return Object.fromEntries(assumed.map(({ id, value }) => [id, value]));
  }

  /** The value of the response header: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    let text = "";
    for (const { id, value, source } of this.made)
      if (source !== "profile") text += `${text === "" ? "" : ", "}${id}=${value}`;
    return text;
  }
}
