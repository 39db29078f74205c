import type { SituationId } from "../../../fake/contract/situations.js";
import { groupIn } from "../service/exchanges.js";
import { BudgetEnded, NotAsked, Unanswered } from "../service/not-asked.js";
import { askOnceMore, isAskedOfNewFirst } from "./once-more.js";
import type { Question } from "./question.js";
import { type PartId, partIds, parts, questionsOf, reserveAfter } from "./questions.js";
import { ForeignGroup, type RunGroupName, type VerifyRun } from "./run.js";

/** So many situations without a response, one after the other, end the run. */
const mostUnanswered = 3;

export type OnRow = (row: SituationId) => void;

/** The run cannot begin: no group can be created. */
export class CannotStart extends Error {}

/** Creates the first groups. If the first one is rejected, once more with letters and digits only. */
export async function createFirst(run: VerifyRun): Promise<void> {
  try {
    try {
      await run.create("F");
    } catch (error) {
      if (!(error instanceof NotAsked) || error instanceof Unanswered) throw error;
      run.groups.usePlainForm();
      await run.create("F");
    }
    for (const name of parts.groups.needs) if (!run.hasGroup(name)) await run.create(name);
    if (run.isLight) for (const name of ["T3", "B"] as const) await run.create(name);
  } catch (error) {
    if (error instanceof NotAsked) throw new CannotStart(error.message);
    if (error instanceof ForeignGroup)
      throw new CannotStart("the service did not say that it created a group (new_user_group)");
    throw error;
  }
}

/** Asks the questions of a part, after a control of the part before. */
export async function askPart(run: VerifyRun, id: PartId, onRow: OnRow): Promise<void> {
  run.client.reserve = reserveAfter(id);
  if (run.ended === undefined) await controlBefore(run, id);
  let unanswered = 0;
  for (const [row, question] of questionsOf(id)) {
    onRow(row);
    const why = whyNotAsked(run, id, row, question);
    if (why === undefined && isAskedOfNewFirst(run, question)) continue;
    if (why === undefined) unanswered = (await askRow(run, row, question)) ? unanswered + 1 : 0;
    else run.notAsked.set(row, why);
    if (unanswered >= mostUnanswered) {
      run.ended = `the service did not respond to ${mostUnanswered} questions in a row`;
      throw new Unanswered(`${run.ended} (${parts[id].name})`);
    }
  }
  if (run.ended === undefined) await askOnceMore(run, questionsOf(id));
}

/** Why a situation is not asked in this run. Undefined: it is asked. */
function whyNotAsked(
  run: VerifyRun,
  part: PartId,
  row: SituationId,
  question: Question,
): NotAsked | undefined {
  if (run.ended !== undefined) return new NotAsked("a control failed", run.ended);
  if (part === "guarded" && run.foreign.size > 0 && row !== "several problems")
    return new NotAsked("not after a group of somebody else");
  if (run.knownBroken.has(row)) return new NotAsked("in verified.broken");
  const expected = run.expectedOutcome(row);
  // Its id is the same in each run.
  if (part === "guarded" && row.startsWith("user_group_id") && expected === "accepted")
    return new NotAsked("a group of an earlier run");
  if (!run.isLight) return undefined;
  if (parts[part].isOnce) return new NotAsked("--all");
  if (expected === undefined && run.expected?.[row] === undefined) return new NotAsked("not in the file");
  const { leavesGroup = false } = question;
  const leaves = typeof leavesGroup === "boolean" ? leavesGroup : leavesGroup(run);
  return leaves && expected !== "rejected"
    ? new NotAsked("--all", "it would leave another group")
    : undefined;
}

/** Returns whether it stayed unanswered. */
async function askRow(run: VerifyRun, row: SituationId, question: Question): Promise<boolean> {
  try {
    run.seen.set(row, await question.ask(run));
    run.notAsked.delete(row);
    return false;
  } catch (error) {
    if (error instanceof ForeignGroup) {
      noteForeign(run, row, error);
      return false;
    }
    if (!(error instanceof NotAsked)) throw error;
    run.notAsked.set(row, error);
    return error instanceof Unanswered && !(await stillResponds(run));
  }
}

/** Whether the service only does not respond to one request. A look-up after a timeout would cost too much time. */
async function stillResponds(run: VerifyRun): Promise<boolean> {
  try {
    if (run.client.isSlow) return false;
    await run.lookUp();
    return true;
  } catch (error) {
    if (error instanceof NotAsked || error instanceof ForeignGroup) return false;
    throw error;
  }
}

function noteForeign(run: VerifyRun, row: SituationId, { exchange: { sent, received } }: ForeignGroup): void {
  const id = JSON.stringify(groupIn(received).provided_id) ?? "without an id";
  const did = sent.method === "POST" ? "rotated the token of" : "found";
  run.foreign.set(row, `The service ${did} a group that verify did not create: ${id}, for "${row}".`);
  run.notAsked.set(row, new NotAsked("a group of somebody else"));
}

/**
 * Creates the groups that a part needs, or looks one up in a light run. If that fails, the service is broken: what it said
 * to the part before is not learned, and nothing more is asked.
 */
async function controlBefore(run: VerifyRun, id: PartId): Promise<void> {
  try {
    if (run.isLight) await run.lookUp();
    for (const name of parts[id].needs)
      if (!run.hasGroup(name) && !(run.isLight && controls.has(name))) await run.create(name);
  } catch (error) {
    // Nothing is wrong with the service.
    if (error instanceof BudgetEnded) return;
    if (!(error instanceof NotAsked) && !(error instanceof ForeignGroup)) throw error;
    const before = partIds[partIds.indexOf(id) - 1] ?? id;
    run.ended = `the service no longer created or found groups after "${parts[before].name}" (${error.message})`;
    for (const [row] of questionsOf(before)) run.forget(row, new NotAsked("a control failed", run.ended));
  }
}

/** Groups about which nothing is asked: only their creation matters. */
const controls: ReadonlySet<RunGroupName> = new Set(["C", "E", "K", "L"]);

/** Asks again what seems to have changed. What is sent only once is not repeated here either. */
export async function askAgain(run: VerifyRun, rows: readonly SituationId[]): Promise<void> {
  const again = partIds.filter((id) => !parts[id].isOnce).flatMap(questionsOf);
  for (const [row, question] of again)
    if (rows.includes(row) && !isAskedOfNewFirst(run, question)) await askRow(run, row, question);
  await askOnceMore(run, again);
}
