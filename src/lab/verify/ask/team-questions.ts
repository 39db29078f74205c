import type { AssumptionValues } from "../../../fake/contract/assumptions.js";
import type { GroupClient } from "../service/group-client.js";
import { need } from "../service/not-determinable.js";
import { expectSuccess, jsonText } from "../service/received-response.js";
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
  const { isSuccess, status, group } = await client.create({}, { apiToken });
  need(isSuccess, `the second API token was rejected (status ${status})`);
  need(
    group.team_id !== undefined,
    "without a team_id, nobody knows whether the API tokens are of two teams",
  );
  const isOtherTeam = group.team_id !== client.creation?.response.group.team_id;
  need(isOtherTeam, "both API tokens belong to the same team: pass one of another");
  client.hasSecondTeam = true;
  return { apiToken };
}
