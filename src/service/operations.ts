import type { Answers, Bodies } from "../contract/operations.js";
import type { Effect, Operation } from "../generated/types.js";
import { type Failure, isFailure, type Reply } from "./failures.js";
import type { Caller, UserGroups } from "./user-groups.js";

/** The answer of an operation that succeeded, and what it did. */
export interface Performed<O extends Operation> {
  readonly effect: Effect;
  readonly body: Answers[O];
}

/** What each operation does to the groups of a world. */
const performers: {
  readonly [O in Operation]: (groups: UserGroups, body: Bodies[O], caller: Caller) => Performed<O> | Failure;
} = {
  "get-or-create": (groups, body, caller) => groups.getOrCreate(body, caller),
  rotate: (groups, body, caller) => groups.rotate(body, caller),
};

/** From look-up to change without a pause: of many calls at once exactly one creates, exactly one rotates. */
export function perform<O extends Operation>(
  operation: O,
  groups: UserGroups,
  body: Bodies[O],
  caller: Caller,
): Reply | Failure {
  const performed = performers[operation](groups, body, caller);
  if (isFailure(performed)) return performed;
  const { effect, body: answer } = performed;
  const status = effect === "created" ? Number(caller.decisions.decide("created-status")) : 200;
  return { status, body: answer, effect };
}
