import type { ResponseOption } from "../contract/assumptions.js";
import type { OutcomeOf, SituationId } from "../contract/situations.js";
import type { Behaviour, Decision } from "./behaviour.js";

/**
 * The behaviour of the service towards one request. `outcome` is called only for a situation that the request meets and
 * where another outcome would give another response, so it records what decided the response.
 */
export class Decisions {
  readonly behaviour: Behaviour;
  readonly #made: Decision[] = [];
  readonly #known: SituationId[] = [];

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
  }

  /** What the service does in a situation that the request meets. */
  outcome<Id extends SituationId>(id: Id): OutcomeOf<Id> {
    const { outcome, source, saidBy } = this.behaviour.setting(id);
    const decision = this.behaviour.decision(id);
    if (decision !== undefined) this.#record(decision);
    if (source === "profile") this.knows(saidBy);
    // The table has accepted it.
    return outcome as OutcomeOf<Id>;
  }

  /** What the service does, where it makes no difference to this response. */
  peek<Id extends SituationId>(id: Id): OutcomeOf<Id> {
    // The table has accepted it.
    return this.behaviour.outcome(id) as OutcomeOf<Id>;
  }

  /** The value of an assumption about our own responses, which decides this one. */
  option(id: ResponseOption): string {
    const decision = this.behaviour.option(id);
    this.#record(decision);
    return decision.value;
  }

  /** The assumption that decides what happens in a situation, if nothing is known about it: `(assumed: id=value)`. */
  explain(id: SituationId): string {
    const decision = this.behaviour.decision(id);
    return decision?.source === "default" ? ` (assumed: ${decision.id}=${decision.value})` : "";
  }

  /** A situation of the profile gave something of the response. */
  knows(id: SituationId): void {
    if (!this.#known.includes(id)) this.#known.push(id);
  }

  #record(decision: Decision): void {
    if (!this.#made.some(({ id }) => id === decision.id)) this.#made.push(decision);
  }

  /** What decided the response, in the order in which it did. */
  get made(): readonly Decision[] {
    return this.#made;
  }

  /** The assumptions that decided the response, with their values. What the profile has is not assumed. */
  get assumed(): Record<string, string> {
    const assumed = this.#made.filter(({ source }) => source !== "profile");
    return Object.fromEntries(assumed.map(({ id, value }) => [id, value]));
  }

  /** The situations of the profile that gave something of the response. */
  get known(): string[] {
    return [...this.#known];
  }

  /** The value of the response header: `old-token=rejected, failure-status=by-kind`. */
  toString(): string {
    let text = "";
    for (const { id, value, source } of this.#made)
      if (source !== "profile") text += `${text === "" ? "" : ", "}${id}=${value}`;
    return text;
  }
}
