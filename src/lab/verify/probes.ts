import { randomBytes } from "node:crypto";
import type { AssumptionId, AssumptionValues } from "../../fake/contract/assumptions.js";
import { type Bodies, servicePath } from "../../fake/contract/operations.js";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { typeName } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { FactId } from "./facts.js";
import type { ReceivedResponse } from "./recorded.js";
import { NotDeterminable, need, type RequestOptions, type ServiceClient } from "./service-client.js";

type GroupResponses = Record<"created" | "found" | "rotated" | "after", ReceivedResponse>;
export type FirstGroup = GroupResponses & { readonly body: JsonObject };

/** Returns the value of an assumption, what is wrong with a fact, or something that is not used. */
type Probe<Value> = (service: ServiceClient, first: FirstGroup) => Promise<Value>;

/** Every field that a request can send. */
type UsualBody = Required<Omit<Bodies["get-or-create"], "user_group_id">>;
const usual: UsualBody = { name: "Verify", mapping: { "40": "213" }, properties: { filterValue: "value" } };

/** Finds a body that succeeds, and sends the requests about one group from which most facts are read. */
export async function firstGroup(service: ServiceClient, base?: JsonObject): Promise<FirstGroup> {
  service.base = base ?? service.target.sample ?? usual;
  const body = service.newBody();
  const created = await service.send(body);
  const { isSuccess, status, fields } = created;
  // A service may not know the schema of the usual mapping.
  const isBodyRejected = !isSuccess && fields.success !== undefined && ![401, 403, 404].includes(status);
  if (isBodyRejected && service.base === usual) return firstGroup(service, { name: usual.name });
  need(isSuccess, `the first request returned status ${status} and no success`);
  service.known = service.transcript.at(-1);
  const found = await service.send(body);
  const rotated = await service.rotate(found.group.token);
  return { body, created, found, rotated, after: await service.send(body) };
}

/**
 * What verify sends and reads, by the fact or assumption that it settles. Others only provoke responses. Each request
 * differs in one thing from one that succeeds: the first one, or one of the same probe. A probe makes its own groups,
 * because it may be repeated. Wrong API tokens come last: they may lock the account.
 */
