import type { GroupClient } from "../service/group-client.js";
import type { AskQuestion, AssumptionQuestions } from "./behaviour-questions.js";

/** Questions whose requests have no API token, or a wrong one. They come last and are asked once: an account may be locked. */
export const wrongApiTokenQuestions = {
  "no API token": askWithoutApiToken,
  "auth-scheme": async (client) =>
    (await client.lookUp({}, { scheme: "token" })).isSuccess ? "any-case" : "exact",
  "another scheme": (client) => client.lookUp({}, { scheme: "Bearer", apiToken: client.groups.newId() }),
  "api-tokens": async (client) =>
    (await client.lookUp({}, { apiToken: client.groups.newId() })).isSuccess ? "any" : "listed",
} satisfies Readonly<Record<string, AskQuestion>> & AssumptionQuestions<"auth-scheme" | "api-tokens">;

/** Returns what is wrong if a request succeeds, and undefined otherwise. */
async function askWithoutApiToken(client: GroupClient): Promise<string | undefined> {
  const found = await client.lookUp({}, { apiToken: null });
  if (found.isSuccess) return "get-or-create succeeded without it";
  const rotated = await client.rotateOwn({}, { apiToken: null });
  return rotated.isSuccess ? "rotate succeeded without it" : undefined;
}
