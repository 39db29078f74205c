import { writeFileSync } from "node:fs";
import type { Target } from "../conformance/ask.js";
import { checkCount, verifyService, type Watch } from "../conformance/verify-service.js";
import { MockError } from "../foundation/mock-error.js";
import { printable } from "../foundation/printable.js";
import { onInterrupt } from "./on-interrupt.js";
import { type Progress, print, printFailure, progress, warn } from "./terminal.js";
import { driftOf, type Expected, readExpected } from "./verify-drift.js";
import { foundValues, hideIn, quoted, reportJson, reportTable } from "./verify-report.js";
import { hideTokens, type TokenFlags, verifyTokens } from "./verify-tokens.js";

export interface VerifyFlags extends TokenFlags {
  readonly against?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly out?: string;
  readonly expect?: string;
}

/**
 * `usergroup-mock verify`. Exit codes: 0 if all facts hold, 1 if a fact is broken or an expected value has changed, 2 if
 * verify could not run, 128 and the number of the signal that ended it.
 */
export async function verify(flags: VerifyFlags): Promise<number> {
  let target: Target;
  let expected: Expected | undefined;
  try {
    target = readTarget(flags);
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
  const shown = progress(1 + checkCount);
  const stopping = new AbortController();
  let interrupted: number | undefined;
  onInterrupt((exitCode) => {
    interrupted = exitCode;
    stopping.abort();
  });
  try {
    const found = await verifyService(target, { watch: watchWith(shown), signal: stopping.signal });
    const report = hideIn(found, hide);
    shown.clear();
    print(flags.json ? reportJson(report, expected) : reportTable(report, expected));
    if (interrupted !== undefined) {
      if (flags.out !== undefined) warn(`${flags.out} is not written: not all values are known.`);
      return interrupted;
    }
    if (flags.out !== undefined)
      writeFileSync(flags.out, `${JSON.stringify(foundValues(report), undefined, 2)}\n`);
    const isBroken = report.facts.some(({ verdict }) => verdict === "broken");
    return isBroken || (expected && driftOf(expected, report).length > 0) ? 1 : 0;
  } catch (error) {
    shown.clear();
    const quotesService = error instanceof MockError;
    printFailure(quotesService ? new MockError(error.code, quoted(hide(error.message))) : error);
    return 2;
  }
}

function watchWith({ begin, done }: Progress): Watch {
  let since: number | undefined;
  return {
    begin: (step) => begin(`${step}:`),
    done(step, result) {
      const now = performance.now();
      // The first call also connects and loads code: it would make the time left far too long.
      done(`${step}:`, result, since && now - since);
      since = now;
    },
  };
}

function readTarget(flags: VerifyFlags): Target {
  const { against } = flags;
  if (against === undefined || !isHttp(against))
    refuseFlags("verify needs the base URL of the service: --against https://service.example");
  // Not repeated: a password does not belong into logs.
  if (new URL(against).username + new URL(against).password !== "")
    refuseFlags("verify needs a base URL without a user name and a password before the @");
  return { baseUrl: against, ...verifyTokens(flags, process.env) };
}

/** `localhost:4010` is a valid URL too: its scheme is `localhost:`. */
function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function refuseFlags(message: string): never {
  throw new MockError("invalid_option", message);
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${printable(baseUrl)}: it creates about 30 user groups and rotates some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-"; one id is a 16-digit number, if the service accepts numbers.',
    secondApiToken === undefined
      ? "All of them belong to the team of the API token."
      : "Some of them belong to the team of the second API token.",
    "It does not change other groups. It cannot delete its own groups: the service has no call for that.",
    "Add --yes to do it.",
  ].join("\n");
}