export const probes = {
  created: async (_, { created }) => wrongType(created.fields, shippedSchemas["get-or-create.response.json"]),
  rotated: async (_, { rotated }) => wrongType(rotated.fields, shippedSchemas["rotate.response.json"]),
  flag: async (_, { created, found }) =>
    mismatch(created.fields, { new_user_group: true }) ?? mismatch(found.fields, { new_user_group: false }),
  group: async (_, { created }) => wrongType(created.group, shippedSchemas["user-group.json"]),
  sent: async (_, { body, created }) =>
    mismatch(created.group, { name: body.name, provided_id: body.user_group_id }),
  rotatedGroup: async (_, { created, rotated: { shown } }) =>
    mismatch(shown, { ...created.shown, token: shown.token }),
  rotatedToken: async (_, { created, found, rotated, after }) => {
    need(created.group.token === found.group.token, "looking up a group changes its token");
    const isSame = rotated.group.token !== undefined && rotated.group.token === after.group.token;
    return isSame ? undefined : "rotate and the next look-up did not return the same token";
  },
  "created-status": async (_, { created }) => byField(created, "status", { "200": 200, "201": 201 }),
  "rotated-token": async (_, { found, rotated }) => {
    need(rotated.isSuccess && rotated.group.token, "the response to rotate has no token");
    return rotated.group.token === found.group.token ? "same" : "new";
  },
  "fixed: filename": async (service) => {
    const { token } = (await service.create()).group;
    const rotated = await service.rotate(token, {}, { filename: "verify.mp4" });
    await service.rotate(rotated.group.token ?? token, {}, { filename: 5 });
  },
  mapping: async (service) => {
    await service.create({ mapping: undefined, properties: undefined });
    need(service.base.mapping && service.base.properties, needsSample);
  },
  "existing-group": async (service) => {
    const body = service.newBody();
    expectSuccess(await service.send(body));
    const name = `${body.name} renamed`;
    const renamed = await service.send({ ...body, name });
    await service.send({ user_group_id: body.user_group_id });
    const { group } = expectSuccess(renamed, "another name");
    return byField(group, "name", { updated: name, unchanged: body.name });
  },
  "old-token": either("accepted", "rejected", async (service) => {
    const { token } = expectSuccess(await service.create()).group;
    const { token: current } = expectSuccess(await service.rotate(token)).group;
    need(current !== token, "rotation keeps the token, so there is no old token");
    const old = await service.rotate(token);
    if (!old.isSuccess) expectSuccess(await service.rotate(current));
    return old;
  }),
  // A token of the service with another end, so that only its value is wrong.
  "an unknown token": (service) =>
    service.rotate(`${service.known?.response.group.token}`.slice(0, -12) + randomBytes(6).toString("hex")),
  "no body": (service) => service.send(undefined),
  "broken JSON": (service) => service.send('{"user_group_id": '),
  "no object": (service) => service.send("[]"),
  "no user_group_id": (service) => service.create({ user_group_id: undefined }),
  // A service that makes a text of the array gets an id of this run. Made of null, it could be that of another group.
  "a list as user_group_id": (service) => service.create({ user_group_id: [service.newId()] }),
  "numeric-ids": async (service) => {
    const number = service.newNumber();
    const { isSuccess, group } = await service.create({ user_group_id: number });
    return isSuccess ? byField(group, "provided_id", { coerced: `${number}` }) : "rejected";
  },
  "a number as name": (service) => service.create({ name: service.newNumber() }),
  "null as name": (service) => service.create({ name: null }),
  "name-on-create": async (service) => {
    const body = service.newBody({ name: undefined });
    const { isSuccess, group } = await service.send(body);
    return isSuccess ? byField(group, "name", { "defaults-to-id": body.user_group_id }) : "required";
  },
  // Not the id: a group with an empty id could belong to someone else.
  "empty-strings": either("accepted", "rejected", (service) => service.create({ name: "" })),
  "an empty current_token": (service) => service.rotate(""),
  "mapping-values": either("accepted", "rejected", async (service) => {
    const { mapping } = service.base;
    need(mapping, needsSample);
    const numbers = Object.entries(mapping).map(([schema, source]) => [schema, Number(source) || 213]);
    return service.create({ mapping: Object.fromEntries(numbers) });
  }),
  "a text as mapping": (service) => service.create({ mapping: service.newId() }),
  "null as mapping": (service) => service.create({ mapping: null }),
  "a text as properties": (service) => service.create({ properties: service.newId() }),
  "null as properties": (service) => service.create({ properties: null }),
  "no current_token": (service) => service.rotate(undefined),
  "null as current_token": (service) => service.rotate(null),
  "a number as current_token": (service) => service.rotate(service.newNumber()),
  "unknown-fields": either("ignored", "rejected", (service) => service.lookUp({}, { verify_field: 1 })),
  PUT: (service) => service.create({}, { method: "PUT" }),
  "another path": (service) => service.lookUp({ path: `/api/${service.newId()}` }),
  "trailing-slash": either("accepted", "rejected", (service) => service.lookUp({ path: `${servicePath}/` })),
  "videos-path": either("rotates", "absent", (service) => rotateNew(service, { path: "/videos" })),
  "content-type": async (service) => {
    const text = await service.lookUp({ contentType: "text/plain" });
    const none = await service.lookUp({ contentType: null });
    return commonValue([text, none].map(({ isSuccess }) => (isSuccess ? "accepted" : "rejected")));
  },
  "fixed: query-string": (service) => service.lookUp({ path: `${servicePath}?verify=1` }),
  "fixed: equal-keys": (service) =>
    service.send(`{"user_group_id":"${service.newId()}",${JSON.stringify(service.newBody()).slice(1)}`),
  "id-matching": async (service) => {
    const body = service.newBody();
    const id = `${body.user_group_id}`;
    expectSuccess(await service.send(body));
    const isFound = async (user_group_id: string) =>
      expectSuccess(await service.send({ ...body, user_group_id })).fields.new_user_group === false;
    const anyCase = await isFound(id.toUpperCase());
    const trimmed = await isFound(`${id} `);
    if (anyCase) return trimmed ? "trimmed-any-case" : "any-case";
    return trimmed ? "trimmed" : "exact";
  },
  "unique-names": either("allowed", "rejected", async (service) => {
    const { name } = expectSuccess(await service.create()).group;
    return service.create({ name });
  }),
  // Reads the requests until here, because their API token is valid.
  failure: async (service) => {
    const wrong = rejectionsIn(service).find(({ fields }) => fields.success !== 0);
    return wrong && `success was ${show(wrong.fields.success)} with status ${wrong.status}`;
  },
  "group-scope": async (service) => {
    const options = await asSecondTeam(service);
    const body = service.newBody();
    expectSuccess(await service.send(body));
    const { fields } = expectSuccess(await service.send(body, options));
    return byField(fields, "new_user_group", { "per-team": true, global: false });
  },
  "foreign-token": either("accepted", "rejected", async (service) =>
    rotateNew(service, await asSecondTeam(service)),
  ),
  authorization: async (service, { after }) => {
    const get = await service.lookUp({ apiToken: null });
    const rotate = await service.rotate(after.group.token, { apiToken: null });
    if (get.isSuccess) return "get-or-create succeeded without it";
    return rotate.isSuccess ? "rotate succeeded without it" : undefined;
  },
  "auth-scheme": either("any-case", "exact", (service) => service.lookUp({ scheme: "token" })),
  "another scheme": (service) => service.lookUp({ scheme: "Bearer", apiToken: service.newId() }),
  "api-tokens": either("any", "listed", (service) => service.lookUp({ apiToken: service.newId() })),
  "failure-status": async (service) =>
    commonValue(rejectionsIn(service).map(({ status }) => (status === 200 ? "always-200" : "by-kind"))),
  "failure-body": async (service) => commonValue(rejectionsIn(service).map(failureShape)),
} satisfies Record<string, Probe<unknown>> &
  Record<FactId, Probe<string | undefined>> & { readonly [Id in AssumptionId]: Probe<AssumptionValues[Id]> };

