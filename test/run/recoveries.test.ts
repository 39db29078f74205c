import { describe, expect, it } from "vitest";
import { Decisions } from "../../src/fake/service/decisions.js";
import type { Entry } from "../../src/fake/world/journal/entry.js";
import type { ServedWorld } from "../../src/fake/world/served-world.js";
import { readSeen } from "../../src/run/begin-run.js";
import { parseInjection } from "../../src/run/injection.js";
import { JoinedRun, type TestsInWorlds } from "../../src/run/joined-run.js";
import { defaultBehaviour } from "../default-behaviour.js";
import { ownRun } from "./own-run.js";

interface Later extends Partial<Pick<Entry, "id" | "operation" | "outcome">> {
  readonly group?: string;
  readonly isReset?: boolean;
  readonly hasFailed?: boolean;
  /** No test has said that it uses the world. */
  readonly isUnknown?: boolean;
  readonly hasEnded?: boolean;
}

/** Whether a program that sends a later request counts as recovered from a failure of its first rotation. */
function isRecovered(
  failure: string,
  { group = "acme", isReset, hasFailed, isUnknown, hasEnded, ...later }: Later,
): boolean {
  using run = ownRun({ inject: [parseInjection(`w/rotate:acme#1=${failure}`)] });
  const tests: TestsInWorlds = new Map();
  const mock = new JoinedRun(run, tests);
  let isFailed = false;
  if (!isUnknown) tests.set("w", { id: "w", hasFailed: () => isFailed });
  const decisions = new Decisions(defaultBehaviour);
  const world = { name: "w", journal: { epoch: 1 }, faults: { wasArmed: false } } as ServedWorld;
  const entryAbout = (provided_id: string, fields: Partial<Entry>) =>
    ({ ...fields, group: { team_id: 3, provided_id }, decisions }) as Entry;
  const failed = entryAbout("acme", { id: 2, operation: "rotate", outcome: "fault" });
  expect(mock.inject("rotate", failed, world)).toBeDefined();
  mock.completed(failed, world);
  isFailed = hasFailed === true;
  if (hasEnded) tests.set("w", "ended");
  const entry = entryAbout(group, { id: 3, operation: "rotate", outcome: "success", ...later });
  mock.completed(entry, isReset ? ({ ...world } as ServedWorld) : world);
  return readSeen(run).recovered.size > 0;
}

describe("a program recovers", () => {
  it.each<[string, boolean, string, Later]>([
    ["if the same request succeeds later", true, "reset", {}],
    ["if get-or-create returns the token of a lost rotation", true, "lost", { operation: "get-or-create" }],
    ["not if get-or-create returns an old token", false, "reset", { operation: "get-or-create" }],
    ["not if the request was sent before it", false, "reset", { id: 1 }],
    ["not if the later request fails", false, "reset", { outcome: "failure" }],
    ["not if the request came after the test had failed", false, "reset", { hasFailed: true }],
    ["not if the test of the world is unknown", false, "reset", { isUnknown: true }],
    ["not if the request came after the test had ended", false, "reset", { hasEnded: true }],
    ["not after a reset", false, "reset", { isReset: true }],
    ["not with a request about another group", false, "reset", { group: "other" }],
  ])("%s", (_, isRecovery, failure, later) => {
    expect(isRecovered(failure, later)).toBe(isRecovery);
  });
});
