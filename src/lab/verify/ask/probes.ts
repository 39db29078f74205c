import { randomBytes } from "node:crypto";
import type { AssumptionId, AssumptionValues } from "../../../fake/contract/assumptions.js";
import { fixedChoices } from "../../../fake/contract/fixed-choices.js";
import { servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { need } from "../service/not-determinable.js";
import { expectSuccess, jsonText, type ReceivedResponse, unusedMethod } from "../service/recorded.js";
import type { RequestOptions, ServiceClient } from "../service/service-client.js";
import { askExistingGroup } from "./existing-group.js";

type Probe<Value = unknown> = (client: ServiceClient) => Promise<Value>;

/** How an id that differs from that of a group is understood. */
type OtherId = "same group" | "another group" | "rejected";

/** How the id of a group is understood in capitals, and with a space at its end. */
export interface OtherIds {
  readonly capitals: OtherId;
  readonly space: OtherId;
}

/** What a client may send instead of application/json. */
const otherTypes = ["text/plain", "application/x-www-form-urlencoded", null];

/**
 * Questions about behaviour. Each request differs in one thing from one that succeeded: the first one, or one of the same
 * probe. A probe makes its own groups, because it may be repeated.
 */
export const behaviourProbes = {
  "existing-group": askExistingGroup,
  "old-token": askOldToken,
  "name-on-create": async (client) => {
    const body = client.newBody({ name: undefined });
    const { isSuccess, group } = await client.send(body);
    if (!isSuccess) return "required";
    need(
      group.name === body.user_group_id,
      `the name became ${jsonText(group.name)}, which no value expresses`,
    );
    return "defaults-to-id";
  },
  "unique-names": async (client) => {
    const name = client.first?.response.group.name;
    need(name !== undefined, "this needs a group with a name");
    const response = await client.create({ name });
    if (response.isSuccess) return "allowed";
    client.takenName = { name, response };
    return "rejected";
  },
  "id-matching": async (client) => {
    const body = client.newBody();
    expectSuccess(await client.send(body));
    const id = String(body.user_group_id);
    const capitals = await askOtherId(client, body, id.toUpperCase());
    return { capitals, space: await askOtherId(client, body, `${id} `) };
  },
  "no mapping, no properties": (client) => client.create({ mapping: undefined, properties: undefined }),
  "current_token: missing": (client) => client.rotate(undefined),
  "current_token: null": (client) => client.rotate(null),
  "current_token: number": (client) => client.rotate(client.groups.newNumber()),
  "current_token: empty": (client) => client.rotate(""),
  "current_token: wrong": (client) => client.rotate("wrong"),
  "current_token: unknown": (client) => client.rotate(inventToken(client)),
  "no body": (client) => client.send(undefined),
  "broken JSON": (client) => client.send('{"user_group_id": '),
  "no object": (client) => client.send(`[${JSON.stringify(client.newBody())}]`),
  [unusedMethod]: (client) => client.create({}, { method: unusedMethod }),
  "another path": (client) => client.lookUp({}, { path: `/api/${client.groups.newId()}` }),
  "trailing-slash": async (client) =>
    (await client.lookUp({}, { path: `${servicePath}/` })).isSuccess ? "accepted" : "rejected",
  "videos-path": async (client) =>
    (await client.rotateOwn({}, { path: "/videos" })).isSuccess ? "rotates" : "absent",
  "content-type": async (client) => {
    const results: ("accepted" | "rejected")[] = [];
    for (const contentType of otherTypes) results.push(accepted(await client.lookUp({}, { contentType })));
    const [first = "rejected", ...others] = results;
    const acceptedTypes = otherTypes.filter((_, n) => results[n] === "accepted");
    if (acceptedTypes.length === 1 && acceptedTypes[0] === null) return "optional";
    const all = otherTypes.map((type, n) => `${type ?? "no header"} is ${results[n]}`);
    need(
      others.every((result) => result === first),
      all.join(", "),
    );
    return first;
  },
  "query string": (client) =>
    client.lookUp({}, { path: `${servicePath}?verify=1`, inexpressible: fixedChoices["query-string"] }),
  "equal keys": (client) => {
    const text = `{"user_group_id":"${client.groups.newId()}",${JSON.stringify(client.newBody()).slice(1)}`;
    return client.send(text, { inexpressible: fixedChoices["equal-keys"] });
  },
} satisfies Readonly<Record<string, Probe>> &
  AssumptionProbes<
    "old-token" | "name-on-create" | "unique-names" | "trailing-slash" | "videos-path" | "content-type"
  >;

/** Questions about a second team. */
export const teamProbes = {
  "group-scope": async (client) => {
    const options = await asSecondTeam(client);
    const body = client.newBody();
    expectSuccess(await client.send(body));
    const { new_user_group } = expectSuccess(await client.send(body, options)).fields;
    need(typeof new_user_group === "boolean", `new_user_group was ${jsonText(new_user_group)}`);
    return new_user_group ? "per-team" : "global";
  },
  "foreign-token": async (client) => {
    const options = await asSecondTeam(client);
    return accepted(await client.rotateOwn({}, options));
  },
} satisfies AssumptionProbes<"group-scope" | "foreign-token">;

/** Requests with a wrong API token. They come last and are sent once: an account may be locked. */
export const wrongApiTokenProbes = {
  "no API token": async (client) => {
    const get = await client.lookUp({}, { apiToken: null });
    if (get.isSuccess) return "get-or-create succeeded without it";
    const rotate = await client.rotateOwn({}, { apiToken: null });
    return rotate.isSuccess ? "rotate succeeded without it" : undefined;
  },
  "auth-scheme": async (client) =>
    (await client.lookUp({}, { scheme: "token" })).isSuccess ? "any-case" : "exact",
  "another scheme": (client) => client.lookUp({}, { scheme: "Bearer", apiToken: client.groups.newId() }),
  "api-tokens": async (client) =>
    (await client.lookUp({}, { apiToken: client.groups.newId() })).isSuccess ? "any" : "listed",
} satisfies Readonly<Record<string, Probe>> & AssumptionProbes<"auth-scheme" | "api-tokens">;

type AssumptionProbes<Id extends AssumptionId> = { readonly [One in Id]: Probe<AssumptionValues[One]> };

function accepted({ isSuccess }: ReceivedResponse): "accepted" | "rejected" {
  return isSuccess ? "accepted" : "rejected";
}

/** Which old tokens still name their group: that of two rotations ago, and the one before the current one. */
async function askOldToken(client: ServiceClient): Promise<AssumptionValues["old-token"]> {
  const { token: first } = expectSuccess(await client.create()).group;
  const { token: second } = expectSuccess(await client.rotate(first)).group;
  need(second !== first, "rotation keeps the token, so there is no old token");
  const { token: third } = expectSuccess(await client.rotate(second)).group;
  if ((await client.rotate(first)).isSuccess) return "accepted";
  if ((await client.rotate(second)).isSuccess) return "previous";
  expectSuccess(await client.rotate(third));
  return "rejected";
}

/** What the service makes of an id that differs a little from that of a group. */
async function askOtherId(client: ServiceClient, body: JsonObject, user_group_id: string): Promise<OtherId> {
  // With a name of its own, because a new group may need one.
  const { isSuccess, fields } = await client.send({
    ...body,
    user_group_id,
    name: client.groups.newName(),
  });
  if (isSuccess) return fields.new_user_group === true ? "another group" : "same group";
  // If the group was found, the service may have rejected another name for it.
  const again = await client.send({ ...body, user_group_id });
  return again.isSuccess && again.fields.new_user_group !== true ? "same group" : "rejected";
}

/** A token of the form that the service uses, with another end, so that only its value is wrong. */
function inventToken(client: ServiceClient): string {
  const { token } = client.first?.response.group ?? {};
  need(typeof token === "string", "the service has not returned a token");
  const end = randomBytes(token.length).toString("hex").slice(0, Math.min(12, token.length));
  const invented = token.slice(0, token.length - end.length) + end;
  client.inventedTokens.add(invented);
  return invented;
}

/** How to send a request for the second team, after a request that shows that there is one. */
async function asSecondTeam(client: ServiceClient): Promise<RequestOptions> {
  const { secondApiToken: apiToken } = client.target;
  need(apiToken, "this needs two teams: pass --second-api-token");
  if (client.hasSecondTeam) return { apiToken };
  const { isSuccess, status, group } = await client.create({}, { apiToken });
  need(isSuccess, `the second API token was rejected (status ${status})`);
  const isOtherTeam = group.team_id !== client.first?.response.group.team_id;
  need(isOtherTeam, "both API tokens belong to the same team: pass one of another");
  client.hasSecondTeam = true;
  return { apiToken };
}
