import type { SituationId } from "../contract/situations.js";
import type { Decisions } from "./decisions.js";
import type { GroupStore } from "./group-store.js";
import { type Rejection, rejectIn } from "./result.js";
import type { Seed } from "./seed.js";

/** The team of the API token in the Authorization header, or why the header is rejected. */
export function authenticate(
  header: string | undefined,
  groups: GroupStore,
  decisions: Decisions,
): number | Rejection {
  const { seed } = groups;
  // What most clients send. Without this, it would take 1 µs more.
  const usual = header?.startsWith("Token ") ? seed.apiTokens.get(header.slice(6)) : undefined;
  if (usual !== undefined) return usual;
  const wrongHeader = headerSituation(header);
  if (wrongHeader !== undefined && decisions.outcome(wrongHeader) === "rejected")
    return unauthorized(wrongHeader, headerProblem(wrongHeader, header), seed);
  const apiToken = header?.split(/\s+/).at(-1) ?? "";
  const team = seed.apiTokens.get(apiToken);
  if (team !== undefined) return team;
  if (decisions.outcome("wrong API token") === "accepted") return seed.firstTeam;
  return unauthorized("wrong API token", tokenProblem(apiToken, groups), seed);
}

/** What is unusual about a header that is not "Token", a space and one word. */
function headerSituation(header: string | undefined): SituationId | undefined {
  if (header === undefined) return "no API token";
  const [, scheme, token] = /^(\S+) (\S+)$/.exec(header) ?? [];
  const [first = ""] = header.split(/\s/);
  const isToken = first.toLowerCase() === "token";
  if (token === undefined) return isToken || first === header ? "API token without scheme" : "other scheme";
  if (!isToken) return "other scheme";
  return scheme === "Token" ? undefined : "scheme in lower case";
}

/** Of the shipped fixture. It is not a secret, as one of the user's own fixtures may be. */
const shippedApiToken = "test-api-token";

function unauthorized(situation: SituationId, problem: string, { apiTokens }: Seed): Rejection {
  const accepted = apiTokens.has(shippedApiToken) ? shippedApiToken : "the API tokens of your fixtures";
  const advice = `Send Authorization: Token <api token>. This mock accepts ${accepted}.`;
  return rejectIn(situation, `${problem}. ${advice}`);
}

/** It does not quote what may be a secret. */
function headerProblem(situation: SituationId, header: string | undefined): string {
  if (header === undefined) return "There is no Authorization header";
  if (situation === "scheme in lower case") {
    const [scheme] = header.split(" ");
    return `The scheme of the Authorization header is "${scheme}", not "Token"`;
  }
  const [, scheme] = /^(Bearer|Basic|Digest)\b/i.exec(header) ?? [];
  if (scheme !== undefined) return `The Authorization header has the scheme ${scheme}, not Token`;
  if (/^token$/i.test(header)) return "The API token is empty";
  if (/^token\s/i.test(header)) return "The API token has white space in it";
  return 'The Authorization header does not begin with "Token "';
}

/** Why no fixture lists an API token, where its text shows it. */
function tokenProblem(apiToken: string, groups: GroupStore): string {
  const { apiTokens } = groups.seed;
  const { group } = groups.withToken(apiToken) ?? {};
  if (group !== undefined)
    return `This is the token of the group ${group.provided_id} of team ${group.team_id}, which belongs in current_token`;
  if (/^(undefined|null)$/.test(apiToken))
    return `The API token is the text "${apiToken}", so the variable that should have it is not set`;
  if (/^["'`]|["'`]$/.test(apiToken)) return "The API token has quotes around it";
  const lower = apiToken.toLowerCase();
  if ([...apiTokens.keys()].some((accepted) => accepted.toLowerCase() === lower))
    return "The API token differs from an accepted one in upper and lower case";
  return "No fixture lists this API token (start with --assume api-tokens=any to accept every token)";
}
