import { describe, expect, it } from "vitest";
import { defaultAssumed } from "../../src/contract/assumptions.js";
import { parseInjection } from "../../src/run/injection.js";
import { readSeen } from "../../src/run/read-seen.js";
import { Run } from "../../src/run/run.js";
import { Decisions } from "../../src/service/decisions.js";

const url = "http://127.0.0.1:4010";
const test = { id: "w", framework: "vitest", file: "a.test.ts", titles: ["t"], world: "w" } as const;

interface Later {
  readonly operation?: "rotate" | "get-or-create";
  readonly group?: string;
  readonly n?: number;
  readonly outcome?: "success" | "failure";
  readonly hasFailed?: boolean;
}

/** Whether a program recovers from a failure of its first rotation with a later request. */
function recovers(failure: string, later: Later): boolean {
  const { operation = "rotate", group = "acme", n = 1, outcome = "success", hasFailed = false } = later;
  const inject = [parseInjection(`w/rotate:acme#1=${failure}`)];
  const run = Run.begin({ assume: {}, inject, learns: false, reports: false }, undefined);
  try {
    run.mockUrl = url;
    let isFailed = false;
    run.recordTest(test, url, () => isFailed);
    const decisions = new Decisions(defaultAssumed);
    expect(run.failureFor({ world: "w", operation: "rotate", group: "acme" }, 1, 1)).toBeDefined();
    run.responded({ id: 1, outcome: "fault", decisions }, "w", 1, false);
    isFailed = hasFailed;
    run.failureFor({ world: "w", operation, group }, n, 2);
    run.responded({ id: 2, outcome, decisions }, "w", n, false);
    run.recordTest({ ...test, result: "failed" }, url);
    return readSeen(run).recovered.size > 0;
  } finally {
    run.remove();
  }
}

describe("a program recovers", () => {
  it.each<[string, boolean, string, Later]>([
    ["if the same request succeeds later", true, "reset", {}],
    ["if get-or-create returns the token of a lost rotation", true, "lost", { operation: "get-or-create" }],
    ["not if get-or-create returns an old token", false, "reset", { operation: "get-or-create" }],
    ["not if the later request fails", false, "reset", { outcome: "failure" }],
    ["not if the request came after the test had failed", false, "reset", { hasFailed: true }],
    ["not in another epoch", false, "reset", { n: 2 }],
    ["not with a request about another group", false, "reset", { group: "other" }],
  ])("%s", (_, isRecovery, failure, later) => {
    expect(recovers(failure, later)).toBe(isRecovery);
  });
});
