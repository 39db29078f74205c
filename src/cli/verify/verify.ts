import { readFileSync, writeFileSync } from "node:fs";
import type { Target } from "../../conformance/ask.js";
import { checkCount, type Report, verifyService, type Watch } from "../../conformance/verify-service.js";
import { fieldOf, parseJson } from "../../foundation/json.js";
import { MockError } from "../../foundation/mock-error.js";
import { printable } from "../../foundation/printable.js";
import { Progress } from "../progress.js";
import { refuseFlag } from "../refuse-flag.js";
import { onInterrupt } from "../signals.js";
import { print, printFailure, warn } from "../terminal.js";
import { driftOf, type Expected, readExpected } from "./verify-drift.js";
import { foundValues, hideIn, quoted, reportJson, reportTable, unansweredIds } from "./verify-report.js";
import { hideTokens, type TokenFlags, verifyTokens } from "./verify-tokens.js";

export interface VerifyFlags extends TokenFlags {
  readonly against?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly out?: string;
  readonly expect?: string;
  readonly rate?: string;
}

/**
 * `usergroup-mock verify`. Exit codes: 0 if all facts hold, 1 if a fact is broken or an expected value has changed, 2 if
 * verify could not run or something got no usable response, 128 and the number of the signal that ended it.
 */
export async function verify(flags: VerifyFlags): Promise<number> {
  let target: Target;
  let rate: number | undefined;
  let expected: Expected | undefined;
  try {
    target = readTarget(flags);
    if (flags.rate !== undefined) rate = readRate(flags.rate);
    if (flags.expect !== undefined) expected = readExpected(flags.expect);
  } catch (error) {
    printFailure(error);
    return 2;
  }
  if (!flags.yes) {
    print(plan(target));
    return 2;
  }
  const hide = hideTokens(target);
  const shown = new Progress(1 + checkCount);
  const stopping = new AbortController();
  let interrupted: number | undefined;
  onInterrupt((exitCode) => {
    interrupted = exitCode;
    stopping.abort();
  });
  try {
    const watch = watchWith(shown, hide);
    const found = await verifyService(target, { watch, rate, signal: stopping.signal });
    const report = hideIn(found, hide);
    shown.clear();
    print(flags.json ? reportJson(report, expected) : reportTable(report, expected));
    if (interrupted !== undefined) {
      if (flags.out !== undefined) warn(`${flags.out} is not written: not all values are known.`);
      return interrupted;
    }
    if (flags.out !== undefined) saveValues(flags.out, report);
    return exitCodeOf(report, expected);
  } catch (error) {
    shown.clear();
    const quotesService = error instanceof MockError;
    printFailure(quotesService ? new MockError(error.code, quoted(hide(error.message))) : error);
    return 2;
  }
}

function exitCodeOf(report: Report, expected: Expected | undefined): number {
  const has = (wanted: string) => report.facts.some(({ verdict }) => verdict === wanted);
  if (has("broken") || (expected && driftOf(expected, report).length > 0)) return 1;
  // A service may always respond with 500 to a question. A job that does not expect a value for it can still succeed.
  const missing = unansweredIds(report).filter((id) => !expected || Object.hasOwn(expected.values, id));
  return has("not determinable") || missing.length > 0 ? 2 : 0;
}

/** Does not replace a value that was found earlier by none. */
function saveValues(file: string, report: Report): void {
  const missing = unansweredIds(report);
  const earlier = missing.length > 0 ? readEarlier(file) : undefined;
  const kept = missing.filter((id) => fieldOf(earlier, id) !== undefined);
  if (kept.length > 0) {
    warn(`${file} is not written: it has ${kept.join(", ")}, and now there was no usable response.`);
    return;
  }
  if (missing.length > 0) warn(`${file} is written without ${missing.join(", ")}: no usable response.`);
  writeFileSync(file, `${JSON.stringify(foundValues(report), undefined, 2)}\n`);
}

function readEarlier(file: string): unknown {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function watchWith(progress: Progress, hide: (text: string) => string): Watch {
  let since: number | undefined;
  let current = "";
  return {
    begin(step) {
      current = `${step}:`;
      progress.begin(current);
    },
    done(step, result) {
      const now = performance.now();
      // The first call also connects and loads code: it would make the time left far too long.
      progress.done(`${step}:`, result, since && now - since);
      since = now;
    },
    wait(ms, why) {
      progress.clear();
      process.stderr.write(`waiting ${Math.ceil(ms / 100) / 10} s: ${quoted(hide(why))}\n`);
      progress.begin(current);
    },
  };
}

function readTarget(flags: VerifyFlags): Target {
  const { against } = flags;
  if (against === undefined || !isHttp(against))
    refuseFlag("verify needs the base URL of the service: --against https://service.example");
  // Not repeated: a password does not belong into logs.
  if (new URL(against).username + new URL(against).password !== "")
    refuseFlag("verify needs a base URL without a user name and a password before the @");
  return { baseUrl: against, ...verifyTokens(flags, process.env) };
}

function readRate(text: string): number {
  const rate = Number(text);
  if (rate > 0 && Number.isFinite(rate)) return rate;
  refuseFlag(`--rate must be a positive number of requests per second, not ${JSON.stringify(text)}`);
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
