import { existsSync, statSync } from "node:fs";
import { readProfiles, readValid } from "../../client/read-files.js";
import { servicePath } from "../../fake/contract/operations.js";
import { mergeProfiles } from "../../fake/contract/profile.js";
import { loadSchemas, type Schemas } from "../../fake/contract/schemas.js";
import type { JsonObject } from "../../foundation/json.js";
import { saveText } from "../../foundation/save-text.js";
import { onInterrupt, print, printFailure } from "../../foundation/terminal.js";
import type { Profile } from "../../generated/types.js";
import type { GivenCommand } from "../../options/given-command.js";
import { tokenVariables } from "../../options/names.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { assertWritable } from "../assert-writable.js";
import { limits } from "./service/budget.js";
import type { Target } from "./service/service-client.js";
import { findDrift } from "./show/drift.js";
import { readableJson } from "./show/readable-json.js";
import { StepProgress } from "./show/verify-progress.js";
import { type DriftReport, driftText, interruptedText, reportText } from "./show/verify-report.js";
import { replacedIn, withEarlier } from "./show/write-profile.js";
import type { LearnedProfile, Report } from "./verify-findings.js";
import { verifyService } from "./verify-service.js";

type TextFlag = "against" | "apiToken" | "secondApiToken" | "sample" | "out";
export type VerifyFlags = Partial<Record<TextFlag, string> & Record<"yes" | "json", boolean>> & {
  readonly expect?: readonly string[];
};

/**
 * Exit codes: 0, or 1 if a documented fact is broken. With --expect: 0, or 1 if something has changed. 2 if it could not
 * run, or a question stayed unanswered. 129, 130 or 143 after a signal.
 */
export async function verify(_: GivenCommand, flags: VerifyFlags): Promise<number> {
  try {
    const target = readTarget(flags, await loadSchemas());
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
  readonly earlier: Profile;
}

async function run(
  target: Target,
  flags: VerifyFlags,
  { expected, earlier }: GivenProfiles,
): Promise<number> {
  const interruption = new AbortController();
  const { signal } = interruption;
  let signalCode = 0;
  onInterrupt((code) => {
    signalCode = code;
    interruption.abort();
  });
  const progress = new StepProgress();
  const report = await verifyService(target, { progress, signal }).finally(() => progress.clear());
  const endInterrupted = () => {
    print(flags.json ? readableJson({ interrupted: true, ...findingsOf(report) }) : interruptedText(report));
    return signalCode;
  };
  const { learned } = report;
  if (learned === undefined) return endInterrupted();
  const changes = expected && (await findDrift(expected, report, learned));
  // A signal can also come while the profiles are compared.
  if (signal.aborted) return endInterrupted();
  const drift = changes && { files: flags.expect ?? [], changes };
  print(flags.json ? readableJson(resultOf(report, learned, drift)) : shownText(report, learned, drift));
  if (flags.out !== undefined) await write(flags.out, earlier, report, learned);
  return signal.aborted ? signalCode : codeOf(report, drift);
}

function shownText(report: Report, learned: LearnedProfile, drift: DriftReport | undefined): string {
  return drift === undefined ? reportText(report, learned) : driftText(report, learned, drift);
}

function codeOf({ facts, unanswered }: Report, drift: DriftReport | undefined): number {
  const isBroken = facts.some(({ verdict }) => verdict === "broken");
  const isWrong = drift === undefined ? isBroken : drift.changes.length > 0;
  if (isWrong) return 1;
  return unanswered.length === 0 ? 0 : 2;
}

/** What `--json` prints of a run, whether it was interrupted or not. */
function findingsOf({ against, prefix, requests, groups, facts, assumptions }: Report): object {
  return { against, prefix, requests, groups, facts, assumptions };
}

function resultOf(
  report: Report,
  { profile, further, replay }: LearnedProfile,
  drift: DriftReport | undefined,
): object {
  const result = { ...findingsOf(report), profile, further, replay };
  return drift === undefined ? result : { ...result, drift: drift.changes };
}

async function write(out: string, earlier: Profile, report: Report, learned: LearnedProfile): Promise<void> {
  const profile = withEarlier(earlier, report, learned);
  for (const line of replacedIn(earlier, profile, report)) process.stderr.write(`${out}: ${line}\n`);
  await saveText(out, [`${readableJson(profile)}\n`]);
  process.stderr.write(`${out}: written\n`);
}

async function readExpected(files: readonly string[]): Promise<Profile | undefined> {
  if (files.length === 0) return undefined;
  const sources = await readProfiles(files);
  const expected = mergeProfiles(sources.map(({ profile }) => profile));
  // Without anything to compare with, the check could never fail.
  if (!expected.assume && !expected.responses && !expected.accepts)
    rejectFlag(
      `--expect ${files[0]} has no accepts, assume or responses. Write it with verify --out ${files[0]}.`,
    );
  return expected;
}

async function readEarlier(out: string | undefined): Promise<Profile> {
  if (out === undefined || !existsSync(out)) return {};
  // To read a pipe such as /dev/stdout could take forever.
  if (!statSync(out).isFile())
    rejectFlag(`--out ${out} is not a regular file. verify reads the file before it replaces it.`);
  const [source] = await readProfiles([out]);
  return source?.profile ?? {};
}

function readTarget(flags: VerifyFlags, schemas: Schemas): Target {
  const { against = "", sample } = flags;
  // `localhost:4010` is a URL too, of the scheme `localhost:`. The message must not repeat a password.
  const isUrl = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(against) && URL.canParse(against);
  const baseUrl = against.replace(/\/+$/, "");
  if (!isUrl || baseUrl.endsWith(servicePath))
    rejectFlag(`Pass --against https://service.example, with scheme and without ${servicePath}, ?, # and @`);
  // A pipeline sets the variable to an empty text if it does not have the secret.
  const find = (name: keyof typeof tokenVariables) => flags[name] ?? process.env[tokenVariables[name]] ?? "";
  const apiToken = find("apiToken");
  const secondApiToken = find("secondApiToken");
  if (apiToken === "")
    rejectFlag(`verify needs an API token. Set ${tokenVariables.apiToken}, or pass --api-token <token>.`);
  // The message must not repeat the token.
  if (/[^!-~]/.test(apiToken + secondApiToken))
    rejectFlag("An API token must consist of printable ASCII characters without spaces.");
  const problemsIn = (value: unknown) => schemas.shippedProblems("get-or-create.request.json", value);
  const invalid = "Invalid --sample, which must be a body of get-or-create:";
  return {
    baseUrl,
    apiToken,
    ...(secondApiToken !== "" && { secondApiToken }),
    ...(sample !== undefined && {
      sample: readValid(sample, problemsIn, "invalid_option", invalid) as JsonObject,
    }),
  };
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${baseUrl}: it sends at most ${limits.requests} requests, which create at most ${limits.groups} user groups and rotate some of their tokens.`,
    'Their ids, and most of their names, begin with "ugm-" and six more characters, which are printed before the first request. Some ids are in upper case, and some are 15-digit numbers.',
    `The groups belong to ${secondApiToken === undefined ? "the team of the API token" : "the teams of both API tokens"}.`,
    "It does not change other groups. It cannot delete its own groups: the service has no such operation.",
    "Add --yes to start.",
  ].join("\n");
}
