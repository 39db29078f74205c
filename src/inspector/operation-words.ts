import type { Operation } from "../generated/types.js";
import type { EntryFacts } from "./entry-facts.js";

interface OperationWords {
  /** What happened to the group when the call succeeded. */
  readonly done: (facts: EntryFacts) => string;
  /** Whether a body names its group by user_group_id, so that a fault can match it. */
  readonly namesGroup: boolean;
}

/** What the page says about each operation. */
export const operationWords: Readonly<Record<Operation, OperationWords>> = {
  "get-or-create": { done: ({ created }) => (created ? "was created" : "existed"), namesGroup: true },
  rotate: { done: () => "was rotated", namesGroup: false },
};
