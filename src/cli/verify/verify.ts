import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Target } from "../../conformance/service-client.js";
import { checkCount, type Report, verifyService } from "../../conformance/verify-service.js";
import { fieldOf, parseJson } from "../../foundation/json.js";
import { asError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import { readAssumptionFile } from "../../options/read-option.js";
import type { FlagsOf } from "../commands.js";
import { Progress } from "../progress.js";
import { refuseFlag } from "../refuse-flag.js";
import type { GivenCommand } from "../run-command.js";
import { onInterrupt } from "../signals.js";
import { print, printFailure, warn } from "../terminal.js";
import { driftOf, type Expected, reportJson, reportTable, shorten, unansweredIds } from "./verify-report.js";
import { verifyTokens } from "./verify-tokens.js";

/**
 * `usergroup-mock verify`. Exit codes: 0 if all facts hold, 1 if a fact is broken or an expected value has changed, 2 if
 * verify could not run or something got no usable response, 128 and the number of the signal that ended it.
 */
export async function verify(_: GivenCommand, flags: FlagsOf<"verify">): Promise<number> {
  try {
    const target = readTarget(flags);
    const rate = flags.rate === undefined ? undefined : readRate(flags.rate);
    const expected = flags.expect === undefined ? undefined : readExpected(flags.expect);
    if (flags.yes) return await verifyTarget(target, rate, expected, flags);
    print(plan(target));
  } catch (error) {
    printFailure(error);
  }
  return 2;
}

async function verifyTarget(
  target: Target,
  rate: number | undefined,
  expected: Expected | undefined,
  { json, out }: FlagsOf<"verify">,
): Promise<number> {
  const progress = new Progress(1 + checkCount);
  const stopping = new AbortController();
  onInterrupt((exitCode) => stopping.abort(exitCode));
  const report = await verifyService(target, {
    watch: {
      begin: (step) => progress.begin(`${step}:`),
      done: (step, result) => progress.done(`${step}:`, result),
      wait: (ms, why) => progress.note(`waiting ${Math.ceil(ms / 100) / 10} s: ${shorten(why)}`),
    },
    rate,
    signal: stopping.signal,
  }).finally(() => progress.clear());
  print(json ? reportJson(report, expected) : reportTable(report, expected));
  if (stopping.signal.aborted) {
    if (out !== undefined) warn(`${out} was not written: verify was interrupted.`);
    return stopping.signal.reason;
  }
  if (out !== undefined) saveValues(out, report);
  return exitCodeOf(report, expected);
}

function exitCodeOf(report: Report, expected: Expected | undefined): number {
  const has = (wanted: string) => report.facts.some(({ verdict }) => verdict === wanted);
  if (has("broken") || (expected && driftOf(expected, report).length > 0)) return 1;
  // A service may always respond with 500 to a question. A job that does not expect a value for it can still succeed.
  const missing = unansweredIds(report).filter((id) => !expected || Object.hasOwn(expected.values, id));
  return has("not determinable") || missing.length > 0 ? 2 : 0;
}

/** Writes the values for `--assume-file`. Keeps a file that has a value for a question without a usable response. */
function saveValues(file: string, report: Report): void {
  const missing = unansweredIds(report);
  const earlier = missing.length > 0 && existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
  const kept = missing.filter((id) => fieldOf(earlier, id) !== undefined);
  if (kept.length > 0) {
    warn(
      `${file} was not overwritten, to keep its values for ${kept.join(", ")}: there was no usable response.`,
    );
    return;
  }
  if (missing.length > 0)
    warn(`${file} was written without ${missing.join(", ")}: there was no usable response.`);
  const found = report.assumptions.filter(({ value }) => value !== null).map(({ id, value }) => [id, value]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(found), undefined, 2)}\n`);
}

function readTarget(flags: FlagsOf<"verify">): Target {
  const { against = "" } = flags;
  // `localhost:4010` is a valid URL too: its scheme is `localhost:`.
  if (!/^https?:\/\//i.test(against) || !URL.canParse(against))
    refuseFlag("verify needs the base URL of the service: --against https://service.example.");
  const { username, password } = new URL(against);
  // The message must not repeat the password.
  if (username + password !== "") refuseFlag("--against must be a URL without a user name or password.");
  return { baseUrl: against, ...verifyTokens(flags, process.env) };
}

/** Reads a file that `--out` wrote. */
function readExpected(file: string): Expected {
  let values: Expected["values"];
  try {
    values = readAssumptionFile(file);
  } catch (error) {
    refuseFlag(`--expect ${asError(error).message}`);
  }
  // Without values, the check could never fail.
  if (Object.keys(values).length === 0) refuseFlag(`--expect ${file} has no values.`);
  return { file, values };
}

/** The smallest rate is one request in about a quarter of an hour. */
function readRate(text: string): number {
  const rate = Number(text);
  if (rate >= 0.001 && rate <= 1000) return rate;
  refuseFlag(`--rate must be a number from 0.001 to 1000 (given: ${JSON.stringify(text)})`);
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${printable(baseUrl)}: it creates about 30 user groups and rotates some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-"; one id is a 16-digit number, if the service accepts numbers.',
    secondApiToken === undefined
      ? "All of them belong to the team of the API token."
      : "Some of them belong to the team of the second API token.",
    "If a request gets no usable response, verify tries again with new groups.",
    "It does not change other groups. It cannot delete its own groups: the service has no such operation.",
    "Add --yes to start.",
  ].join("\n");
}
