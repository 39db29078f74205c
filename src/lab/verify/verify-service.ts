import type { SituationId } from "../../fake/contract/situations.js";
import type { KnownSituations } from "../../generated/types.js";
import { askAgain, askPart, createFirst, type OnRow } from "./ask/interview.js";
import { partIds } from "./ask/questions.js";
import { VerifyRun } from "./ask/run.js";
import { askFurther, type CheckResult, compareWithMock } from "./check/check.js";
import { findChanges, inBoth, type ServiceChange } from "./check/drift.js";
import { type BrokenFact, brokenFacts } from "./learn/facts.js";
import { type Learned, learn } from "./learn/learn.js";
import { Secrets } from "./learn/secrets.js";
import type { Target } from "./service/exchanges.js";
import { Unanswered } from "./service/not-asked.js";
import type { Patience } from "./service/service-client.js";

export interface VerifyOptions {
  readonly patience?: Patience | undefined;
  /** Ends the run. What was learned so far is returned. */
  readonly signal?: AbortSignal | undefined;
  /** Compares with these instead of checking what was learned. */
  readonly expected?: KnownSituations | undefined;
  /** With `expected`: asks everything. */
  readonly isWhole?: boolean | undefined;
  readonly knownBroken?: readonly string[] | undefined;
  /** Called before the first request. */
  readonly onBegin?: (prefix: string) => void;
  readonly onRow?: OnRow;
}

export interface Report {
  readonly run: VerifyRun;
  readonly secrets: Secrets;
  readonly learned: Learned;
  readonly broken: readonly BrokenFact[];
  /** Undefined: nothing was checked. */
  readonly checked: CheckResult | undefined;
  /** With `expected`. */
  readonly changes: readonly ServiceChange[] | undefined;
  /** The service no longer responded, or the user has ended the run. */
  readonly isStopped: boolean;
}

/** Asks a service, learns from the responses, and checks what was learned. Throws CannotStart if nothing can be asked. */
export async function verifyService(target: Target, options: VerifyOptions = {}): Promise<Report> {
  const { patience, signal, expected, isWhole = false, knownBroken = [] } = options;
  const isLight = expected !== undefined && !isWhole;
  const run = new VerifyRun(target, {
    patience,
    signal,
    expected,
    isLight,
    knownBroken: new Set(knownBroken),
  });
  const { apiToken, secondApiToken, headers } = target;
  const secrets = new Secrets([apiToken, secondApiToken ?? ""], headers);
  options.onBegin?.(run.groups.prefix);
  let checked: CheckResult | undefined;
  let changes: readonly ServiceChange[] | undefined;
  let isStopped = false;
  try {
    checked = await askEverything(run, secrets, options);
    if (expected !== undefined) changes = await compare(run, secrets, expected);
  } catch (error) {
    const isEnd = error instanceof Unanswered || signal?.aborted === true;
    if (!isEnd) throw error;
    isStopped = true;
    run.ended ??= "interrupted";
  }
  const learned = learn(run, secrets);
  for (const [row, why] of learned.unlearned) run.notAsked.set(row, why);
  const broken = brokenFacts({ usual: run.usual, seen: run.seen, exchanges: run.client.exchanges });
  return { run, secrets, learned, broken, checked, changes, isStopped };
}

async function askEverything(
  run: VerifyRun,
  secrets: Secrets,
  { expected, onRow = () => {} }: VerifyOptions,
): Promise<CheckResult | undefined> {
  let checked: CheckResult | undefined;
  await createFirst(run);
  for (const id of partIds) {
    await askPart(run, id, onRow);
    if (id === "check" && expected === undefined && run.ended === undefined)
      checked = await check(run, secrets);
  }
  return checked;
}

/** The service gets further requests, and then a mock with what was learned. */
async function check(run: VerifyRun, secrets: Secrets): Promise<CheckResult> {
  const { situations } = learn(run, secrets);
  const asked = await askFurther(run);
  return compareWithMock(run, asked, situations, secrets);
}

/** What seems changed is asked a second time. */
async function compare(
  run: VerifyRun,
  secrets: Secrets,
  expected: KnownSituations,
): Promise<ServiceChange[]> {
  const first = findChanges(expected, run, learn(run, secrets));
  const rows = [...new Set(first.map(({ situation }) => situation as SituationId))];
  if (rows.length === 0) return [];
  await askAgain(run, rows);
  return inBoth(first, findChanges(expected, run, learn(run, secrets)));
}
