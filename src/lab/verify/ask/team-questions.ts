import type { AssumptionValues } from "../../../fake/contract/assumptions.js";
import type { GroupClient } from "../service/group-client.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import { expectSuccess, jsonText, type ReceivedResponse } from "../service/received-response.js";
import type { RequestOptions } from "../service/service-client.js";
import { type AssumptionQuestions, accepted } from "./behaviour-questions.js";

/** Questions about a second team. */
export const teamQuestions: AssumptionQuestions<"group-scope" | "foreign-token"> = {
  "group-scope": askGroupScope,
  "foreign-token": async (client) => accepted(await client.rotateOwn({}, await asSecondTeam(client))),
};

async function askGroupScope(client: GroupClient): Promise<AssumptionValues["group-scope"]> {
  const options = await asSecondTeam(client);
  const body = client.newBody();
  expectSuccess(await client.send(body));
  const { new_user_group } = expectSuccess(await client.send(body, options)).fields;
  need(typeof new_user_group === "boolean", `new_user_group was ${jsonText(new_user_group)}`);
  return new_user_group ? "per-team" : "global";
}

/** How to send a request for the second team, after a request that shows that there is one. */
async function asSecondTeam(client: GroupClient): Promise<RequestOptions> {
  const { secondApiToken: apiToken } = client.target;
  need(apiToken, "this needs two teams: pass --second-api-token");
  if (client.hasSecondTeam) return { apiToken };
  client.whyNoSecondTeam ??= whyNotOfAnotherTeam(await client.create({}, { apiToken }), client);
  if (client.whyNoSecondTeam !== undefined) throw new NotDeterminable(client.whyNoSecondTeam);
  client.hasSecondTeam = true;
  return { apiToken };
}

/** Undefined if a response shows that its API token is of another team than the first one. */
function whyNotOfAnotherTeam(
  { isSuccess, status, group }: ReceivedResponse,
  { creation }: GroupClient,
): string | undefined {
  if (!isSuccess) return `the second API token was rejected (status ${status})`;
  if (group.team_id === undefined)
    return "without a team_id, nobody knows whether the API tokens are of two teams";
  const isSame = group.team_id === creation?.response.group.team_id;
  return isSame ? "both API tokens belong to the same team: pass one of another" : undefined;
}
