import { readValid } from "../../client/read-files.js";
import { version } from "../../client/version.js";
import { servicePath } from "../../fake/contract/operations.js";
import { loadSchemas } from "../../fake/contract/schemas.js";
import type { JsonObject } from "../../foundation/json.js";
import { tokenVariables } from "../../options/names.js";
import { rejectFlag } from "../../options/reject-flag.js";
import type { Target } from "./service/exchanges.js";

export interface TargetFlags {
  readonly against?: string;
  readonly apiToken?: string;
  readonly secondApiToken?: string;
  readonly sample?: string;
  readonly header?: readonly string[];
}

/** What HTTP clients send by themselves: some services choose the type of a response by it. */
const usualHeaders = { Accept: "*/*", "User-Agent": `usergroup-mock/${version}` };

/** verify sends these itself. */
const reservedHeaders = /^(authorization|host|content-type|content-length|transfer-encoding|connection)$/i;

export async function readTarget(flags: TargetFlags): Promise<Target> {
  const apiToken = findToken("apiToken", flags);
  const secondApiToken = findToken("secondApiToken", flags);
  if (apiToken === "")
    rejectFlag(`verify needs an API token. Set ${tokenVariables.apiToken}, or pass --api-token <token>.`);
  // The message must not repeat the token.
  if (/[^!-~]/.test(apiToken + secondApiToken))
    rejectFlag("An API token must consist of printable ASCII characters without spaces.");
  return {
    baseUrl: readUrl(flags.against ?? ""),
    apiToken,
    headers: readHeaders(flags.header ?? []),
    ...(secondApiToken !== "" && { secondApiToken }),
    ...(flags.sample !== undefined && { sample: await readSample(flags.sample) }),
  };
}

/** A pipeline sets the variable to an empty text if it does not have the secret. */
function findToken(name: keyof typeof tokenVariables, flags: TargetFlags): string {
  return flags[name] ?? process.env[tokenVariables[name]] ?? "";
}

function readUrl(against: string): string {
  // `localhost:4010` is a URL too, of the scheme `localhost:`. The message must not repeat a password.
  const isUrl = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(against) && URL.canParse(against);
  const baseUrl = against.replace(/\/+$/, "");
  if (!isUrl || baseUrl.endsWith(servicePath))
    rejectFlag(`Pass --against https://service.example, with scheme and without ${servicePath}, ?, # and @`);
  return baseUrl;
}

/** The message must not repeat the value of a header. */
function readHeaders(given: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = { ...usualHeaders };
  for (const line of given) {
    const { name = "", value = "" } = /^(?<name>[^:]*):\s*(?<value>.*?)\s*$/s.exec(line)?.groups ?? {};
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || value === "" || !/^[\t\x20-\x7e]*$/.test(value))
      rejectFlag(`Pass --header "Name: value", with printable ASCII characters`);
    if (reservedHeaders.test(name)) rejectFlag(`--header cannot set ${name}: verify sends it itself`);
    const usual = Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase());
    headers[usual ?? name] = value;
  }
  return headers;
}

async function readSample(sample: string): Promise<JsonObject> {
  const schemas = await loadSchemas();
  const problemsIn = (value: unknown) => schemas.shippedProblems("get-or-create.request.json", value);
  const invalid = "Invalid --sample, which must be a body of get-or-create:";
  // The schema has just validated it.
  return readValid(sample, problemsIn, "invalid_option", invalid) as JsonObject;
}
