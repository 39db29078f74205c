import type { Assumed, AssumptionId, AssumptionValues } from "../contract/assumptions.js";

/** An assumption that decided a response. */
interface Decision {
  readonly id: AssumptionId;
  /** Undefined if a response of the profile has what the assumption is about. */
  readonly value: string | undefined;
  readonly source: Assumed[AssumptionId]["source"];
}

/**
 * The assumptions of one request. `decide` is called only where another value would give another response, so it records
 * the assumptions that decided the response.
 */
export class Decisions {
  readonly #assumed: Assumed;
  /** What decided the response, in the order in which it did. */
  made: readonly Decision[] = [];
  /** The name in the profile of the response that was sent. */
  knownResponse: string | undefined = undefined;

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

  /** The value of an assumption that decided the response, if nothing is known about it: `(assumed: id=value)`. */
  explain(id: AssumptionId): string {
    const { value, source } = this.#assumed[id];
    return source === "default" ? ` (assumed: ${id}=${value})` : "";
  }

  /**
   * Lets the profile decide what the assumption is about, and records that. Returns whether it does: not if the value was
   * set on purpose.
   * @param value what its rules decide. Undefined: a response of the profile has it
   */
  leaveToProfile<Id extends AssumptionId>(id: Id, value?: AssumptionValues[Id]): boolean {
    const { source } = this.#assumed[id];
    if (source === "set" || source === "pinned") return false;
    this.#record({ id, value: value === undefined ? undefined : String(value), source: "profile" });
    return true;
  }

  #record(decision: Decision): void {
    if (!this.made.some(({ id }) => id === decision.id)) this.made = [...this.made, decision];
  }

  /** The assumptions that decided the response, with their values. What the profile has is not assumed. */
  get assumed(): Record<string, string> {
    const assumed = this.made.filter(({ source }) => source !== "profile");
    return Object.fromEntries(assumed.map(({ id, value }) => [id, `${value}`]));
  }

  /** What the profile gave of the response: the name of the response, and values of assumptions. */
  get known(): string[] {
    const settled = this.made.filter(({ value, source }) => source === "profile" && value !== undefined);
    const values = settled.map(({ id, value }) => `${id}=${value}`);
    return this.knownResponse === undefined ? values : [this.knownResponse, ...values];
  }

  /** The value of the response header: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    let text = "";
    for (const { id, value, source } of this.made)
      if (source !== "profile") text += `${text === "" ? "" : ", "}${id}=${value}`;
    return text;
  }
}
