import { describe, expect, it } from "vitest";
import { newGroup } from "../../src/contract/group-fields.js";
import type { GroupDetail, JournalEntry } from "../../src/generated/types.js";
import { lifeOf } from "../../src/inspector/group-life.js";
import { findGroups } from "../../src/inspector/request-facts.js";
import { entry, faulted, rejected, waiting } from "./entries.js";

const seeded: GroupDetail = {
  ...newGroup({ team_id: 3, provided_id: "acme", name: "Acme" }, "t0"),
  seeded: true,
};

function life(entries: readonly JournalEntry[], groups: readonly GroupDetail[] = []): string[] {
  return lifeOf({ team: 3, id: "acme" }, entries, findGroups(entries, groups), groups).map(
    ({ text, request }) => (request === undefined ? text : `${text} #${request}`),
  );
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
    expect(life([loser], [seeded])).toEqual(["in the seed", "stale token #3"]);
  });

  it("counts look-ups that follow each other as one step", () => {
    expect(life([1, 2, 3].map((id) => entry({ id })))).toEqual(["found 3 times, last #3"]);
  });

  it("begins with the seed, and leaves out other groups", () => {
    const other = entry({ id: 1, request: { ...entry({ id: 1 }).request, body: {} }, response: null });
    expect(life([other, entry({ id: 2 })], [seeded])).toEqual(["in the seed", "found #2"]);
  });
});

describe("findGroups", () => {
  const rotation = (id: number, token: string) =>
    entry({
      id,
      operation: "rotate",
      effect: "none",
      request: { method: "POST", path: "/api/user", headers: {}, body: { current_token: token } },
      response: null,
    });

  it("finds the group of a rotation that failed by its token", () => {
    expect(findGroups([rotation(1, "t0"), rotation(2, "t9")], [seeded])).toEqual(
      new Map([[1, { team: 3, id: "acme" }]]),
    );
  });

  it("finds the team of a request that a fault stopped by the API token of its client", () => {
    const headers = { authorization: "Token a" };
    const request = { method: "GET", path: "/api/user", headers, body: { user_group_id: "acme" } };
    const stopped = entry({ id: 1, request, response: null });
    const groups = findGroups([stopped, entry({ id: 2, request })], [seeded, { ...seeded, team_id: 4 }]);
    expect(groups.get(1)).toEqual({ team: 3, id: "acme" });
  });
});
