import { type AssumptionValues, assumptionIds, valuesOf } from "../src/fake/contract/assumptions.js";
import { knownService } from "../src/fake/contract/profile.js";
import { Behaviour } from "../src/fake/service/behaviour.js";

/** What the service does while nothing is known or set. */
export const defaultBehaviour = Behaviour.from(knownService([]));

export const defaultAssumptions = Object.fromEntries(
  assumptionIds.map((id) => [id, valuesOf(id)[0]]),
) as AssumptionValues;
