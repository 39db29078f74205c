import type { AssumptionValues } from "../../contract/assumptions.js";
import { shownSchemas } from "../../contract/group-fields.js";
import { operationIds, operations, servicePath } from "../../contract/operations.js";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { typeName } from "../../foundation/json-shape.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { GetOrCreateRequest } from "../../generated/types.js";
import type { ReceivedResponse, Recorded } from "./recorded.js";
import { NotDeterminable, need, type ServiceClient } from "./service-client.js";

/** Every field that a request can send. */
const usual: Required<Omit<GetOrCreateRequest, "user_group_id">> = {
  name: "Verify",
  mapping: { "40": "213" },
  properties: { filterValue: "value" },
};

/** What the service's document says, with its words. */
export const facts = {
  created: `get-or-create returns success 1 ("1 if the call was successful"), new_user_group and user_group`,
  rotated: `rotate returns success 1 and user_group ("The user group […], carrying its token")`,
  flag: `new_user_group is "true when a new user group was created by this call", and otherwise false`,
  group: `user_group has ${new Intl.ListFormat("en-GB").format(Object.keys(shownSchemas))}`,
  sent: `name is the name that was sent, and provided_id "corresponds to the request field user_group_id"`,
  rotatedGroup: `rotate "takes the user group's current token and returns the user group"`,
  rotatedToken: `the token that rotate returns is that of the group ("carrying its token") from then on`,
  mapping: `get-or-create accepts mapping ("Schema id to data source association") and properties`,
  authorization: `the Authorization header "applies to both operations": neither succeeds without it`,
  failure: `a failed request returns success "0 when the call was not successful"`,
} as const;

export type FactId = keyof typeof facts;

export type FirstGroup = Record<"created" | "found" | "rotated" | "after", ReceivedResponse> & {
  body: JsonObject;
};

/** Finds a body that succeeds, and sends the requests about one group from which most facts are read. */
export async function firstGroup(service: ServiceClient, base?: JsonObject): Promise<FirstGroup> {
  service.base = base ?? service.target.sample ?? usual;
  const body = service.newBody();
  const created = await service.get(body);
  const { isSuccess, status, fields } = created;
  // A service may not know the schema of the usual mapping.
  const isForBody = !isSuccess && fields.success !== undefined && ![401, 403, 404].includes(status);
  if (isForBody && service.base === usual) return firstGroup(service, { name: usual.name });
  need(isSuccess, `the first request returned status ${status} and no success`);
  service.known = service.transcript.at(-1);
  const found = await service.get(body);
  const rotated = await service.rotate(found.group.token);
  return { body, created, found, rotated, after: await service.get(body) };
}

/** What a probe reads: the value of an assumption, or what is wrong with a fact. */
export type Probe = (service: ServiceClient, first: FirstGroup) => Promise<string | undefined>;

/** The facts about one group. */
export const groupFacts = {
  created: async (_, { created }) =>
    wrongType(created.fields, shippedSchemas["get-or-create.response.json"].properties),
  rotated: async (_, { rotated }) =>
    wrongType(rotated.fields, shippedSchemas["rotate.response.json"].properties),
  flag: async (_, { created, found }) =>
    wrongValue(created.fields, { new_user_group: true }) ??
    wrongValue(found.fields, { new_user_group: false }),
  group: async (_, { created }) => wrongType(created.group, shownSchemas),
  sent: async (_, { body, created }) =>
    wrongValue(created.group, { name: body.name, provided_id: body.user_group_id }),
  rotatedGroup: async (_, { created, rotated: { shown } }) =>
    wrongValue(shown, { ...created.shown, token: shown.token }),
  rotatedToken: async (_, { created, found, rotated, after }) => {
    if (created.group.token !== found.group.token)
      throw new NotDeterminable("looking up a group changes its token");
    const { token } = rotated.group;
    const isKept = token !== undefined && token === after.group.token;
    return isKept ? undefined : "looking up the group returned a different token";
  },
} satisfies { readonly [Id in FactId]?: Probe };

type FieldSchemas = Readonly<Record<string, { readonly type?: string; readonly const?: number }>>;

function wrongType(found: JsonObject, schemas: FieldSchemas): string | undefined {
  const wrong = Object.entries(schemas).find(([name, { type, const: only }]) => {
    if (type === undefined) return found[name] !== only;
    return type === "integer" ? !Number.isInteger(found[name]) : typeName(found[name]) !== type;
  });
  return wrong && `${wrong[0]} was ${show(found[wrong[0]])}`;
}

function wrongValue(found: JsonObject, expected: JsonObject): string | undefined {
  const wrong = Object.keys(expected).find((name) => found[name] !== expected[name]);
  return wrong && `${wrong} was ${show(found[wrong])} instead of ${show(expected[wrong])}`;
}

export function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}

/** The rejections by the operations of the service. What else is rejected may be rejected by something else. */
function rejectionsIn({ transcript }: ServiceClient): Recorded[] {
  const methods: readonly string[] = operationIds.map((id) => operations[id].method);
  return transcript.filter(
    ({ request: { path, method }, response }) =>
      path === servicePath && methods.includes(method) && !response.isSuccess,
  );
}

/** What all rejections show together. */
export const rejectionProbes = {
  failure: async (service) => {
    const authorization = `Token ${service.target.apiToken}`;
    const wrong = rejectionsIn(service).find(
      ({ request, response }) =>
        request.headers.Authorization === authorization && response.fields.success !== 0,
    );
    return wrong && `success was ${show(wrong.response.fields.success)} with status ${wrong.response.status}`;
  },
  "failure-status": async (service) => {
    const statuses = rejectionsIn(service).map(({ response }) => response.status);
    const ok = statuses.filter((status) => status === 200).length;
    if (statuses.length > 0 && ok === 0) return "by-kind";
    if (statuses.length > 0 && ok === statuses.length) return "always-200";
    throw new NotDeterminable(`${ok} of ${statuses.length} rejections have status 200; the profile has them`);
  },
  "failure-body": async (service) => {
    const [kind, ...kinds] = new Set(rejectionsIn(service).map(bodyKind));
    if (kind !== undefined && kinds.length === 0) return kind;
    throw new NotDeterminable("the bodies are others; the profile has them");
  },
} satisfies Record<string, Probe>;

function bodyKind({ response: { fields } }: Recorded): AssumptionValues["failure-body"] | undefined {
  const { success, error, message } = fields;
  if (success !== 0) return undefined;
  if (Object.keys(fields).length === 1) return "bare";
  if (isObject(error)) return "error-object";
  return typeof message === "string" ? "message" : undefined;
}
