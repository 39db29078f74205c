import { isDeepStrictEqual } from "node:util";
import type { AssumptionId, AssumptionValues } from "../../contract/assumptions.js";
import { servicePath } from "../../contract/operations.js";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { checkGroup, type FactId, readRejections, show } from "./facts.js";
import type { ReceivedResponse } from "./recorded.js";
import { NoResponse, NotDeterminable, type RequestOptions, type ServiceClient } from "./service-client.js";

/** What a probe reads from the responses: values of assumptions, and what is wrong with facts. */
export type Reading = { readonly [Id in AssumptionId]?: AssumptionValues[Id] | NotDeterminable } & {
  readonly [Id in FactId]?: string | undefined | NotDeterminable;
};

/** Is called again if a request gets no usable response, so it has to make its own groups. */
type Probe = (service: ServiceClient) => Promise<Reading | undefined>;

/**
 * What verify sends, and what it reads from the responses. Each request differs in one thing from one that succeeds: the
 * first request of the run, or one of the same probe. Probes with a wrong API token come last, so that an account that
 * they lock cannot change other results.
 */
export const probes = {
  "a group and its token": async (service) => {
    const body = service.newBody();
    const created = await service.getOrCreate(body);
    const found = await service.getOrCreate(body);
    const rotated = await service.rotate(found.group.token);
    const after = await service.getOrCreate(body);
    const { status } = created;
    const isUsual = created.isSuccess && (status === 200 || status === 201);
    const token = rotated.group.token === found.group.token ? "same" : "new";
    return {
      ...checkGroup({ body, created, found, rotated, after }),
      "created-status": isUsual
        ? `${status}`
        : new NotDeterminable(`the status was ${status}, not 200 or 201`),
      "rotated-token":
        rotated.isSuccess && typeof rotated.group.token === "string"
          ? token
          : new NotDeterminable("the response to rotate has no token"),
    };
  },
  "a second group, and filename": async (service) => {
    const { token } = (await service.create()).group;
    const rotated = await service.post({ current_token: token, filename: "verify.mp4" });
    const body = { current_token: rotated.group.token ?? token, filename: 5 };
    await service.post(body, { provokes: "invalid_body.filename.type" });
  },
  "mapping and properties": async (service) => {
    await service.create({ mapping: undefined, properties: undefined });
    const { mapping, properties } = service.base;
    return { mapping: mapping && properties ? undefined : new NotDeterminable(needsSample) };
  },
  "an existing group": async (service) => {
    const body = service.newBody();
    expectSuccess(await service.getOrCreate(body), "a group could not be created");
    const name = `${body.name} renamed`;
    const renamed = await service.getOrCreate({ ...body, name });
    await service.getOrCreate({ user_group_id: body.user_group_id });
    const { name: after } = expectSuccess(renamed, "another name was rejected").group;
    if (after === name) return { "existing-group": "updated" };
    if (after === body.name) return { "existing-group": "unchanged" };
    throw new NotDeterminable(`the name became ${show(after)}, neither the old nor the new one`);
  },
  "an old token": async (service) => {
    const { token } = expectSuccess(await service.create(), "a group could not be created").group;
    const { token: current } = expectSuccess(await service.rotate(token), "rotate failed").group;
    if (current === token) throw new NotDeterminable("rotation keeps the token, so there is no old token");
    const old = await service.rotate(token, { provokes: "unknown_token.rotated" });
    if (!old.isSuccess) expectSuccess(await service.rotate(current), "the current token was rejected too");
    return { "old-token": acceptance(old) };
  },
  "an unknown token": async (service) => {
    await service.rotate(service.unknownToken(), { provokes: "unknown_token.unknown" });
  },
  "another team": async (service) => {
    const { secondApiToken: apiToken } = service.target;
    if (apiToken === undefined) throw new NotDeterminable("this needs two teams: pass --second-api-token");
    const own = expectSuccess(await service.create({}, { apiToken }), "the second API token was rejected");
    const body = service.newBody();
    const { group } = expectSuccess(await service.getOrCreate(body), "a group could not be created");
    if (group.team_id === own.group.team_id)
      throw new NotDeterminable("both API tokens belong to the same team: pass a token of another team");
    const found = await service.getOrCreate(body, { apiToken });
    const isNew = found.isSuccess ? found.fields.new_user_group : undefined;
    const options = { apiToken, provokes: "unknown_token.foreign" };
    const foreign = await service.rotate(group.token, options);
    // Once its own team has rotated it, it is an old token too.
    if (!foreign.isSuccess) await service.rotate(group.token, options);
    const control = foreign.isSuccess ? foreign : await service.rotate(group.token);
    return {
      "group-scope":
        typeof isNew === "boolean"
          ? isNew
            ? "per-team"
            : "global"
          : new NotDeterminable(`new_user_group was ${show(isNew)}, with status ${found.status}`),
      "foreign-token": control.isSuccess
        ? acceptance(foreign)
        : new NotDeterminable(`the group's own team could not rotate it (status ${control.status})`),
    };
  },
  "no body, broken JSON, no object": async (service) => {
    await service.getOrCreate(undefined, { provokes: "missing_body" });
    await service.getOrCreate('{"user_group_id": ', { provokes: "invalid_json" });
    await service.getOrCreate("[]", { provokes: "invalid_body" });
  },
  user_group_id: async (service) => {
    const provokes = "invalid_body.user_group_id.type";
    await service.create({ user_group_id: undefined }, { provokes: "invalid_body.user_group_id.missing" });
    // A service that makes a text of the array gets an id of this run. Made of null, it could be that of another group.
    await service.create({ user_group_id: [service.newId()] }, { provokes });
    const number = service.newNumber();
    const { isSuccess, group } = await service.create({ user_group_id: number }, { provokes });
    if (!isSuccess) return { "numeric-ids": "rejected" };
    if (group.provided_id === `${number}`) return { "numeric-ids": "coerced" };
    throw new NotDeterminable(`provided_id became ${show(group.provided_id)} for ${number}`);
  },
  name: async (service) => {
    await service.create({ name: service.newNumber() }, { provokes: "invalid_body.name.type" });
    await service.create({ name: null }, { provokes: "invalid_body.name.type" });
    const { isSuccess, group } = await service.create(
      { name: undefined },
      { provokes: "invalid_body.name.missing" },
    );
    if (!isSuccess) return { "name-on-create": "required" };
    if (group.name === group.provided_id) return { "name-on-create": "defaults-to-id" };
    throw new NotDeterminable(`the name became ${show(group.name)}, not the id`);
  },
  "empty texts": async (service) => {
    // Not the id: a group with an empty id could belong to someone else.
    const empty = await service.create({ name: "" }, { provokes: "invalid_body.name.empty" });
    const provokes = empty.isSuccess ? "unknown_token.unknown" : "invalid_body.current_token.empty";
    await service.rotate("", { provokes });
    return { "empty-strings": acceptance(empty) };
  },
  mapping: async (service) => {
    const { mapping } = service.base;
    const provokes = "invalid_body.mapping.type";
    if (!isObject(mapping)) throw new NotDeterminable(needsSample);
    await service.create({ mapping: service.newId() }, { provokes });
    await service.create({ mapping: null }, { provokes });
    const numbers = Object.keys(mapping).map((schema) => [schema, Number(mapping[schema]) || 213]);
    const mapped = await service.create({ mapping: Object.fromEntries(numbers) }, { provokes });
    return { "mapping-values": acceptance(mapped) };
  },
  "properties and current_token": async (service) => {
    await service.create({ properties: service.newId() }, { provokes: "invalid_body.properties.type" });
    await service.create({ properties: null }, { provokes: "invalid_body.properties.type" });
    await service.post({}, { provokes: "invalid_body.current_token.missing" });
    await service.rotate(null, { provokes: "invalid_body.current_token.type" });
    await service.rotate(service.newNumber(), { provokes: "invalid_body.current_token.type" });
  },
  "an unknown field": async (service) => {
    const { isSuccess } = await lookUp(service, { provokes: "invalid_body" }, { verify_field: 1 });
    return { "unknown-fields": isSuccess ? "ignored" : "rejected" };
  },
  "another method and path": async (service) => {
    await service.create({}, { method: "PUT", provokes: "method_not_allowed" });
    await lookUp(service, { path: `/api/${service.newId()}`, provokes: "not_found" });
    const slash = await lookUp(service, { path: `${servicePath}/`, provokes: "not_found" });
    return { "trailing-slash": acceptance(slash) };
  },
  "/videos": async (service) => {
    const { token } = expectSuccess(await service.create(), "a group could not be created").group;
    const { isSuccess } = await service.rotate(token, { path: "/videos", provokes: "not_found" });
    if (!isSuccess) expectSuccess(await service.rotate(token), "rotate failed");
    return { "videos-path": isSuccess ? "rotates" : "absent" };
  },
  "Content-Type": async (service) => {
    const provokes = "unsupported_media_type";
    const text = acceptance(await lookUp(service, { contentType: "text/plain", provokes }));
    const none = acceptance(await lookUp(service, { contentType: null, provokes }));
    if (text === none) return { "content-type": text };
    throw new NotDeterminable(`text/plain is ${text}, no Content-Type is ${none}`);
  },
  // The mock ignores a query string, uses the last of two equal keys, and compares ids character by character.
  "what the mock does not let you change": async (service) => {
    await lookUp(service, { path: `${servicePath}?verify=1` });
    const first = JSON.stringify({ user_group_id: service.newId() }).slice(0, -1);
    await service.getOrCreate(`${first},${JSON.stringify(service.newBody()).slice(1)}`);
    const body = service.newBody();
    await service.getOrCreate(body);
    await service.getOrCreate({ ...body, user_group_id: String(body.user_group_id).toUpperCase() });
    await service.getOrCreate({ ...body, user_group_id: `${body.user_group_id} ` });
  },
  "each rejection again, to see what varies": async (service) => {
    const rejected = service.transcript.filter(({ response, provokes }) => provokes && !response.isSuccess);
    for (const name of new Set(rejected.map(({ provokes }) => provokes))) {
      const [first, second] = rejected.filter(({ provokes }) => provokes === name);
      if (first && !isDeepStrictEqual(first.request, second?.request))
        await service.attempt(() => service.record(first)).catch(ignoreOutage);
    }
  },
  "no Authorization header": async (service) => {
    const without = { authorization: null, provokes: "unauthorized.missing" };
    const get = await lookUp(service, without);
    await lookUp(service, without);
    const post = await service.rotate(service.known?.token, without);
    const accepted = get.isSuccess ? "get-or-create" : post.isSuccess ? "rotate" : undefined;
    return { authorization: accepted && `${accepted} succeeded without it` };
  },
  "another scheme": async (service) => {
    const provokes = "unauthorized.scheme";
    const { isSuccess } = await lookUp(service, {
      authorization: `token ${service.target.apiToken}`,
      provokes,
    });
    await lookUp(service, { authorization: `Bearer ${service.newId()}`, provokes });
    return { "auth-scheme": isSuccess ? "any-case" : "exact" };
  },
  "an unknown API token": async (service) => {
    const { isSuccess } = await lookUp(service, {
      apiToken: service.newId(),
      provokes: "unauthorized.unknown",
    });
    return { "api-tokens": isSuccess ? "any" : "listed" };
  },
  "all rejections": async ({ transcript }) => readRejections(transcript),
} as const satisfies Record<string, Probe>;

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

/** Looks up the group of the first request: nothing else differs from a request that succeeded. */
function lookUp(service: ServiceClient, options: RequestOptions, more: JsonObject = {}) {
  return service.getOrCreate({ ...service.known?.body, ...more }, options);
}

function ignoreOutage(error: unknown): void {
  if (!(error instanceof NoResponse)) throw error;
}
