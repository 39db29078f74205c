import { existsSync, writeFileSync } from "node:fs";
import { readProfiles, readValid } from "../../client/read-files.js";
import { servicePath } from "../../fake/contract/operations.js";
import { loadSchemas, type Schemas } from "../../fake/contract/schemas.js";
import { print, printFailure } from "../../foundation/terminal.js";
import type { GivenCommand } from "../../options/given-command.js";
import { tokenVariables } from "../../options/names.js";
import { rejectFlag } from "../../options/reject-flag.js";
import { Progress } from "../progress.js";
import { keepUnobserved } from "./learn-profile.js";
import type { Target } from "./service-client.js";
import { findDrift, reportTable } from "./verify-report.js";
import { verifyService } from "./verify-service.js";

type TextFlag = "against" | "apiToken" | "secondApiToken" | "sample" | "out" | "expect";
export type VerifyFlags = Partial<Record<TextFlag, string> & Record<"yes" | "json", boolean>>;

/** Exit codes: 0 if all facts hold, 1 if one is broken or something changed, 2 if it could not run or got no response. */
export async function verify(_: GivenCommand, flags: VerifyFlags): Promise<number> {
  const { expect, out, json } = flags;
  try {
    const schemas = await loadSchemas();
    const target = readTarget(flags, schemas);
    const expected = expect === undefined ? undefined : (await readProfiles([expect]))[0]?.profile;
    // Without anything to compare with, the check could never fail.
    if (expected && !expected.assume && !expected.responses)
      rejectFlag(`--expect ${expect} has no assume and no responses. Write it with verify --out ${expect}.`);
    const earlier = out !== undefined && existsSync(out) ? (await readProfiles([out]))[0]?.profile : {};
    if (!flags.yes) {
      print(plan(target));
      return 2;
    }
    const progress = new Progress();
    const report = await verifyService(target, { progress }).finally(() => progress.clear());
    const drift = expected && (await findDrift(expected, report));
    const { run, isAnswered, ...shown } = { ...report, ...(drift && { drift }) };
    print(json ? JSON.stringify(shown, undefined, 2) : reportTable(report, expect, drift));
    const merged = keepUnobserved(earlier ?? {}, report.profile, run.responses);
    if (out !== undefined) writeFileSync(out, `${JSON.stringify(merged, undefined, 2)}\n`);
    if (report.facts.some(({ verdict }) => verdict === "broken") || drift?.length) return 1;
    return isAnswered ? 0 : 2;
  } catch (error) {
    printFailure(error);
    return 2;
  }
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
  const [apiToken, secondApiToken] = [find("apiToken"), find("secondApiToken")];
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
    ...(sample !== undefined && { sample: Object(readValid(sample, problemsIn, "invalid_option", invalid)) }),
  };
}

function plan({ baseUrl, secondApiToken }: Target): string {
  return [
    `verify writes to ${baseUrl}: it sends at most 90 requests, which create at most 30 user groups and rotate some of their tokens.`,
    'Their ids begin with "usergroup-mock-verify-", in upper case for one of them. One id may be a 16-digit number.',
    `The groups belong to ${secondApiToken === undefined ? "the team of the API token" : "the teams of both API tokens"}.`,
    "It does not change other groups. It cannot delete its own groups: the service has no such operation.",
    "Add --yes to start.",
  ].join("\n");
}
