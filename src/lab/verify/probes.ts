import { randomBytes } from "node:crypto";
import type { AssumptionId, AssumptionValues } from "../../contract/assumptions.js";
import { servicePath } from "../../contract/operations.js";
import { isObject } from "../../foundation/json.js";
import { type FactId, type FirstGroup, groupFacts, type Probe, rejectionProbes, show } from "./facts.js";
import type { ReceivedResponse } from "./recorded.js";
import { NotDeterminable, type ServiceClient } from "./service-client.js";

type Sends<Value> = (service: ServiceClient, first: FirstGroup) => Promise<Value>;

/**
 * What verify sends and reads, by the fact or the assumption that it settles. Others only provoke responses. Each request
 * differs in one thing from one that succeeds: the first request of the run, or one of the same probe. A probe is called
 * again if a request gets no usable response, so it has to make its own groups. Probes with a wrong API token come last,
 * so that an account that they lock cannot change other results.
 */
export const probes = {
  ...groupFacts,
  "created-status": async (_, { created: { status } }) => {
    if (status === 200) return "200";
    if (status === 201) return "201";
    throw new NotDeterminable(`the status was ${status}, not 200 or 201`);
  },
  "rotated-token": async (_, { found, rotated }) => {
    if (!rotated.isSuccess || typeof rotated.group.token !== "string")
      throw new NotDeterminable("the response to rotate has no token");
    return rotated.group.token === found.group.token ? "same" : "new";
  },
  "fixed: filename": async (service) => {
    const { token } = (await service.create()).group;
    const rotated = await service.rotate(token, {}, { filename: "verify.mp4" });
    await service.rotate(rotated.group.token ?? token, {}, { filename: 5 });
  },
  mapping: async (service) => {
    await service.create({ mapping: undefined, properties: undefined });
    if (!service.base.mapping || !service.base.properties) throw new NotDeterminable(needsSample);
  },
  "existing-group": async (service) => {
    const body = service.newBody();
    expectSuccess(await service.get(body), "a group could not be created");
    const name = `${body.name} renamed`;
    const renamed = await service.get({ ...body, name });
    await service.get({ user_group_id: body.user_group_id });
    const { name: after } = expectSuccess(renamed, "another name was rejected").group;
    if (after === name) return "updated";
    if (after === body.name) return "unchanged";
    throw new NotDeterminable(`the name became ${show(after)}, neither the old nor the new one`);
  },
  "old-token": async (service) => {
    const { token } = expectSuccess(await service.create(), "a group could not be created").group;
    const { token: current } = expectSuccess(await service.rotate(token), "rotate failed").group;
    if (current === token) throw new NotDeterminable("rotation keeps the token, so there is no old token");
    const old = await service.rotate(token);
    if (!old.isSuccess) expectSuccess(await service.rotate(current), "the current token was rejected too");
    return acceptance(old);
  },
  // As similar to a token of the service as is safe.
  "an unknown token": (service, { created: { group } }) =>
    service.rotate(`${group.token}`.slice(0, -12) + randomBytes(6).toString("hex")),
  "group-scope": async (service, first) => {
    const options = await asSecondTeam(service, first);
    const body = service.newBody();
    expectSuccess(await service.get(body), "a group could not be created");
    const { isSuccess, fields, status } = await service.get(body, options);
    if (isSuccess && fields.new_user_group === true) return "per-team";
    if (isSuccess && fields.new_user_group === false) return "global";
    throw new NotDeterminable(`new_user_group was ${show(fields.new_user_group)}, with status ${status}`);
  },
  "foreign-token": async (service, first) => {
    const options = await asSecondTeam(service, first);
    const { token } = expectSuccess(await service.create(), "a group could not be created").group;
    const foreign = await service.rotate(token, options);
    if (!foreign.isSuccess)
      expectSuccess(await service.rotate(token), "the group's own team could not rotate it");
    return acceptance(foreign);
  },
  "no body": (service) => service.get(undefined),
  "broken JSON": (service) => service.get('{"user_group_id": '),
  "no object": (service) => service.get("[]"),
  "no user_group_id": (service) => service.create({ user_group_id: undefined }),
  // A service that makes a text of the array gets an id of this run. Made of null, it could be that of another group.
  "a list as user_group_id": (service) => service.create({ user_group_id: [service.newId()] }),
  "numeric-ids": async (service) => {
    const number = service.newNumber();
    const { isSuccess, group } = await service.create({ user_group_id: number });
    if (!isSuccess) return "rejected";
    if (group.provided_id === `${number}`) return "coerced";
    throw new NotDeterminable(`provided_id became ${show(group.provided_id)} for ${number}`);
  },
  "a number as name": (service) => service.create({ name: service.newNumber() }),
  "null as name": (service) => service.create({ name: null }),
  "name-on-create": async (service) => {
    const { isSuccess, group } = await service.create({ name: undefined });
    if (!isSuccess) return "required";
    if (group.name === group.provided_id) return "defaults-to-id";
    throw new NotDeterminable(`the name became ${show(group.name)}, not the id`);
  },
  // Not the id: a group with an empty id could belong to someone else.
  "empty-strings": async (service) => acceptance(await service.create({ name: "" })),
  "an empty current_token": (service) => service.rotate(""),
  "mapping-values": async (service) => {
    const { mapping } = service.base;
    if (!isObject(mapping)) throw new NotDeterminable(needsSample);
    const numbers = Object.keys(mapping).map((schema) => [schema, Number(mapping[schema]) || 213]);
    return acceptance(await service.create({ mapping: Object.fromEntries(numbers) }));
  },
  "a text as mapping": (service) => service.create({ mapping: service.newId() }),
  "null as mapping": (service) => service.create({ mapping: null }),
  "a text as properties": (service) => service.create({ properties: service.newId() }),
  "null as properties": (service) => service.create({ properties: null }),
  "no current_token": (service) => service.rotate(undefined),
  "null as current_token": (service) => service.rotate(null),
  "a number as current_token": (service) => service.rotate(service.newNumber()),
  "unknown-fields": async (service) =>
    (await service.lookUp({}, { verify_field: 1 })).isSuccess ? "ignored" : "rejected",
  PUT: (service) => service.create({}, { method: "PUT" }),
  "another path": (service) => service.lookUp({ path: `/api/${service.newId()}` }),
  "trailing-slash": async (service) => acceptance(await service.lookUp({ path: `${servicePath}/` })),
  "videos-path": async (service) => {
    const { token } = expectSuccess(await service.create(), "a group could not be created").group;
    const { isSuccess } = await service.rotate(token, { path: "/videos" });
    if (!isSuccess) expectSuccess(await service.rotate(token), "rotate failed");
    return isSuccess ? "rotates" : "absent";
  },
  "content-type": async (service) => {
    const text = acceptance(await service.lookUp({ contentType: "text/plain" }));
    const none = acceptance(await service.lookUp({ contentType: null }));
    if (text === none) return text;
    throw new NotDeterminable(`text/plain is ${text}, no Content-Type is ${none}`);
  },
  "fixed: query-string": (service) => service.lookUp({ path: `${servicePath}?verify=1` }),
  "fixed: equal-keys": (service) =>
    service.get(`{"user_group_id":"${service.newId()}",${JSON.stringify(service.newBody()).slice(1)}`),
  "fixed: ids": async (service) => {
    const body = service.newBody();
    await service.get(body);
    await service.get({ ...body, user_group_id: String(body.user_group_id).toUpperCase() });
    await service.get({ ...body, user_group_id: `${body.user_group_id} ` });
  },
  authorization: async (service, { after }) => {
    const get = await service.lookUp({ apiToken: null });
    const post = await service.rotate(after.group.token, { apiToken: null });
    const accepted = get.isSuccess ? "get-or-create" : post.isSuccess ? "rotate" : undefined;
    return accepted && `${accepted} succeeded without it`;
  },
  "auth-scheme": async (service) => {
    const { isSuccess } = await service.lookUp({ scheme: "token" });
    await service.lookUp({ scheme: "Bearer", apiToken: service.newId() });
    return isSuccess ? "any-case" : "exact";
  },
  "api-tokens": async (service) =>
    (await service.lookUp({ apiToken: service.newId() })).isSuccess ? "any" : "listed",
  ...rejectionProbes,
} satisfies Record<string, Sends<unknown>> &
  Record<FactId, Probe> & { readonly [Id in AssumptionId]: Sends<AssumptionValues[Id]> };

/** Why a body of verify's own does not do for every service. */
const needsSample =
  "the service rejects mapping or properties of verify: pass --sample with a body that it accepts";

function acceptance({ isSuccess }: ReceivedResponse): "accepted" | "rejected" {
  return isSuccess ? "accepted" : "rejected";
}

function expectSuccess(response: ReceivedResponse, failure: string): ReceivedResponse {
  if (response.isSuccess) return response;
  throw new NotDeterminable(`${failure} (status ${response.status})`);
}

/** How to send a request for the second team, after a request that shows that there is one. */
async function asSecondTeam(service: ServiceClient, { created }: FirstGroup) {
  const { secondApiToken: apiToken } = service.target;
  if (apiToken === undefined) throw new NotDeterminable("this needs two teams: pass --second-api-token");
  const own = await service.create({}, { apiToken });
  const { team_id } = expectSuccess(own, "the second API token was rejected").group;
  if (team_id === created.group.team_id)
    throw new NotDeterminable("both API tokens belong to the same team: pass a token of another team");
  return { apiToken };
}
