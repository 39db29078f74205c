import type { Answers, Bodies } from "../contract/operations.js";
import type { Operation } from "../contract/types.js";
import { type Failure, isFailure, type Reply } from "./failures.js";
import type { Caller, UserGroups } from "./user-groups.js";

interface Performed<O extends Operation> {
  readonly status: number;
  readonly body: Answers[O];
}

/** What each operation does to the groups of a world. */
const performers: {
  readonly [O in Operation]: (groups: UserGroups, body: Bodies[O], caller: Caller) => Performed<O> | Failure;
} = {
  "get-or-create": (groups, body, caller) => {
    const answer = groups.getOrCreate(body, caller);
    if (isFailure(answer)) return answer;
    const status = answer.new_user_group ? Number(caller.decisions.decide("created-status")) : 200;
    return { status, body: answer };
  },
  rotate: (groups, body, caller) => {
    const answer = groups.rotate(body, caller);
    return isFailure(answer) ? answer : { status: 200, body: answer };
  },
};

/** From look-up to change without a pause: of many calls at once exactly one creates, exactly one rotates. */
export function perform<O extends Operation>(
  operation: O,
  groups: UserGroups,
  body: Bodies[O],
  caller: Caller,
): Reply | Failure {
  return performers[operation](groups, body, caller);
}
