import fc from "fast-check";
import { adminRequests, serviceRequests, worldNames } from "./request-arbitrary.js";
import type { Case, Step } from "./steps.js";

/** Most steps happen in one world, so that they affect each other. */
const worlds = fc.constantFrom(...worldNames, "w1" as const, "w1" as const, "w1" as const);

const sends: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("send" as const),
  world: worlds,
  requests: fc.array(
    fc.oneof({ weight: 3, arbitrary: serviceRequests }, { weight: 2, arbitrary: adminRequests }),
    { minLength: 1, maxLength: 3, size: "small" },
  ),
  overwrite: fc.oneof(
    { weight: 25, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 3 }) },
  ),
  writes: fc.constantFrom(1, 1, 1, 2, 5),
  caller: fc.oneof(
    { weight: 20, arbitrary: fc.constant("reads" as const) },
    { weight: 1, arbitrary: fc.constantFrom("ends" as const, "aborts" as const, "stalls" as const) },
  ),
  wait: fc.boolean(),
});

const races: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("race" as const),
  operation: fc.constantFrom("get-or-create" as const, "rotate" as const),
  requests: fc.integer({ min: 2, max: 12 }),
});

const overtakes: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("overtake" as const),
  waiting: fc.constantFrom("half-sent" as const, "held" as const),
  count: fc.integer({ min: 1, max: 4 }),
  encoding: fc.constantFrom("identity" as const, "gzip" as const),
  by: fc.constantFrom("reset" as const, "drop" as const, "drop-all" as const),
  complete: fc.constantFrom("before" as const, "after" as const),
});

export const cases: fc.Arbitrary<Case> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: sends },
    { weight: 1, arbitrary: races },
    { weight: 1, arbitrary: overtakes },
  ),
  { minLength: 1, maxLength: 8, size: "medium" },
);
