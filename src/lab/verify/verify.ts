import { existsSync, writeFileSync } from "node:fs";
import { tokenVariables } from "../../options/names.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { configFile, resolveOptions } from "../../options/resolve-options.js";
import { Progress } from "../progress.js";
import type { GivenCommand } from "../run-command.js";
import { print, printFailure } from "../terminal.js";
import type { Target } from "./service-client.js";
import { type Expected, findDrift, reportTable } from "./verify-report.js";
import { checkCount, type Report, verifyService } from "./verify-service.js";

export interface VerifyFlags {
  readonly against?: string;
  readonly apiToken?: string;
  readonly secondApiToken?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly out?: string;
  readonly expect?: string;
}

/**
 * `usergroup-mock verify`. Exit codes: 0 if all facts hold, 1 if a fact is broken or an expected value has changed, 2 if
 * verify could not run or something got no usable response.
 */
export async function verify(_: GivenCommand, flags: VerifyFlags): Promise<number> {
  const { expect, out, yes } = flags;
  try {
    const target = readTarget(flags);
    const expected = expect === undefined ? undefined : { file: expect, ...(await readConfig(expect)) };
    // Without a value, the check could never fail.
    if (expected && Object.keys(expected.assume).length === 0)
      rejectFlag(`--expect ${expect} has no assume. Write it with verify --out ${expect}.`);
    const config = out !== undefined && existsSync(out) ? await readConfig(out) : { assume: {} };
    if (yes) return await verifyTarget(target, expected, config, flags);
    print(plan(target));
  } catch (error) {
    printFailure(error);
  }
  return 2;
}

/** A config file with everything in it. Throws if it is not valid. */
async function readConfig(file: string): Promise<Pick<Expected, "assume">> {
  const source = configFile(file);
  const { assume } = await resolveOptions([source], "server");
  return { ...source.options, assume };
}

async function verifyTarget(
  target: Target,
  expected: Expected | undefined,
  config: Pick<Expected, "assume">,
  { json, out }: VerifyFlags,
): Promise<number> {
  const progress = new Progress(false);
  progress.expect(1 + checkCount);
  const report = await verifyService(target, {
    onBegin: (step) => progress.begin(`${step}:`),
    onDone: (step, result) => progress.done(`${step}:`, result),
  }).finally(() => progress.clear());
  const drift = expected && findDrift(expected, report);
  const whole = { ...report, ...(drift && { drift }) };
  print(json ? JSON.stringify(whole, undefined, 2) : reportTable(report, expected));
  if (out !== undefined) saveValues(out, config, report);
  const has = (wanted: string) => report.facts.some(({ verdict }) => verdict === wanted);
  if (has("broken") || (drift ?? []).length > 0) return 1;
  // A service may always respond with 500 to a question. A job that does not expect a value for it can still succeed.
  const isMissing = report.assumptions.some(
    ({ id, unanswered }) => unanswered && (!expected || Object.hasOwn(expected.assume, id)),
  );
  return has("not determinable") || isMissing ? 2 : 0;
}

/** Writes the values that were found to a config file. Everything else in it stays. */
function saveValues(file: string, config: Pick<Expected, "assume">, { assumptions }: Report): void {
  const found = assumptions.filter(({ value }) => value !== null).map(({ id, value }) => [id, value]);
  const assume = { ...config.assume, ...Object.fromEntries(found) };
  writeFileSync(file, `${JSON.stringify({ ...config, assume }, undefined, 2)}\n`);
}

function readTarget(flags: VerifyFlags): Target {
  const { against = "" } = flags;
  // `localhost:4010` is a valid URL too: its scheme is `localhost:`.
  if (!/^https?:\/\//i.test(against) || !URL.canParse(against))
    rejectFlag("verify needs the base URL of the service: --against https://service.example.");
  const { username, password } = new URL(against);
  // The message must not repeat the password.
  if (username + password !== "") rejectFlag("--against must be a URL without a user name or password.");
  // A pipeline sets the variable to an empty text if it does not have the secret.
  const find = (name: keyof typeof tokenVariables) => flags[name] ?? process.env[tokenVariables[name]] ?? "";
  const [apiToken, secondApiToken] = [find("apiToken"), find("secondApiToken")];
  if (apiToken === "")
    rejectFlag(
      `verify needs an API token of the service. Set ${tokenVariables.apiToken}, or pass --api-token <token>.`,
    );
  // The message must not repeat the token.
  if (/[^!-~]/.test(apiToken + secondApiToken))
    rejectFlag("An API token must consist of printable ASCII characters without spaces.");
  return { baseUrl: against, apiToken, ...(secondApiToken !== "" && { secondApiToken }) };
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${baseUrl}: it creates about 30 user groups and rotates some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-"; one id is a 16-digit number, if the service accepts numbers.',
    secondApiToken === undefined
      ? "All of them belong to the team of the API token."
      : "Some of them belong to the team of the second API token.",
    "It does not change other groups. It cannot delete its own groups: the service has no such operation.",
    "Add --yes to start.",
  ].join("\n");
}
