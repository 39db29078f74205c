import type { AssumptionId, AssumptionValues } from "../../contract/assumptions.js";
import { isObject } from "../../foundation/json.js";
import { neverIssued } from "./facts.js";
import type { ReceivedResponse, ServiceClient } from "./service-client.js";

/** The responses do not decide the question. The message is the reason. */
export class NotDeterminable extends Error {}

type Questions = { readonly [Id in AssumptionId]: (client: ServiceClient) => Promise<AssumptionValues[Id]> };

/** Finds the value of each assumption with a few requests. */
export const questions: Questions = {
  "api-tokens": async (client) => {
    const { isSuccess } = await client.create({}, { apiToken: `${client.prefix}-unknown` });
    return isSuccess ? "any" : "listed";
  },
  "auth-scheme": async (client) => {
    const { isSuccess } = await client.create({}, { authorization: `token ${client.target.apiToken}` });
    return isSuccess ? "any-case" : "exact";
  },
  "group-scope": async (client) => {
    const { body, second } = await twoTeams(client);
    const other = await client.getOrCreate(body, { apiToken: second });
    const isNew = expectSuccess(other, "the other team could not look the id up").json?.new_user_group;
    if (typeof isNew !== "boolean") throw new NotDeterminable("new_user_group is not a boolean");
    return isNew ? "per-team" : "global";
  },
  "name-on-create": async (client) => {
    const id = client.newId();
    const { isSuccess, group } = await client.getOrCreate({ user_group_id: id });
    if (!isSuccess) return "required";
    if (group.name === id) return "defaults-to-id";
    throw new NotDeterminable(`the name became ${JSON.stringify(group.name)}, not the id`);
  },
  "existing-group": async (client) => {
    const { body } = await created(client);
    const { name } = (await client.getOrCreate({ ...body, name: "Renamed" })).group;
    if (name === "Renamed") return "updated";
    if (name === body.name) return "unchanged";
    throw new NotDeterminable(`the name became ${JSON.stringify(name)}, neither the old nor the new one`);
  },
  "created-status": async (client) => {
    const { status } = expectSuccess(await client.create(), "a group could not be created");
    if (status === 200 || status === 201) return `${status}`;
    throw new NotDeterminable(`the status was ${status}, not 200 or 201`);
  },
  "rotated-token": async (client) => {
    const { token } = await created(client);
    const after = expectSuccess(await client.rotate(token), "rotate failed").group.token;
    if (after === undefined) throw new NotDeterminable("the response to rotate has no token");
    return after === token ? "same" : "new";
  },
  "old-token": async (client) => {
    const { token } = await created(client);
    const rotated = expectSuccess(await client.rotate(token), "rotate failed");
    if (rotated.group.token !== token) return accepted(client.rotate(token));
    throw new NotDeterminable("rotation keeps the token, so there is no old token");
  },
  "foreign-token": async (client) => {
    const { token, second } = await twoTeams(client);
    return accepted(client.rotate(token, { apiToken: second }));
  },
  "failure-status": async (client) => ((await aFailure(client)).status === 200 ? "always-200" : "by-kind"),
  "failure-body": async (client) => {
    const { success, ...others } = (await aFailure(client)).json ?? {};
    if (Object.keys(others).length === 0) return "bare";
    if (isObject(others.error)) return "error-object";
    if (typeof others.message === "string") return "message";
    throw new NotDeterminable(`the body has ${Object.keys(others).join(", ")}, but no error or message`);
  },
  "unknown-fields": async (client) => {
    const { body } = await created(client);
    const { isSuccess } = await client.getOrCreate({ ...body, not_in_the_interface: 1 });
    return isSuccess ? "ignored" : "rejected";
  },
  "mapping-values": (client) => accepted(client.create({ mapping: { "40": 213 } })),
  "numeric-ids": async (client) => {
    const id = client.newNumber();
    const { isSuccess, group } = await client.getOrCreate({ user_group_id: id, name: client.newId() });
    if (!isSuccess) return "rejected";
    if (group.provided_id === `${id}`) return "coerced";
    throw new NotDeterminable(`provided_id became ${JSON.stringify(group.provided_id)} for ${id}`);
  },
  // Only the name: a group with an empty id could belong to someone else.
  "empty-strings": (client) => accepted(client.create({ name: "" })),
  "content-type": (client) => accepted(client.create({}, { contentType: "text/plain" })),
  "trailing-slash": (client) => accepted(client.create({}, { path: "/api/user/" })),
  "videos-path": async (client) => {
    const { token } = await created(client);
    return (await client.rotate(token, { path: "/videos" })).isSuccess ? "rotates" : "absent";
  },
};

async function accepted(response: Promise<ReceivedResponse>): Promise<"accepted" | "rejected"> {
  return (await response).isSuccess ? "accepted" : "rejected";
}

function expectSuccess(response: ReceivedResponse, failure: string): ReceivedResponse {
  if (response.isSuccess) return response;
  throw new NotDeterminable(`${failure} (status ${response.status})`);
}

async function created(client: ServiceClient) {
  const body = client.newGroup();
  const { group } = expectSuccess(await client.getOrCreate(body), "a group could not be created");
  return { body, token: group.token, team_id: group.team_id };
}

async function aFailure(client: ServiceClient): Promise<ReceivedResponse> {
  const response = await client.rotate(neverIssued);
  if (response.isSuccess) throw new NotDeterminable("rotating an unknown token succeeded");
  if (response.json !== undefined) return response;
  throw new NotDeterminable(`the failure response, with status ${response.status}, is not a JSON object`);
}

/** Creates a group of the first team. Returns it with the API token of the second team. */
async function twoTeams(client: ServiceClient) {
  const { secondApiToken: second } = client.target;
  if (second === undefined) throw new NotDeterminable("this needs two teams: pass --second-api-token");
  const other = await client.create({}, { apiToken: second });
  const { team_id } = expectSuccess(other, "the second API token was rejected").group;
  const group = await created(client);
  if (group.team_id !== team_id) return { ...group, second };
  throw new NotDeterminable("both API tokens belong to the same team: pass a token of another team");
}
