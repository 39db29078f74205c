import type { Operation } from "../../generated/types.js";
import type { Bodies } from "../contract/operations.js";
import { getOrCreate } from "./get-or-create.js";
import type { GroupStore } from "./group-store.js";
import type { Performed, Rejection, RequestContext } from "./result.js";
import { rotate } from "./rotate.js";

/**
 * What each operation does to the groups of a world. No `await` from look-up to change: of many concurrent requests
 * exactly one creates, exactly one rotates.
 */
export const perform: {
  readonly [O in Operation]: (
    groups: GroupStore,
    teamId: number,
    body: Bodies[O],
    context: RequestContext,
  ) => Performed<O> | Rejection;
} = { "get-or-create": getOrCreate, rotate };
