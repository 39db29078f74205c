import { passedLimit } from "../foundation/json-limits.js";

/**
 * How many levels the body of a call may nest. What is kept is serialised again for state and journal, and
 * JSON.stringify overflows the stack at some thousands of levels.
 */
export const maxDepth = 100;

/** Admin bodies wrap service bodies, so they may nest deeper. */
export const maxAdminDepth = maxDepth + 10;

/** The largest body of an admin call, in bytes. */
export const maxAdminBytes = 1_000_000;

/** The largest state over the admin API, 65,000 groups as they are exported; larger seeds are fixtures. */
export const maxStateBytes = 10_000_000;

/** How many values and different field names a body may have: parsing more would make other callers wait. */
export const maxValues = 1_000_000;
export const maxNames = 100_000;

/** Why JSON would take too long to parse or to serialise, if so. `what` begins the sentence. */
export function refuseCostly(bytes: Uint8Array, depth: number, what: string) {
  const passed = passedLimit(bytes, { maxDepth: depth, maxValues, maxNames });
  if (passed === undefined) return undefined;
  if (passed === "maxDepth") {
    return {
      code: "invalid_json",
      message: `${what} nests deeper than ${depth} levels. Flatten it.`,
    } as const;
  }
  const most = passed === "maxValues" ? `${maxValues} values` : `${maxNames} different field names`;
  return { code: "payload_too_large", message: `${what} has more than ${most}. Send fewer.` } as const;
}
