import { isSituation, type SituationId } from "../../fake/contract/situations.js";
import { readableJson } from "../../foundation/readable-json.js";
import { saveText } from "../../foundation/save-text.js";
import { onInterrupt, print, printFailure } from "../../foundation/terminal.js";
import type { Profile } from "../../generated/types.js";
import type { GivenCommand } from "../../options/given-command.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { assertWritable } from "../assert-writable.js";
import { CannotStart } from "./ask/interview.js";
import { hasQuestion, questions } from "./ask/questions.js";
import { newlyBroken } from "./check/drift.js";
import type { Target } from "./service/exchanges.js";
import { Unanswered } from "./service/not-asked.js";
import { limits } from "./service/own-groups.js";
import { profileText, readEarlier, readExpected, replacedIn, writtenProfile } from "./show/profile-file.js";
import { interruptedText, reportJson, reportText } from "./show/report-text.js";
import { StepProgress } from "./show/step-progress.js";
import { readTarget, type TargetFlags } from "./target.js";
import { type Report, verifyService } from "./verify-service.js";

export interface VerifyFlags extends TargetFlags {
  readonly out?: string;
  readonly expect?: readonly string[];
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/**
 * Exit codes: 0, or 1 if a documented fact is broken, the mock accepts what the service rejects, or a group of somebody
 * else was changed or found. With --expect: 0, or 1 if something has changed. 2 if it could not run, or a situation stayed
 * unanswered. 129, 130 or 143 after a signal.
 */
export async function verify(_: GivenCommand, flags: VerifyFlags): Promise<number> {
  try {
    if (flags.all && flags.expect === undefined)
      rejectFlag("--all needs --expect: without it, everything is asked");
    const target = await readTarget(flags);
    const expected = await readExpected(flags.expect ?? []);
    const earlier = await readEarlier(flags.out);
    if (!flags.yes) {
      print(plan(target));
      return 2;
    }
    await assertWritable("--out", flags.out);
    return await run(target, flags, { expected, earlier });
  } catch (error) {
    printFailure(error);
    return 2;
  }
}

interface GivenProfiles {
  /** Of --expect. */
  readonly expected: Profile | undefined;
  /** The file that --out replaces. */
  readonly earlier: Profile | undefined;
}

async function run(target: Target, flags: VerifyFlags, given: GivenProfiles): Promise<number> {
  const { expected, earlier } = given;
  const interruption = new AbortController();
  let signalCode = 0;
  onInterrupt((code) => {
    signalCode = code;
    interruption.abort();
  });
  const progress = new StepProgress(
    Object.keys(questions).filter((row) => isSituation(row) && hasQuestion(row)).length,
  );
  const found = await verifyService(target, {
    signal: interruption.signal,
    expected: expected?.situations,
    isWhole: flags.all,
    knownBroken: [...(earlier?.verified?.broken ?? []), ...(expected?.verified?.broken ?? [])],
    onBegin: progress.begin,
    onRow: progress.step,
  })
    .catch((error: unknown) => {
      if (error instanceof CannotStart) return error;
      throw error;
    })
    .finally(() => progress.clear());
  if (found instanceof CannotStart) return cannotStart(target, found);
  const report = withBrokenFacts(found, expected);
  if (interruption.signal.aborted) {
    print(flags.json ? readableJson({ interrupted: true, ...reportJson(report) }) : interruptedText(report));
    return signalCode;
  }
  const exit = exitOf(report, expected);
  const shown = { isVerbose: flags.verbose === true, out: flags.out, exit };
  print(flags.json ? readableJson(reportJson(report)) : reportText(report, shown));
  if (flags.json && exit.code !== 0) process.stderr.write(`Exit code ${exit.code}: ${exit.why}.\n`);
  if (flags.out === undefined || report.isStopped) return exit.code;
  const isWritten = await write(flags.out, flags.json === true, report, given);
  return isWritten ? exit.code : exit.code || 2;
}

function cannotStart({ baseUrl }: Target, { message }: Error): number {
  const advice = "Check the URL and the API token, or pass a valid body with --sample.";
  process.stderr.write(`usergroup-mock: verify cannot start with ${baseUrl}: ${message}. ${advice}\n`);
  return 2;
}

/** With --expect, a fact that was not broken when the file was written is a change. */
function withBrokenFacts(report: Report, expected: Profile | undefined): Report {
  if (expected === undefined || report.changes === undefined) return report;
  return { ...report, changes: [...report.changes, ...newlyBroken(expected, report.broken)] };
}

/** The exit code, and why it is not 0. */
function exitOf(report: Report, expected: Profile | undefined): { code: number; why: string } {
  const { run, broken, checked, changes = [] } = report;
  const lenient = checked?.different.filter(({ mockIs }) => mockIs === "lenient").length ?? 0;
  const wrong = [
    run.foreign.size > 0 && "the service changed or found a group of somebody else",
    changes.length > 0 && "something has changed",
    expected === undefined && broken.length > 0 && "a documented fact does not hold",
    lenient > 0 && "the mock accepts what the service rejects",
  ].filter((one) => one !== false);
  if (wrong.length > 0) return { code: 1, why: wrong.join(", and ") };
  if (run.ended !== undefined) return { code: 2, why: run.ended };
  const open = [...run.notAsked].filter(([, why]) => why instanceof Unanswered).map(([row]) => row);
  if (open.length > 0) return { code: 2, why: `no response for ${open.join(", ")}` };
  const missing = expected === undefined ? [] : notCompared(report, expected);
  if (missing.length > 0) return { code: 2, why: `not compared: ${missing.join(", ")}` };
  return { code: 0, why: "" };
}

/** Situations of the file that should have been asked, and were not. */
function notCompared({ run }: Report, { verified, situations = {} }: Profile): SituationId[] {
  if (verified === undefined) return [];
  return (Object.entries(situations) as [SituationId, unknown][])
    .filter(([row, said]) => {
      const hasReason = Object(said).because !== undefined;
      const why = run.notAsked.get(row);
      return hasQuestion(row) && !hasReason && why !== undefined && !why.reason.isExpected;
    })
    .map(([row]) => row);
}

/** Resolves to whether the file could be written. */
async function write(
  out: string,
  isJson: boolean,
  report: Report,
  { expected, earlier }: GivenProfiles,
): Promise<boolean> {
  const { run, learned, broken, changes } = report;
  const before = earlier ?? expected;
  const changed = changes && new Set(changes.map(({ situation }) => situation));
  const profile = writtenProfile({ earlier: before, run, learned, broken, changed });
  const replaced = replacedIn(before, profile);
  try {
    await saveText(out, profileText(profile));
  } catch (error) {
    // The service need not be asked again. The JSON has it already.
    if (!isJson) print(profileText(profile));
    printFailure(error);
    process.stderr.write(`${out}: not written. Standard output has what was learned.\n`);
    return false;
  }
  if (replaced.length > 0) process.stderr.write(`${out}: replaced ${replaced.join(", ")}\n`);
  process.stderr.write(`${out}: written\n`);
  return true;
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${baseUrl}: it sends at most ${limits.requests} requests, which create at most ${limits.groups} user groups and rotate some of their tokens. With --expect, it creates about five.`,
    'Their ids, and most of their names, begin with "ugm-" and six more characters, which are printed before the first request. Some ids are in upper case or begin with another sign, one is a 15-digit number, and a few are random letters.',
    `The groups belong to ${secondApiToken === undefined ? "the team of the API token" : "the teams of both API tokens"}.`,
    "It does not change other groups on purpose. Requests without a valid token or id come last, once each, and stop when the service takes one for somebody else's group.",
    "It cannot delete its own groups: the service has no such operation.",
    "Add --yes to start.",
  ].join("\n");
}
