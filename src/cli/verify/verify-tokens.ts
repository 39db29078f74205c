import { readFileSync } from "node:fs";
import type { Target } from "../../conformance/service-client.js";
import { asError } from "../../foundation/mock-error.js";
import type { FlagsOf } from "../commands.js";
import { flagName, tokenVariables } from "../names.js";
import { refuseFlag } from "../refuse-flag.js";

/** The API tokens for `verify`. They may be those of a production service, so no message repeats them. */
export function verifyTokens(flags: FlagsOf<"verify">, env: NodeJS.ProcessEnv): Omit<Target, "baseUrl"> {
  const apiToken = findToken("apiToken", flags, env);
  const secondApiToken = findToken("secondApiToken", flags, env);
  if (apiToken === undefined) {
    refuseFlag(
      `verify needs an API token of the service. Set ${tokenVariables.apiToken}, or pass --api-token-file <file>.`,
    );
  }
  return { apiToken, ...(secondApiToken !== undefined && { secondApiToken }) };
}

/** The flag wins, then the file, then the environment. */
function findToken(
  name: keyof typeof tokenVariables,
  flags: FlagsOf<"verify">,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { [name]: given, [`${name}File` as const]: file } = flags;
  if (given !== undefined) return checkToken(given, flagName(name));
  const fileFlag = flagName(`${name}File`);
  if (file !== undefined) return checkToken(readTokenFile(file, fileFlag), `The file of ${fileFlag}`);
  const variable = tokenVariables[name];
  // A pipeline sets an empty variable when it does not have the secret.
  return env[variable] ? checkToken(env[variable], variable) : undefined;
}

/** Does not show the name of the file either: it is the token if the user confuses the two flags. */
function readTokenFile(file: string, flag: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    refuseFlag(`The file of ${flag} cannot be read (${asError(error).code})`);
  }
}

function checkToken(token: string, place: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  refuseFlag(`${place} must contain exactly one token: printable ASCII characters without spaces`);
}
