import type { AssumptionValues } from "../contract/assumptions.js";

/** How ids are compared: two that become equal are the same id. */
export const comparedIds: { readonly [Matching in AssumptionValues["id-matching"]]: (id: string) => string } =
  {
    exact: (id) => id,
    "any-case": (id) => id.toLowerCase(),
    trimmed: (id) => id.trim(),
    "trimmed-any-case": (id) => id.trim().toLowerCase(),
  };

/** Equal for all ids that any value of the assumption takes for the same. */
export const widestId = comparedIds["trimmed-any-case"];
