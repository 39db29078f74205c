import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import type { GroupClient } from "../service/group-client.js";
import { need } from "../service/not-determinable.js";
import { expectSuccess, jsonText, type ReceivedResponse } from "../service/received-response.js";

/** What a response shows of the mapping or the properties of a group, after others were sent. */
export type ShownChange = "kept" | "replaced" | "merged";

/** What happens to a group that exists. */
export interface ExistingGroup {
  /** If another name is sent. */
  readonly name: "unchanged" | "updated" | "rejected";
  /** If other properties or another mapping are sent. */
  readonly others: "accepted" | "rejected";
  /** Undefined if the service does not show it. The document has no field for it. */
  readonly mapping: ShownChange | undefined;
  readonly properties: ShownChange | undefined;
}

/** Asks what another name, other properties and another mapping do to a group that exists. */
export async function askExistingGroup(client: GroupClient): Promise<ExistingGroup> {
  const body = client.newBody();
  const before = expectSuccess(await client.send(body)).group.name;
  const newName = client.groups.newName();
  const renamed = await client.send({ ...body, name: newName });
  const properties = await askOtherProperties(client, body);
  const mapping = properties.isRejected ? notAsked : await askOtherMapping(client, body);
  const others = properties.isRejected || mapping.isRejected ? "rejected" : "accepted";
  // After a rejection, the body of the creation has to succeed: the service may reject every second request about a group.
  if (!renamed.isSuccess || others === "rejected") expectSuccess(await client.send(body));
  return {
    name: changeOfName(renamed, before, newName),
    others,
    mapping: mapping.shown,
    properties: properties.shown,
  };
}

function changeOfName({ isSuccess, group }: ReceivedResponse, before: unknown, sent: string) {
  if (!isSuccess) return "rejected";
  if (group.name === before) return "unchanged";
  need(group.name === sent, `the name became ${jsonText(group.name)}, which no value expresses`);
  return "updated";
}

/** What the service does with another value of a field. */
interface OtherValue {
  /** Whether it rejects the value because the group exists. */
  readonly isRejected: boolean;
  readonly shown: ShownChange | undefined;
}

const notAsked: OtherValue = { isRejected: false, shown: undefined };

function askOtherProperties(client: GroupClient, body: JsonObject): Promise<OtherValue> {
  const other = { verify: client.groups.newName() };
  return askOtherValue(client, body, { field: "properties", other });
}

/** Only a sample knows which schemas and sources exist, so others could be rejected for that reason. */
async function askOtherMapping(client: GroupClient, body: JsonObject): Promise<OtherValue> {
  if (!isObject(body.mapping) || client.target.sample !== undefined) return notAsked;
  // With another key, so that a merged mapping differs from one that was replaced.
  return askOtherValue(client, body, { field: "mapping", other: { "41": "214" } });
}

async function askOtherValue(
  client: GroupClient,
  body: JsonObject,
  { field, other }: { readonly field: "mapping" | "properties"; readonly other: JsonObject },
): Promise<OtherValue> {
  const response = await client.send({ ...body, [field]: other });
  if (response.isSuccess)
    return { isRejected: false, shown: shownChange(response, { before: body[field], sent: other }) };
  // If a new group cannot have the value either, the rejection shows nothing about groups that exist.
  const control = await client.create({ [field]: other });
  return { isRejected: control.isSuccess, shown: undefined };
}

/** Undefined if no object of the response is the earlier one, the one that was sent, or both. */
function shownChange(
  { json }: ReceivedResponse,
  { before, sent }: { readonly before: unknown; readonly sent: JsonObject },
): ShownChange | undefined {
  if (!isObject(before) || Object.keys(before).length === 0) return undefined;
  if (includesObject(json, { ...before, ...sent })) return "merged";
  if (includesObject(json, sent)) return "replaced";
  return includesObject(json, before) ? "kept" : undefined;
}

function includesObject(value: unknown, searched: JsonObject): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isDeepStrictEqual(value, searched)) return true;
  return Object.values(value).some((inner) => includesObject(inner, searched));
}
