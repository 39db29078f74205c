import {
  type AssumptionId,
  assumptionIds,
  assumptionOf,
  isResponseOption,
  outcomesOf,
  type ResponseOption,
  valuesOf,
} from "../contract/assumptions.js";

import type { KnownService } from "../contract/profile.js";
import {
  defaultOutcome,
  isSituation,
  outcomeFor,
  rowOf,
  type SituationId,
  situationIds,
} from "../contract/situations.js";
import { type BeyondCheck, beyondChecks } from "./beyond-schema.js";
import { type KnownResponses, prepareResponses } from "./known-responses.js";

/**
 * Where an outcome comes from: the default of the table, or a value that `explore` tries; the profile; an option of the
 * server; a test, so that a run of `explore` does not change it.
 */
export type Source = "default" | "profile" | "set" | "pinned";

/** What the service does in a situation. */
interface Setting {
  readonly outcome: string;
  readonly source: Source;
  /** The situation that says so: another one while nothing is known of this one. */
  readonly saidBy: SituationId;
}

/** An assumption or a situation that decided a response, with its value. */
export interface Decision {
  readonly id: string;
  readonly value: string;
  readonly source: Source;
}

/** Values of assumptions and outcomes of situations, which `assumptionProblems` has accepted. */
export type Choice = Readonly<Partial<Record<string, string>>>;

interface Chosen {
  readonly value: string;
  readonly source: Source;
}

/**
 * What the service does in every situation, in one world: set on purpose, or else known from the profile, or else the
 * default. It never changes: `with` makes another one.
 */
export class Behaviour {
  readonly known: KnownService;
  readonly responses: KnownResponses;
  /** The situations beyond the schemas that are looked for. */
  readonly beyond: readonly BeyondCheck[];
  readonly #chosen: ReadonlyMap<string, Chosen>;
  /** The one that this one was made from, if any: thousands of worlds have only what differs. */
  readonly #first: Behaviour | undefined;
  readonly #settings = new Map<SituationId, Setting>();
  readonly #decisions = new Map<SituationId, Decision | null>();
  readonly #options = new Map<ResponseOption, Decision>();

  private constructor(
    known: KnownService,
    responses: KnownResponses,
    chosen: ReadonlyMap<string, Chosen>,
    first?: Behaviour,
  ) {
    this.known = known;
    this.responses = responses;
    this.#chosen = chosen;
    this.#first = first;
    for (const id of situationIds) {
      const setting = this.#settingOf(id);
      if (first === undefined || !isSameSetting(setting, first.setting(id))) this.#settings.set(id, setting);
    }
    this.beyond = beyondChecks(this);
  }

  /** @param tried values of assumptions that a run of `explore` tries: they do not override the profile */
  static from(known: KnownService, tried: Choice = {}): Behaviour {
    return new Behaviour(known, prepareResponses(known), chosenBy(tried, "default"));
  }

