import { writeFileSync } from "node:fs";
import type { Target } from "../conformance/ask.js";
import { type Report, verifyService } from "../conformance/verify-service.js";
import { MockError } from "../foundation/mock-error.js";
import { flagName } from "./options-from.js";
import { columns, print, printFailure } from "./terminal.js";
import { type TokenFlags, verifyTokens } from "./verify-tokens.js";

export interface VerifyFlags extends TokenFlags {
  readonly against?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly out?: string;
}

/** `usergroup-mock verify`. Exit codes: 0 if all facts hold, 1 if a fact is broken, 2 if verify could not run. */
export async function verify(flags: VerifyFlags): Promise<number> {
  try {
    const target = readTarget(flags);
    if (!flags.yes) {
      print(plan(target));
      return 2;
    }
    const report = await verifyService(target);
    print(flags.json ? JSON.stringify(report, undefined, 2) : reportTable(report));
    if (flags.out !== undefined)
      writeFileSync(flags.out, `${JSON.stringify(foundValues(report), undefined, 2)}\n`);
    return report.facts.some(({ verdict }) => verdict === "broken") ? 1 : 0;
  } catch (error) {
    printFailure(error);
    return 2;
  }
}

function readTarget(flags: VerifyFlags): Target {
  for (const [name, value] of Object.entries(flags)) {
    if (Array.isArray(value)) refuseFlags(`${flagName(name)} can be passed only once`);
  }
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
    `verify writes to ${baseUrl}: it creates about 30 user groups and rotates some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-"; one id is a 16-digit number, if the service accepts numbers.',
    secondApiToken === undefined
      ? "All of them belong to the team of the API token."
      : "Some of them belong to the team of the second API token.",
    "It does not change other groups. It cannot delete its own groups: the service has no call for that.",
    "Add --yes to do it.",
  ].join("\n");
}

/** The content of the `--out` file, for `--assume-file`. */
function foundValues({ assumptions }: Report): Record<string, string> {
  return Object.fromEntries(assumptions.flatMap(({ id, value }) => (value === null ? [] : [[id, value]])));
}

function reportTable({ against, prefix, facts, assumptions }: Report): string {
  const factLines = facts.map(({ fact, verdict, detail }) =>
    verdict === "holds" ? `  holds   ${fact}` : `  BROKEN  ${fact}: ${detail}`,
  );
  const questionLines = assumptions.map(({ id, value, default: assumed, why }) => {
    const found = value === null ? "not determinable" : value;
    const remark =
      value === null ? why : value === assumed ? "as the fake assumes" : `the fake assumes ${assumed}`;
    return [id, found, remark ?? ""];
  });
  const broken = facts.filter(({ verdict }) => verdict === "broken").length;
  const differing = assumptions.filter(
    ({ value, default: assumed }) => value !== null && value !== assumed,
  ).length;
  const open = assumptions.filter(({ value }) => value === null).length;
  return [
    `Asked ${against} (groups ${prefix}-…)`,
    "",
    "Documented facts",
    ...factLines,
    "",
    "Open questions",
    ...columns(questionLines),
    "",
    `${facts.length - broken} of ${facts.length} facts hold. ${differing} of ${assumptions.length} assumptions differ from` +
      ` the fake's defaults, ${open} could not be determined.`,
  ].join("\n");
}
