import type { AssumptionValues } from "../../contract/assumptions.js";
import { shownSchemas } from "../../contract/group-fields.js";
import { operationIds, operations, servicePath } from "../../contract/operations.js";
import { isObject, type JsonObject } from "../../foundation/json.js";
import { shippedSchemas } from "../../generated/shipped-schemas.js";
import type { ReceivedResponse, Recorded } from "./recorded.js";
import { NotDeterminable } from "./service-client.js";

const shownNames = Object.keys(shownSchemas);

/** What the service's document says, with its words. */
export const facts = {
  created: `get-or-create returns success 1 ("1 if the call was successful"), new_user_group and user_group`,
  rotated: `rotate returns success 1 and user_group ("The user group […], carrying its token")`,
  flag: `new_user_group is "true when a new user group was created by this call", and otherwise false`,
  group: `user_group has ${new Intl.ListFormat("en-GB").format(shownNames)}`,
  sent: `name is the name that was sent, and provided_id "corresponds to the request field user_group_id"`,
  rotatedGroup: `rotate "takes the user group's current token and returns the user group"`,
  rotatedToken: `the token that rotate returns is that of the group ("carrying its token") from then on`,
  mapping: `get-or-create accepts mapping ("Schema id to data source association") and properties`,
  authorization: `the Authorization header "applies to both operations": neither succeeds without it`,
  failure: `a failed request returns success "0 when the call was not successful"`,
} as const;

export type FactId = keyof typeof facts;

/** The responses to the requests about one group. */
interface GroupLife extends Readonly<Record<"created" | "found" | "rotated" | "after", ReceivedResponse>> {
  readonly body: JsonObject;
}

/** What is wrong with each fact about a group, or undefined. */
export function checkGroup({ body, created, found, rotated, after }: GroupLife) {
  const [before, { group }] = [created.group, rotated];
  const [first, second] = [created, found].map(({ fields }) => fields.new_user_group);
  const changesToken = before.token !== found.group.token;
  const changed = shownNames.find((field) => field !== "token" && before[field] !== group[field]);
  return {
    created: wrongBody(created, shippedSchemas[operations["get-or-create"].response]),
    rotated: wrongBody(rotated, shippedSchemas[operations.rotate.response]),
    flag: first === true && second === false ? undefined : `it was ${show(first)}, then ${show(second)}`,
    group: wrongFields(before, shownSchemas),
    sent: differs("provided_id", before, body.user_group_id) ?? differs("name", before, body.name),
    rotatedGroup: changed && `${changed} was ${show(before[changed])}, then ${show(group[changed])}`,
    rotatedToken: changesToken
      ? new NotDeterminable("looking up a group changes its token")
      : group.token === undefined || group.token !== after.group.token
        ? "looking up the group returned a different token"
        : undefined,
  };
}

function differs(field: string, group: JsonObject, sent: unknown): string | undefined {
  return group[field] === sent ? undefined : `${field} was ${show(group[field])} for ${show(sent)}`;
}

interface FieldSchema {
  readonly type?: string;
  readonly const?: unknown;
}

type FieldSchemas = Readonly<Record<string, FieldSchema>>;

function wrongBody(
  { status, json, fields }: ReceivedResponse,
  schema: { readonly properties: FieldSchemas },
): string | undefined {
  if (!isObject(json)) return `the response, with status ${status}, is not a JSON object`;
  if (fields.success !== 1) return `success was ${show(fields.success)}, with status ${status}`;
  return wrongFields(fields, schema.properties);
}

function wrongFields(object: JsonObject, fields: FieldSchemas): string | undefined {
  const wrong = Object.keys(fields).find((name) => !fits(object[name], fields[name] ?? {}));
  return wrong && `${wrong} was ${show(object[wrong])}`;
}

function fits(value: unknown, { type, const: only }: FieldSchema): boolean {
  if (type === undefined) return value === only;
  if (type === "integer") return Number.isInteger(value);
  return type === "object" ? isObject(value) : typeof value === type;
}

export function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}

/** What all rejections at the path of the service show. What another path responds is not about the service. */
export function readRejections(transcript: readonly Recorded[]) {
  const rejections = transcript.filter(
    ({ request, response }) => request.path === servicePath && !response.isSuccess,
  );
  const [kind, ...kinds] = new Set(rejections.map(bodyKind));
  const isOneKind = kind !== undefined && kind !== "other" && kinds.length === 0;
  const ok = rejections.filter(({ response }) => response.status === 200).length;
  const isOneStatus = rejections.length > 0 && (ok === 0 || ok === rejections.length);
  return {
    failure: wrongSuccess(rejections),
    "failure-status": isOneStatus
      ? ok === 0
        ? ("by-kind" as const)
        : ("always-200" as const)
      : new NotDeterminable(`${ok} of ${rejections.length} rejections have status 200; the profile has them`),
    "failure-body": isOneKind ? kind : new NotDeterminable("the bodies are others; the profile has them"),
  };
}

/** The document speaks about calls of its operations. A wrong API token may be rejected by something else. */
function wrongSuccess(rejections: readonly Recorded[]): string | undefined {
  const methods: readonly string[] = operationIds.map((id) => operations[id].method);
  const [first, ...others] = rejections.filter(
    ({ request, response, provokes = "unauthorized" }) =>
      methods.includes(request.method) &&
      !provokes.startsWith("unauthorized") &&
      response.fields.success !== 0,
  );
  if (first === undefined) return undefined;
  const { number, response } = first;
  const more = others.length === 0 ? "" : `, and in ${others.length} more`;
  return `success was ${show(response.fields.success)} in response ${number}, with status ${response.status}${more}`;
}

function bodyKind({ response: { json, fields } }: Recorded): AssumptionValues["failure-body"] | "other" {
  const { success, error, message } = fields;
  if (!isObject(json) || success !== 0) return "other";
  if (Object.keys(fields).length === 1) return "bare";
  if (isObject(error)) return "error-object";
  return typeof message === "string" ? "message" : "other";
}