  /** The same with some other outcomes. */
  with(choice: Choice, source: "set" | "pinned"): Behaviour {
    if (Object.keys(choice).length === 0) return this;
    const chosen = new Map([...this.#chosen, ...chosenBy(choice, source)]);
    return new Behaviour(this.known, this.responses, chosen, this.#first ?? this);
  }

  setting(id: SituationId): Setting {
    const own = this.#settings.get(id);
    if (own !== undefined) return own;
    return this.#first === undefined ? this.#settingOf(id) : this.#first.setting(id);
  }

  /** What the service does. Empty: the situation is about a response only. */
  outcome(id: SituationId): string {
    return this.setting(id).outcome;
  }

  /** Whether a group can get a name of this kind that is not a text. */
  storesName(kind: string): boolean {
    const situations = [`name: ${kind}`, `existing group: name ${kind}`].filter(isSituation);
    return situations.some((id) => this.outcome(id) === "as sent");
  }

  source(id: SituationId): Source {
    return this.setting(id).source;
  }

  /** The situation that says what the service does: another one while nothing is known of this one. */
  saidBy(id: SituationId): SituationId {
    return this.setting(id).saidBy;
  }

  /** The most or fewest characters that are accepted. Without a limit in the profile, no text is accepted. */
  length(id: SituationId): number {
    const limit = this.#limit(id);
    return typeof limit === "number" ? limit : 0;
  }

  /** The characters that are accepted, as a profile lists them. */
  characters(id: SituationId): string {
    const limit = this.#limit(id);
    return typeof limit === "string" ? limit : "";
  }

  #limit(id: SituationId): string | number | undefined {
    return this.known.situations.get(this.saidBy(id))?.limit;
  }

  /** The value of an assumption about our own responses. */
  option(id: ResponseOption): Decision {
    const found = this.#options.get(id) ?? { id, ...this.#findOption(id) };
    this.#options.set(id, found);
    return found;
  }

  #findOption(id: ResponseOption): Chosen {
    const chosen = this.#chosen.get(id);
    if (chosen !== undefined && isOnPurpose(chosen.source)) return chosen;
    const status =
      id === "created-status" ? this.known.situations.get("created")?.response?.status : undefined;
    if (status !== undefined) return { value: String(status), source: "profile" };
    return chosen ?? { value: valuesOf(id)[0] ?? "", source: "default" };
  }

  /** Whether an assumption about our own responses was set on purpose: then it overrides the profile. */
  isSet(id: ResponseOption): boolean {
    return isOnPurpose(this.option(id).source);
  }

  /**
   * The assumption that decides what happens in a situation, or the situation itself if it was set, or if no value of its
   * assumption says what its situations say. Undefined: nobody has asked the question.
   */
  decision(id: SituationId): Decision | undefined {
    const found = this.#decisions.get(id);
    if (found !== undefined) return found ?? undefined;
    const decision = this.#findDecision(id);
    this.#decisions.set(id, decision ?? null);
    return decision;
  }

  #findDecision(id: SituationId): Decision | undefined {
    const { outcome, source, saidBy } = this.setting(id);
    const assumption = assumptionOf.get(saidBy);
    const value = assumption && this.valueOf(assumption);
    if (assumption !== undefined && value !== undefined) return { id: assumption, value, source };
    if (assumption === undefined && source === "default") return undefined;
    return { id: saidBy, value: outcome, source };
  }

  /** The value of an assumption. Undefined: no value says what its situations say. */
  valueOf(id: AssumptionId): string | undefined {
    if (isResponseOption(id)) return this.option(id).value;
    return valuesOf(id).find((value) =>
      [...outcomesOf(id, value)].every(([row, outcome]) => this.outcome(row) === outcome),
    );
  }

  #settingOf(id: SituationId): Setting {
    const chosen = this.#chosen.get(id);
    if (chosen !== undefined && isOnPurpose(chosen.source))
      return { outcome: chosen.value, source: chosen.source, saidBy: id };
    const known = this.known.situations.get(id)?.outcome;
    if (known !== undefined) return { outcome: known, source: "profile", saidBy: id };
    if (chosen !== undefined) return { outcome: chosen.value, source: "default", saidBy: id };
    const { same } = rowOf(id);
    if (same !== undefined) return this.#settingOf(same);
    return { outcome: defaultOutcome(id) ?? "", source: "default", saidBy: id };
  }
}

function isSameSetting(one: Setting, other: Setting): boolean {
  return one.outcome === other.outcome && one.source === other.source && one.saidBy === other.saidBy;
}

function isOnPurpose(source: Source): boolean {
  return source === "set" || source === "pinned";
}

/** What a choice says of each situation, and of our own responses. A situation that is named beats its assumption. */
function chosenBy(choice: Choice, source: Source): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  for (const id of assumptionIds) {
    const value = choice[id];
    if (value === undefined) continue;
    if (isResponseOption(id)) chosen.set(id, { value, source });
    for (const [row, outcome] of outcomesOf(id, value)) chosen.set(row, { value: outcome, source });
  }
  for (const [name, word] of Object.entries(choice))
    if (isSituation(name) && word !== undefined) chosen.set(name, { value: outcomeFor(name, word), source });
  return chosen;
}
