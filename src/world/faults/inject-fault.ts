import type { FaultRule } from "../../generated/types.js";
import type { Answer } from "../answer.js";
import type { Entry } from "../journal/journal.js";
import { noteFault } from "./call-notes.js";
import { behaviours, failWith, neverMade } from "./effects.js";
import { TrackedFault } from "./faults.js";

/** A failure that a run of `exec` or `explore` injects into one request. */
export interface InjectedRule {
  /** As notes call it. */
  readonly name: string;
  readonly rule: FaultRule | "silent";
}

/** Carries out a call that was chosen to fail. No world knows of it: a reset does not end it. */
export async function injectFailure(
  { name, rule }: InjectedRule,
  operate: () => Answer,
  entry: Entry,
): Promise<Answer> {
  if (rule !== "silent")
    return applyFault(
      new TrackedFault({ id: 0, ordinal: 0, request: rule, size: 0, randomSeed: "", name }),
      operate,
      entry,
    );
  entry.note(`${name} never answers`);
  return { status: 0, fault: "silent" };
}

/** Carries out a call that a fault has claimed. `operate` performs the operation. */
export async function applyFault(fault: TrackedFault, operate: () => Answer, entry: Entry): Promise<Answer> {
  const performed = fault.request.phase === "after" ? operate() : undefined;
  const began = entry.elapsedMs;
  const aborted = await fault.wait();
  if (aborted !== undefined) {
    entry.note(`${fault.name} aborted the call: ${aborted}`);
    const message = `Fault ${fault.id} was holding this call, and aborted it: ${aborted}.`;
    return failWith(503, message, entry.decisions);
  }
  const answer = behaviours[fault.effect].respond({
    fault,
    respond: () => performed ?? operate(),
    lost: performed ?? neverMade,
    decisions: entry.decisions,
  });
  noteFault(entry, fault, entry.elapsedMs - began);
  return answer;
}
