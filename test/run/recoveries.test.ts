import { describe, expect, it } from "vitest";
import type { RecordedRequest } from "../../src/run/record-requests.js";
import { type ArrivedRequest, findRecoveries } from "../../src/run/recoveries.js";

const base = { at: 0, occurrence: 0, world: "w", n: 1, isLate: false } as const;
const arrive = (id: number, operation: "rotate" | "get-or-create", more: Partial<ArrivedRequest> = {}) => ({
  ...base,
  id,
  name: { world: "w", operation, group: "acme" },
  ...more,
});
const injected = (failure: string) => arrive(1, "rotate", { injected: `w/rotate:acme#1=${failure}` });
/** Only what findRecoveries reads. */
const recorded = (id: number, outcome = "success", n = 1) =>
  ({ world: "w", n, entry: { id, outcome, delivery: "complete" } }) as RecordedRequest;

describe("a program recovers", () => {
  it.each<[string, boolean, string, ArrivedRequest, RecordedRequest]>([
    ["if the same request succeeds later", true, "reset", arrive(2, "rotate"), recorded(2)],
    [
      "if get-or-create returns the token of a lost rotation",
      true,
      "lost",
      arrive(2, "get-or-create"),
      recorded(2),
    ],
    [
      "not if get-or-create returns a token that was not rotated",
      false,
      "reset",
      arrive(2, "get-or-create"),
      recorded(2),
    ],
    ["not if the later request fails", false, "reset", arrive(2, "rotate"), recorded(2, "failure")],
    [
      "not if the request came after the test had failed",
      false,
      "reset",
      arrive(2, "rotate", { isLate: true }),
      recorded(2),
    ],
    ["not in another epoch", false, "reset", arrive(2, "rotate", { n: 2 }), recorded(2, "success", 2)],
    [
      "not with a request about another group",
      false,
      "reset",
      arrive(2, "rotate", { name: { world: "w", operation: "rotate", group: "other" } }),
      recorded(2),
    ],
  ])("%s", (_, isRecovery, failure, later, journal) => {
    const found = findRecoveries([injected(failure), later], [journal]);
    expect(found).toEqual(isRecovery ? [`w/rotate:acme#1=${failure}`] : []);
  });
});
