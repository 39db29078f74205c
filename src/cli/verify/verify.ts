import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Target } from "../../conformance/ask.js";
import { checkCount, type Report, verifyService, type Watch } from "../../conformance/verify-service.js";
import { fieldOf, parseJson } from "../../foundation/json.js";
import { MockError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import type { FlagsOf } from "../commands.js";
import { Progress } from "../progress.js";
import { refuseFlag } from "../refuse-flag.js";
import type { GivenCommand } from "../run-command.js";
import { onInterrupt } from "../signals.js";
import { print, printFailure, warn } from "../terminal.js";
import { driftOf, type Expected, readExpected } from "./verify-drift.js";
import { quoted, reportJson, reportTable, unansweredIds } from "./verify-report.js";
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
  const watch: Watch = {
    begin: (step) => progress.begin(`${step}:`),
    done: (step, result) => progress.done(`${step}:`, result),
    wait: (ms, why) => progress.note(`waiting ${Math.ceil(ms / 100) / 10} s: ${quoted(why)}`),
  };
  const stopping = new AbortController();
  let interrupted: number | undefined;
  onInterrupt((exitCode) => {
    interrupted = exitCode;
    stopping.abort();
  });
  const report = await verifyService(target, { watch, rate, signal: stopping.signal })
    .catch((error: unknown) => {
      // It may quote the service.
      throw error instanceof MockError ? new MockError(error.code, quoted(error.message)) : error;
    })
    .finally(() => progress.clear());
  print(json ? reportJson(report, expected) : reportTable(report, expected));
  if (interrupted !== undefined) {
    if (out !== undefined) warn(`${out} is not written: not all values are known.`);
    return interrupted;
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

/** Writes the values for `--assume-file`. Does not replace a value that was found earlier by none. */
function saveValues(file: string, report: Report): void {
  const missing = unansweredIds(report);
  const earlier = missing.length > 0 && existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
  const kept = missing.filter((id) => fieldOf(earlier, id) !== undefined);
  if (kept.length > 0) {
    warn(`${file} is not written: it has ${kept.join(", ")}, and now there was no usable response.`);
    return;
  }
  if (missing.length > 0) warn(`${file} is written without ${missing.join(", ")}: no usable response.`);
  const found = report.assumptions.filter(({ value }) => value !== null).map(({ id, value }) => [id, value]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(found), undefined, 2)}\n`);
}

function readTarget(flags: FlagsOf<"verify">): Target {
  const { against } = flags;
  if (against === undefined || !isHttp(against))
    refuseFlag("verify needs the base URL of the service: --against https://service.example");
  // Not repeated: a password does not belong into logs.
  if (new URL(against).username + new URL(against).password !== "")
    refuseFlag("verify needs a base URL without a user name and a password before the @");
  return { baseUrl: against, ...verifyTokens(flags, process.env) };
}

/** One request in about a quarter of an hour. A timer of Node cannot wait much longer than three weeks. */
const minRate = 0.001;

function readRate(text: string): number {
  const rate = Number(text);
  if (rate >= minRate && Number.isFinite(rate)) return rate;
  const least = `at least ${minRate}`;
  refuseFlag(`--rate must be a number of requests per second, ${least}, not ${JSON.stringify(text)}`);
}

/** `localhost:4010` is a valid URL too: its scheme is `localhost:`. */
function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${printable(baseUrl)}: it creates about 30 user groups and rotates some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-"; one id is a 16-digit number, if the service accepts numbers.',
    secondApiToken === undefined
      ? "All of them belong to the team of the API token."
      : "Some of them belong to the team of the second API token.",
    "If a request gets no usable response, verify tries again with new groups.",
    "It does not change other groups. It cannot delete its own groups: the service has no call for that.",
    "Add --yes to do it.",
  ].join("\n");
}
