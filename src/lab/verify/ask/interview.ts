import type { SituationId } from "../../../fake/contract/situations.js";
import type { Costs } from "../service/budget.js";
import { groupIn } from "../service/exchanges.js";
import { BudgetEnded, NotAsked, Unanswered } from "../service/not-asked.js";
import { askOnceMore } from "./once-more.js";
import type { Question } from "./question.js";
import { type PartId, parts } from "./questions.js";
import { ForeignGroup, type RunGroupName, type VerifyRun } from "./run.js";

/**
 * What the last steps need, with the groups that are created before them and the look-ups between their requests. Of the
 * groups, `rejected` are those of requests that will hardly succeed.
 */
const lastSteps = {
  doubtful: { requests: 2, groups: 1, rejected: 0 },
  guarded: { requests: 34, groups: 5, rejected: 2 },
  check: { requests: 31, groups: 9, rejected: 0 },
  apiTokens: { requests: 7, groups: 2, rejected: 1 },
} as const;

/** What is set aside during a step, for those after it. */
export function reserveDuring(step: PartId | "check", { groups }: VerifyRun): Costs {
  const steps = Object.entries(lastSteps);
  const later = steps.slice(steps.findIndex(([name]) => name === step) + 1);
  const sum = (name: keyof (typeof lastSteps)["check"]) =>
    later.reduce((total, [, costs]) => total + costs[name], 0);
  const rejected = groups.rejectsWithoutEffect ? 0 : sum("rejected");
  return { requests: sum("requests"), groups: sum("groups") + rejected };
}

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
export async function askPart(
  run: VerifyRun,
  id: PartId,
  before: PartId | undefined,
  onRow: OnRow,
): Promise<void> {
  const { questions, needs, name } = parts[id];
  run.reserve(reserveDuring(id, run));
  if (run.ended === undefined) await controlAfter(run, before, needs);
  const rows = Object.entries<Question>(questions) as [SituationId, Question][];
  let unanswered = 0;
  for (const [row, question] of rows) {
    onRow(row);
    const why = whyNotAsked(run, id, row, question);
    if (why === undefined && question.onceMore?.isOnlyNew?.(run)) continue;
    if (why === undefined) unanswered = (await askRow(run, row, question)) ? unanswered + 1 : 0;
    else run.notAsked.set(row, why);
    if (unanswered >= mostUnanswered) {
      run.ended = `the service did not respond to ${mostUnanswered} questions in a row`;
      throw new Unanswered(`${run.ended} (${name})`);
    }
  }
  if ((id === "fields" || id === "limits") && run.ended === undefined) await askOnceMore(run, questions);
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
  if (part === "guarded" || part === "apiTokens") return new NotAsked("--all");
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
 * Creates the groups that the next part needs, or looks one up in a light run. If that fails, the service is broken: what
 * it said to the part before is not learned, and nothing more is asked.
 */
export async function controlAfter(
  run: VerifyRun,
  part: PartId | undefined,
  needs: readonly RunGroupName[],
): Promise<void> {
  try {
    if (run.isLight) await run.lookUp();
    for (const name of needs)
      if (!run.hasGroup(name) && !(run.isLight && controls.has(name))) await run.create(name);
  } catch (error) {
    // Nothing is wrong with the service.
    if (error instanceof BudgetEnded) return;
    if (!(error instanceof NotAsked) && !(error instanceof ForeignGroup)) throw error;
    const after = part === undefined ? "the check" : `the questions about ${parts[part].name}`;
    run.ended = `the service no longer created or found groups after ${after} (${error.message})`;
    const rows = part === undefined ? [] : (Object.keys(parts[part].questions) as SituationId[]);
    for (const row of rows) run.forget(row, new NotAsked("a control failed", run.ended));
  }
}

/** Groups about which nothing is asked: only their creation matters. */
const controls: ReadonlySet<RunGroupName> = new Set(["C", "E", "K", "L"]);

/** Asks again what seems to have changed. */
export async function askAgain(run: VerifyRun, rows: readonly SituationId[]): Promise<void> {
  // Requests that are sent only once are not repeated here either.
  for (const part of [parts.groups, parts.paths, parts.fields, parts.limits, parts.doubtful]) {
    for (const [row, question] of Object.entries<Question>(part.questions) as [SituationId, Question][])
      if (rows.includes(row) && !question.onceMore?.isOnlyNew?.(run)) await askRow(run, row, question);
  }
  await askOnceMore(run, { ...parts.fields.questions, ...parts.limits.questions });
}