const needsSample = "this needs a mapping and properties that the service accepts: pass --sample";

/** The value of an assumption: the first one if the request succeeds, otherwise the second one. */
function either<const Value>(yes: Value, no: Value, send: Probe<ReceivedResponse>): Probe<Value> {
  return async (service, first) => ((await send(service, first)).isSuccess ? yes : no);
}

/** The value of an assumption, by what the response has in a field. */
function byField<Value extends string>(found: JsonObject, field: string, values: Record<Value, unknown>) {
  for (const value in values) if (found[field] === values[value]) return value;
  throw new NotDeterminable(`${field} was ${show(found[field])}, which fits no value of the mock`);
}

/** The value of an assumption, if all responses show the same one. */
function commonValue<Value>(values: readonly (Value | undefined)[]): Value {
  need(values.length > 0, "no request got such a response");
  const [value, ...others] = new Set(values);
  const shown = [value, ...others].map((one) => one ?? "another kind").join(" and ");
  need(value && others.length === 0, `the responses show ${shown}; the profile has them`);
  return value;
}

function expectSuccess(response: ReceivedResponse, what = "a request that has to succeed") {
  need(response.isSuccess, `${what} was rejected (status ${response.status})`);
  return response;
}

/** Rotates the token of a new group in an unusual way. If that is rejected, the usual way has to succeed. */
async function rotateNew(service: ServiceClient, options: RequestOptions): Promise<ReceivedResponse> {
  const { token } = expectSuccess(await service.create()).group;
  const rotated = await service.rotate(token, options);
  if (!rotated.isSuccess) expectSuccess(await service.rotate(token));
  return rotated;
}

/** How to send a request for the second team, after a request that shows that there is one. */
async function asSecondTeam(service: ServiceClient): Promise<RequestOptions> {
  const { secondApiToken: apiToken } = service.target;
  need(apiToken, "this needs two teams: pass --second-api-token");
  const { isSuccess, status, group } = await service.create({}, { apiToken });
  need(isSuccess, `the second API token was rejected (status ${status})`);
  const isOtherTeam = group.team_id !== service.known?.response.group.team_id;
  need(isOtherTeam, "both API tokens belong to the same team: pass one of another");
  return { apiToken };
}

/** The rejections by the operations of the service. A proxy or a router may reject other paths and methods. */
function rejectionsIn({ transcript }: ServiceClient): ReceivedResponse[] {
  const sent = transcript.filter(({ request }) => request.path === servicePath && request.method !== "PUT");
  return sent.map(({ response }) => response).filter(({ isSuccess }) => !isSuccess);
}

function failureShape({ fields: { success, ...others } }: ReceivedResponse) {
  if (success !== 0) return undefined;
  if (Object.keys(others).length === 0) return "bare";
  if (isObject(others.error)) return "error-object";
  return typeof others.message === "string" ? "message" : undefined;
}

type FieldSchemas = Readonly<Record<string, { readonly type?: string; readonly const?: number }>>;

function wrongType(found: JsonObject, { properties }: { properties: FieldSchemas }): string | undefined {
  const wrong = Object.entries(properties).find(([name, { type, const: only }]) => {
    if (type === undefined) return found[name] !== only;
    return type === "integer" ? !Number.isInteger(found[name]) : typeName(found[name]) !== type;
  });
  return wrong && `${wrong[0]} was ${show(found[wrong[0]])}`;
}

function mismatch(found: JsonObject, expected: JsonObject): string | undefined {
  const wrong = Object.keys(expected).find((name) => found[name] !== expected[name]);
  return wrong && `${wrong} was ${show(found[wrong])} instead of ${show(expected[wrong])}`;
}

const show = (value: unknown) => JSON.stringify(value) ?? "missing";
