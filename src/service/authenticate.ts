import type { GroupStore } from "../store/group-store.js";
import type { Decisions } from "./decisions.js";
import type { Failure } from "./failures.js";

const advice = "Send Authorization: Token <api token>, with an API token that the fixtures list";

/** The team of the API token in the Authorization header, or why the header is rejected. */
export function authenticate(
  header: string | undefined,
  groups: Pick<GroupStore, "teamOf" | "firstTeam">,
  decisions: Decisions,
): number | Failure {
  if (header === undefined) return unauthorized(`There is no Authorization header. ${advice}.`);
  const [, scheme = "", apiToken = ""] = /^(\S+) (\S+)$/.exec(header) ?? [];
  if (scheme !== "Token") {
    if (scheme.toLowerCase() !== "token") {
      return unauthorized(`The Authorization header is not of the form "Token <api token>". ${advice}.`);
    }
    if (decisions.decide("auth-scheme") === "exact") {
      return unauthorized(`The scheme of the Authorization header is "${scheme}", not "Token". ${advice}.`);
    }
  }
  const team = groups.teamOf(apiToken);
  if (team !== undefined) return team;
  if (decisions.decide("api-tokens") === "any") return groups.firstTeam;
  return unauthorized(`No fixture lists this API token. ${advice}, or start with --assume api-tokens=any.`);
}

function unauthorized(message: string): Failure {
  return { code: "unauthorized", message };
}
