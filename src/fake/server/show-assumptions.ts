import type { AssumptionEntry, AssumptionList, SituationEntry } from "../../generated/types.js";
import {
  type AssumptionId,
  assumptionIds,
  assumptionOf,
  assumptions,
  isResponseOption,
  situationsOf,
  valuesOf,
} from "../contract/assumptions.js";
import { rowOf, type SituationId, situationIds, wordsOf } from "../contract/situations.js";
import type { Behaviour, Source } from "../service/behaviour.js";

/** All assumptions and situations as the admin API shows them. */
export function showAssumptions(behaviour: Behaviour): AssumptionList {
  const { verified } = behaviour.known;
  return {
    assumptions: assumptionIds.map((id) => showAssumption(id, behaviour)),
    situations: situationIds.map((id) => showSituation(id, behaviour)),
    ...(verified && { verified }),
  };
}

function showAssumption(id: AssumptionId, behaviour: Behaviour): AssumptionEntry {
  const { question, openBecause, why, values } = assumptions[id];
  return {
    id,
    question,
    openBecause,
    value: behaviour.valueOf(id) ?? "see situations",
    default: valuesOf(id)[0] ?? "",
    source: shownSource(id, behaviour),
    why,
    values: Object.entries(values).map(([value, meaning]) => ({ value, meaning })),
    situations: situationsOf(id),
  };
}

/** `profile`: the profile has all situations of the question. */
function shownSource(id: AssumptionId, behaviour: Behaviour): AssumptionEntry["source"] {
  const sources = isResponseOption(id)
    ? [behaviour.option(id).source]
    : situationsOf(id).map((situation) => behaviour.source(situation));
  if (sources.some((source) => source === "set" || source === "pinned")) return "set";
  return sources.every((source) => source === "profile") ? "profile" : "default";
}

function showSituation(id: SituationId, behaviour: Behaviour): SituationEntry {
  const { when, outcomes, isDocumented } = rowOf(id);
  const { limit, response } = behaviour.known.situations.get(behaviour.saidBy(id)) ?? {};
  const source = outcomes.length === 0 && response ? "profile" : behaviour.source(id);
  const assumption = assumptionOf.get(id);
  return {
    situation: id,
    when,
    outcome: behaviour.outcome(id) || "response",
    ...(limit !== undefined && source === "profile" && { limit }),
    default: outcomes[0] ?? "response",
    outcomes: [...outcomes],
    words: [...wordsOf(id)],
    source: sourceNames[source] ?? (isDocumented ? "documented" : "assumed"),
    ...(assumption !== undefined && { assumption }),
  };
}

const sourceNames: { readonly [S in Source]?: SituationEntry["source"] } = {
  profile: "profile",
  set: "set",
  pinned: "set",
};
