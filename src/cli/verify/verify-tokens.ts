import { readFileSync } from "node:fs";
import type { Target } from "../../conformance/ask.js";
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
      `verify needs an API token of the service: set ${tokenVariables.apiToken}, or pass --api-token-file <file> or` +
        " --api-token <token>",
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
  const [flag, fileFlag] = [flagName(name), flagName(`${name}File`)];
  const { [name]: given, [`${name}File` as const]: file } = flags;
  if (given !== undefined && file !== undefined) refuseFlag(`Pass ${flag} or ${fileFlag}, not both`);
  if (given === "") refuseFlag(`${flag} is empty`);
  if (given !== undefined) return checkToken(given, `of ${flag}`);
  if (file !== undefined) return checkToken(readTokenFile(file, fileFlag), `in the file of ${fileFlag}`);
  const variable = tokenVariables[name];
  // A pipeline sets an empty variable when it does not have the secret.
  return env[variable] ? checkToken(env[variable], `in ${variable}`) : undefined;
}

/** Does not show the name of the file either: it is the token, when somebody confuses the two flags. */
function readTokenFile(file: string, flag: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    refuseFlag(`The file of ${flag} cannot be read (${asError(error).code}). It must hold the token alone`);
  }
  const token = text.replace(/^\uFEFF/, "").replace(/\r?\n$/, "");
  if (token === "") refuseFlag(`The file of ${flag} is empty`);
  if (/[\r\n]/.test(token)) refuseFlag(`The file of ${flag} has several lines. It must hold the token alone`);
  return token;
}

function checkToken(token: string, place: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  refuseFlag(
    `The token ${place} must be printable ASCII characters without spaces, as it travels in a header`,
  );
}
