import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../src/generated/types.js";
import { lifeOf } from "../../src/inspector/group-life.js";
import { entry, faulted, rejected, waiting } from "../report/entries.js";

const acme = { team_id: 3, provided_id: "acme" };

/** @param entries oldest first */
function life(entries: readonly JournalEntry[]): string[] {
  return lifeOf(acme, entries.toReversed()).map(({ text, entry: { id } }) => `${text} #${id}`);
}

describe("lifeOf", () => {
  it("derives each step from effect and cause", () => {
    const lost = entry({
      id: 3,
      outcome: "fault",
      effect: "rotated",
      delivery: "none",
      cause: { code: "fault", message: "Fault 1 reset the connection.", fault: 1 },
    });
    const stale = rejected(4, { code: "unknown_token", message: "…", request: 3 });
    const left = entry({
      id: 6,
      effect: "none",
      outcome: "failure",
      cause: { code: "caller-left", message: "…" },
    });
    const invalid = rejected(7, { code: "invalid_body", message: "…" });
    expect(
      life([entry({ id: 1, effect: "created" }), faulted(2), lost, stale, waiting(5), left, invalid]),
    ).toEqual([
      "created #1",
      "fault 1 #2",
      "rotated, response lost #3",
      "stale token #4",
      "waiting #5",
      "aborted #6",
    ]);
  });

  it("does not say that a fault stopped a request that was held and then lost a race", () => {
    const cause = { code: "unknown_token", message: "…", request: 2 } as const;
    const loser = { ...rejected(3, cause), fault: 1, notes: ["fault 1 held the request for 20 ms"] };
    expect(life([loser])).toEqual(["stale token #3"]);
  });

  it("counts look-ups that follow each other as one step", () => {
    expect(life([1, 2, 3].map((id) => entry({ id })))).toEqual(["found 3 times, last #3"]);
  });

  it("leaves out other groups, and requests whose group is not known", () => {
    const other = entry({ id: 1, group: { ...acme, team_id: 4 } });
    const { group, ...unknown } = entry({ id: 2 });
    expect(life([other, unknown, entry({ id: 3 })])).toEqual(["found #3"]);
  });
});
