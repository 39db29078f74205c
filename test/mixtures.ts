import fc from "fast-check";
import { type AssumptionValues, assumptionIds, valuesOf } from "../src/fake/contract/assumptions.js";

/** A random value for every assumption. */
export const mixtures = fc.record(
  Object.fromEntries(assumptionIds.map((id) => [id, fc.constantFrom(...valuesOf(id))])),
) as unknown as fc.Arbitrary<AssumptionValues>;
