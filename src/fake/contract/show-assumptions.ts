import type { AssumptionList, Profile } from "../../generated/types.js";
import { isBodyAssumption, settledPlaces } from "./accepts.js";
import { type Assumed, type AssumptionId, assumptions, defaultAssumptions } from "./assumptions.js";

/** All assumptions as the admin API shows them, with what the profile has. */
export function showAssumptions(assumed: Assumed, profile: Profile): AssumptionList {
  const { accepts, responses, verified } = profile;
  return {
    assumptions: Object.values(assumed).map((one) => ({
      id: one.id,
      ...assumptions[one.id],
      default: defaultAssumptions[one.id],
      value: one.value,
      ...showSource(one, profile),
      values: Object.entries(assumptions[one.id].values).map(([value, meaning]) => ({ value, meaning })),
    })),
    ...(accepts && { accepts: { ...accepts } }),
    ...(responses && { responses: { ...responses } }),
    ...(verified && { verified }),
  };
}

type ShownSource = Pick<AssumptionList["assumptions"][number], "source" | "knownFor">;

/** Where a value comes from, and where the profile decides instead. What was set on purpose overrides the profile. */
function showSource(
  { id, source }: Assumed[AssumptionId],
  { accepts = {}, responses }: Profile,
): ShownSource {
  if (source === "set" || source === "pinned") return { source: "set" };
  if (id === "created-status" && responses?.created?.status !== undefined) return { source: "profile" };
  if (!isBodyAssumption(id)) return { source };
  const { places, isComplete } = settledPlaces(id, accepts);
  if (places.length === 0) return { source };
  return { source: isComplete ? "profile" : source, knownFor: places };
}
